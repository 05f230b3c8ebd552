// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "harness/cli/commands.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/output.h"
#include "harness/cli/usage_error.h"
#include "harness/run/sampler_process.h"

namespace warpmark {
namespace {

struct SamplerOptions {
  double period_seconds = 1;
  bool ordered = false;
};

ExitCode show(const SamplerOptions& options) {
  if (options.ordered) return static_cast<ExitCode>(sampler_under_supervisor());
  sampler_by_hand(options.period_seconds, [](const nlohmann::json& line) -> std::optional<int> {
    put(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
    flush_output();
    if (std::ferror(stdout) == 0) return std::nullopt;
    const std::string problem = output_problem();  // empty where the reader has had enough
    if (!problem.empty()) complain(problem);
    return static_cast<int>(problem.empty() ? ExitCode::done : ExitCode::usage);
  });
}

}  // namespace

void add_sampler_command(CommandLine& line, const Context& /*context*/) {
  const auto options = std::make_shared<SamplerOptions>();
  CLI::App* const command = add_command(line, "sampler", [options](const Settings&) { return show(*options); });
  command->add_option("--period", options->period_seconds, "What a line sums up, in seconds")
      ->type_name("TIME")
      ->capture_default_str()
      ->transform(duration_in_seconds())
      ->check(CLI::Range(0.05, 86400.0));
  // Under `run` everything comes with the order; no variable or file has a say.
  command->add_flag("--order", options->ordered, "")->group("")->configurable(false);
}

}  // namespace warpmark
