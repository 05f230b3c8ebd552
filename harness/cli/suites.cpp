// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/suites.h"

#include "harness/cli/option_checks.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

std::string name_of(const embedded::File& file) { return std::string(file.name.substr(0, file.name.rfind('.'))); }

}  // namespace

void add_suite_options(CommandLine& line, CLI::App& command, SuiteOptions& options, const Context& context) {
  CLI::Option* const device = command.add_option("--device", options.device, "A device of `warpmark list devices`");
  device->type_name("ID")->capture_default_str();
  line.offers[device] = {.words = {"cpu:0"}};
  if (options.device == "auto") {
    device->description("auto, or a device of `warpmark list devices`");
    line.offers[device] = {.words = {"auto", "cpu:0"}};
  }
  CLI::Option* const suite =
      command.add_option("--suite", options.suite, "A suite of `warpmark list suites`, or a file of your own");
  suite->type_name("NAME|FILE.json")->capture_default_str()->check(suite_or_file(context));
  line.offers[suite] = {.words = suite_names(context), .paths = Offer::Paths::files};
  command.add_option("--filter", options.filter, "Only cases whose id matches (ECMAScript, searched)")
      ->type_name("REGEX")
      ->check(regular_expression());
}

std::vector<std::string> suite_names(const Context& context) {
  std::vector<std::string> names;
  for (const embedded::File& file : context.suites) names.push_back(name_of(file));
  return names;
}

bool is_suite_file(const std::string& name_or_file) {
  return name_or_file.ends_with(".json") || name_or_file.find('/') != std::string::npos;
}

std::string suite_text(const Context& context, const std::string& name_or_file) {
  for (const embedded::File& file : context.suites)
    if (name_of(file) == name_or_file) return std::string(file.text);
  return read_text(name_or_file);
}

}  // namespace warpmark
