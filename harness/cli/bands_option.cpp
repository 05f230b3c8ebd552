// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/bands_option.h"

#include <fmt/format.h>

#include "harness/cli/option_checks.h"
#include "harness/cli/suggestion.h"
#include "harness/cli/usage_error.h"
#include "harness/store/json_text.h"
#include "harness/telemetry/machine.h"

namespace warpmark {

void add_bands_option(CommandLine& line, CLI::App& command, std::string& file) {
  CLI::Option* const option = command.add_option(
      "--bands", file, "What numbers of your GPUs usually are, for the verdict (`warpmark explain bands`)");
  option->type_name("FILE.toml")->check(not_empty("a file of bands"));
  line.offers[option] = {.paths = Offer::Paths::files};
}

void tell_other_bands(const nlohmann::json& run, const std::string& file) {
  const nlohmann::json::json_pointer place("/options/bands/value");
  const std::string had = run.contains(place) && run[place].is_string() ? run[place].get<std::string>() : "";
  if (had.empty() || had == without_home(file)) return;
  complain(fmt::format("the run had --bands {}; the verdict here is by {}, and may differ", as_typed(had),
                       file.empty() ? "the program's own bands" : as_typed(file)));
}

BandTable bands_of(const std::string& file) { return file.empty() ? own_bands() : bands_with(read_text(file), file); }

}  // namespace warpmark
