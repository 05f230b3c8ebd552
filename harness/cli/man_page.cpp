// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "build_info.h"
#include "harness/cli/commands.h"
#include "harness/cli/explanations.h"
#include "harness/cli/manual.h"
#include "harness/cli/option_facts.h"

namespace warpmark {
namespace {

/// What roff would obey or set as another character. A line may not begin with a dot or an apostrophe.
std::string escaped(std::string_view text) {
  static const std::map<char, std::string_view> names{{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                                      {'`', "\\(ga"}, {'~', "\\(ti"}, {'^', "\\(ha"}};
  std::string result = text.starts_with('.') ? "\\&" : "";
  for (const char c : text) {
    const auto name = names.find(c);
    result += name == names.end() ? std::string(1, c) : std::string(name->second);
  }
  return result;
}

/// Words with `code` in bold.
std::string prose(std::string_view text) {
  std::string result;
  bool is_code = false;
  while (true) {
    const std::size_t tick = text.find('`');
    result += escaped(text.substr(0, tick));
    if (tick == std::string_view::npos) return result;
    is_code = !is_code;
    result += is_code ? "\\fB" : "\\fR";
    text.remove_prefix(tick + 1);
  }
}

std::string code(std::string_view text) {
  std::string result = ".PP\n.RS 2\n.EX\n";
  for (std::size_t end = 0; end != std::string_view::npos;
       text.remove_prefix(end == std::string_view::npos ? 0 : end + 1)) {
    end = text.find('\n');
    result += escaped(text.substr(0, end)) + "\n";
  }
  return result + ".EE\n.RE\n";
}

std::string roff(const std::vector<Block>& blocks) {
  std::string result;
  for (const Block& block : blocks) {
    switch (block.kind) {
      case Block::Kind::paragraph: result += ".PP\n" + prose(block.text) + "\n"; break;
      case Block::Kind::item: result += ".IP \\(bu 2\n" + prose(block.text) + "\n"; break;
      case Block::Kind::code: result += code(block.text); break;
    }
  }
  return result;
}

std::string term(std::string_view label, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(label), prose(text));
}

std::string options(const CLI::App& command) {
  std::string result;
  for (const CLI::Option* option : visible_options(command)) {
    const std::string note = origin_note(*option);
    result += term(label_of(*option), option->get_description() + (note.empty() ? "." : fmt::format(" [{}].", note)));
  }
  return result;
}

/// In the order of man pages: help begins with examples, a reference ends with them.
std::string command_text(const CLI::App& command) {
  const Manual manual = manual_of(command.get_name());
  std::string result = fmt::format(".SS {}\n.PP\n{}.\n", escaped(spoken_name(command)), prose(manual.summary));
  for (const std::string_view title : {"Synopsis", "Description", "Options", "Examples"}) {
    for (const Section& section : manual.sections) {
      if (section.title != title) continue;
      if (title == "Examples") result += ".PP\nExamples:\n";
      result += roff(section.blocks) + (title == "Options" ? options(command) : "");
    }
  }
  return result;
}

std::string generated(const std::string& title, const CLI::App& program) {
  std::string result;
  if (title == "Options") return options(program);
  if (title == "Commands")
    for (const CLI::App* command : visible_commands(program)) result += command_text(*command);
  if (title == "Exit codes")
    for (const Explanation& e : exit_codes())
      result += term(e.id.substr(exit_prefix.size()), first_sentence(e.blocks) + ".");
  return result;
}

std::string section_text(const Section& section, const CLI::App& program) {
  std::string title = section.title;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".SH {}\n", title) + roff(section.blocks) + generated(section.title, program);
}

}  // namespace

std::string man_page(const CLI::App& program) {
  const Manual manual = manual_of(program.get_name());
  std::string summary = manual.summary;
  summary.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(summary.front())));
  // Without hyphens and stretched lines: options and variables are to be copied.
  std::string page =
      fmt::format(".TH WARPMARK 1 \"\" \"warpmark {}\" \"User Commands\"\n.nr HY 0\n.ad l\n.SH NAME\nwarpmark \\- {}\n",
                  build_info::version, prose(summary));
  page += section_text(manual.section("Synopsis"), program);
  for (const Section& section : manual.sections)
    if (section.title != "Synopsis" && section.title != "Examples") page += section_text(section, program);
  return page + section_text(manual.section("Examples"), program);
}

}  // namespace warpmark
