// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/bands_option.h"

#include "harness/cli/option_checks.h"
#include "harness/store/json_text.h"

namespace warpmark {

void add_bands_option(CommandLine& line, CLI::App& command, std::string& file) {
  CLI::Option* const option = command.add_option(
      "--bands", file, "What numbers of your GPUs usually are, for the verdict (`warpmark explain bands`)");
  option->type_name("FILE.toml")->check(not_empty("a file of bands"));
  line.offers[option] = {.paths = Offer::Paths::files};
}

BandTable bands_of(const std::string& file) { return file.empty() ? own_bands() : bands_with(read_text(file), file); }

}  // namespace warpmark
