// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/output.h"
#include "harness/cli/usage_error.h"
#include "harness/core/instant.h"
#include "harness/run/sampler_process.h"
#include "harness/telemetry/nvml/devices.h"
#include "harness/telemetry/sampling/sampler.h"

namespace warpmark {
namespace {

using nlohmann::json;

struct SamplerOptions {
  double period_seconds = 1;
  bool ordered = false;
};

/// Addresses of all that NVML shows; one empty text, which is the host alone, where there is none. Complains of what is
/// there and cannot be asked.
std::vector<std::string> subjects_of(const nvml::Opened& nvml) {
  std::vector<std::string> all;
  std::string problem = nvml.present ? nvml.problem : "";
  if (nvml.problem.empty()) {
    const nvml::Devices devices = nvml::devices(nvml.functions);
    if (!devices.why_none.empty()) problem = devices.why_none;
    for (const auto& handle : devices.handles) {
      const auto address = handle.value ? nvml::address_of(nvml.functions, *handle.value)
                                        : nvml::Answer<std::string>{.value = std::nullopt, .why = handle.why};
      if (address.value)
        all.push_back(*address.value);
      else
        problem = "a GPU is left out: " + address.why;
    }
  }
  if (!problem.empty()) complain(problem);
  if (all.empty()) all.emplace_back();
  return all;
}

/// The code to end with; empty where there is more to show.
std::optional<ExitCode> show(const json& line) {
  put(line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n");
  flush_output();
  if (std::ferror(stdout) == 0) return std::nullopt;
  const std::string problem = output_problem();  // empty where the reader has had enough
  if (!problem.empty()) complain(problem);
  return problem.empty() ? ExitCode::done : ExitCode::usage;
}

/// A line of every GPU with its host each period.
[[noreturn]] void sample(double period_seconds) {
  const nvml::Opened nvml = nvml::open_library();
  Sampler sampler(nvml);
  const std::vector<std::string> subjects = subjects_of(nvml);
  sampler.begin({.gpus = subjects,
                 .cpus = {},
                 .period_seconds = std::min(period_seconds, usual_period_seconds),
                 .own_processes = 0});
  std::thread([&sampler] { sampler.run(); }).detach();
  for (double begin = monotonic_seconds();;) {
    std::this_thread::sleep_for(std::chrono::duration<double>(period_seconds));
    const double end = monotonic_seconds();
    for (const std::string& gpu : subjects) {
      json line{{"at", end}, {"gpu", gpu.empty() ? json(nullptr) : json(gpu)}};
      line.update(sampler.window(begin, end, gpu));
      line.erase("series");
      // The thread that samples may be held by a driver, so nobody waits for it.
      if (const auto code = show(line)) std::_Exit(static_cast<int>(*code));
    }
    sampler.forget_before(end);
    begin = end;
  }
}

}  // namespace

void add_sampler_command(CommandLine& line, const Context& /*context*/) {
  const auto options = std::make_shared<SamplerOptions>();
  CLI::App* const command = add_command(line, "sampler", [options](const Settings&) {
    if (options->ordered) return static_cast<ExitCode>(sampler_under_supervisor());
    sample(options->period_seconds);
  });
  CLI::Option* const period =
      command->add_option("--period", options->period_seconds, "What a line sums up, in seconds")
          ->type_name("TIME")
          ->capture_default_str()
          ->transform(duration_in_seconds())
          ->check(CLI::Range(0.05, 86400.0).description(""));
  // Under `run` everything comes with the order; no variable or file has a say.
  command->add_flag("--order", options->ordered, "")->group("")->configurable(false)->excludes(period);
}

}  // namespace warpmark
