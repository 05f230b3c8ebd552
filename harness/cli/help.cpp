// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/commands.h"
#include "harness/cli/explanations.h"
#include "harness/cli/manual.h"
#include "harness/cli/option_facts.h"
#include "harness/cli/text_layout.h"

namespace warpmark {
namespace {

constexpr std::size_t narrow = 60;  // columns; there texts stand below what they are about

std::string heading(std::string_view title, const Terminal& terminal) {
  return "\n" + terminal.inked(fmt::format("{}:", title), Ink::strong) + "\n";
}

std::string options_text(const CLI::App& command, std::size_t width) {
  std::string text;
  for (const CLI::Option* option : visible_options(command)) {
    const std::string note = origin_note(*option);
    text += entry(label_of(*option), option->get_description() + (note.empty() ? "" : fmt::format(" [{}]", note)),
                  Columns{.label = 2, .text = width < narrow ? 6U : 26U, .end = width});
  }
  return text;
}

std::string commands_text(const CLI::App& program, std::size_t width) {
  std::string text;
  for (const CLI::App* command : visible_commands(program))
    text += entry(command->get_name(), command->get_description(), Columns{.label = 2, .text = 12, .end = width});
  return text;
}

std::string exit_codes_text(std::size_t width) {
  std::string text;
  for (const Explanation& code : exit_codes())
    text += entry(code.id.substr(exit_prefix.size()), first_sentence(code.blocks),
                  Columns{.label = 2, .text = 7, .end = width});
  return text;
}

/// What the page leaves to the program: it has these headings with nothing below.
std::string generated(std::string_view title, const CLI::App& command, std::size_t width) {
  if (title == "Options") return options_text(command, width);
  if (title == "Commands") return commands_text(command, width);
  if (title == "Exit codes") return exit_codes_text(width);
  return "";
}

}  // namespace

std::size_t reading_width(const Terminal& terminal) {
  constexpr std::size_t unknown = 80;
  return terminal.interactive() ? std::clamp<std::size_t>(terminal.columns(), 30, 100) : unknown;
}

std::string help_text(const CLI::App& command, const Terminal& terminal) {
  const std::size_t width = reading_width(terminal);
  const Manual manual = manual_of(command.get_name());
  std::string text = paragraph(manual.summary + ".", Columns{.label = 0, .end = width});
  for (const Section& section : manual.sections)
    text +=
        heading(section.title, terminal) + plain_text(section.blocks, width) + generated(section.title, command, width);
  return text;
}

std::string short_help(const CLI::App& program, const Terminal& terminal) {
  const std::size_t width = reading_width(terminal);
  const std::string advice = fmt::format("Begin with `{0} run`; `{0} --help` has examples.", program.get_name());
  return fmt::format("Usage: {} COMMAND [OPTION]...\n\n{}\n{}", program.get_name(), commands_text(program, width),
                     paragraph(advice, Columns{.label = 0, .end = width}));
}

}  // namespace warpmark
