// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/explanations.h"
#include "harness/cli/help.h"
#include "harness/cli/output.h"
#include "harness/cli/text_layout.h"

namespace warpmark {
namespace {

ExitCode list_all(std::size_t width) {
  for (const Explanation& explanation : explanations())
    put(entry(explanation.id, first_sentence(explanation.blocks), Columns{.label = 0, .text = 15, .end = width}));
  return ExitCode::done;
}

ExitCode explain(const std::string& id, std::size_t width) {
  const Explanation explanation = explanation_of(id);
  put(explanation.id + ":\n" + plain_text(explanation.blocks, width));
  return ExitCode::done;
}

}  // namespace

void add_explain_command(CommandLine& line, const Context& /*context*/) {
  const auto id = std::make_shared<std::string>();
  CLI::App* const command = add_command(line, "explain", nullptr);
  CLI::Option* const option =
      command->add_option("ID", *id, "A status, an exit code (3 or exit-3) or a topic; lists them when left out");
  line.actions[command] = [id, option](const Settings&) {
    const std::size_t width = reading_width(Terminal(stdout));
    return option->count() > 0 ? explain(*id, width) : list_all(width);
  };
  for (const Explanation& explanation : explanations()) line.offers[option].words.push_back(explanation.id);
}

}  // namespace warpmark
