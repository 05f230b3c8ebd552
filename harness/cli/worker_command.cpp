// SPDX-License-Identifier: Apache-2.0
#include "harness/run/worker.h"

#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/device_choice.h"
#include "harness/cli/google_benchmark_flags.h"
#include "harness/cli/suites.h"
#include "harness/cli/usage_error.h"
#include "harness/run/probe.h"

namespace warpmark {
namespace {

struct WorkerOptions {
  SuiteOptions what{.device = "cpu:0"};
  bool ordered = false;
};

/// Google Benchmark would name itself and no nearest flag for what neither knows.
GoogleBenchmarkFlags flags_of(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  for (const std::string& word : words)
    if (!word.starts_with("--benchmark_") && !word.starts_with("--v="))
      throw UsageError(unknown_word(*command.get_parent(), command, word));
  return checked_flags(words);
}

ExitCode measure(const WorkerOrder& order, const GoogleBenchmarkFlags& given) {
  std::vector<std::string> flags{"warpmark worker"};
  flags.insert(flags.end(), given.flags.begin(), given.flags.end());
  if (given.out.empty()) return static_cast<ExitCode>(worker_by_hand(order, flags));
  const OutputInMemory out;
  flags.push_back(out.flag());
  const auto code = static_cast<ExitCode>(worker_by_hand(order, flags));
  out.save_as(given.out);
  return code;
}

ExitCode work(const WorkerOptions& options, const CLI::App& command, const Settings& settings, const Context& context) {
  if (options.ordered) return static_cast<ExitCode>(worker_under_supervisor());
  const GoogleBenchmarkFlags flags = flags_of(command);
  const DeviceInfo device = settings.blaming({"device"}, [&] {
    return choose_device(options.what.device, devices_for(options.what.device, false), {}).device;
  });
  return settings.blaming({"suite", "filter"}, [&] {
    const WorkerOrder order{
        .suite = suite_text(context, options.what.suite), .device = device.id, .filter = options.what.filter};
    return measure(order, flags);
  });
}

}  // namespace

void add_worker_command(CommandLine& line, const Context& context) {
  const auto options = std::make_shared<WorkerOptions>();
  CLI::App* const command = add_command(line, "worker", nullptr);
  line.actions[command] = [options, command, &context](const Settings& settings) {
    return work(*options, *command, settings, context);
  };
  command->allow_extras();
  add_suite_options(line, *command, options->what, context);
  // Under `run` everything comes with the order; no variable or file has a say.
  CLI::Option* const order = command->add_flag("--order", options->ordered, "")->group("")->configurable(false);
  for (const char* name : {"--device", "--suite", "--filter"}) order->excludes(command->get_option(name));
}

void add_probe_command(CommandLine& line, const Context& /*context*/) {
  (void)add_hidden_command(line, "probe", [](const Settings&) { return static_cast<ExitCode>(probe_main()); });
}

}  // namespace warpmark
