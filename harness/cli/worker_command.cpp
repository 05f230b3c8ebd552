// SPDX-License-Identifier: Apache-2.0
#include "harness/run/worker.h"

#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/suites.h"
#include "harness/run/probe.h"

namespace warpmark {
namespace {

struct WorkerOptions {
  std::string device = "cpu:0";
  std::string suite = "quick";
  std::string filter{};
  bool ordered = false;
};

ExitCode work(const WorkerOptions& options, const std::vector<std::string>& flags, const Context& context) {
  if (options.ordered) return static_cast<ExitCode>(worker_under_supervisor());
  std::vector<std::string> arguments{"warpmark worker"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return static_cast<ExitCode>(
      worker_by_hand({.suite = suite_text(context, options.suite), .device = options.device, .filter = options.filter}, arguments));
}

}  // namespace

void add_worker_commands(CommandLine& line, const Context& context) {
  CLI::App* const worker = line.app->add_subcommand("worker", "Measure in this process, as a Google Benchmark program (--benchmark_* flags)");
  const auto options = std::make_shared<WorkerOptions>();
  worker->add_option("--device", options->device, "A device of `warpmark list devices`")->type_name("ID")->capture_default_str();
  worker->add_option("--suite", options->suite, "quick, standard, full, or a file of your own")->type_name("NAME|FILE.json")->capture_default_str();
  worker->add_option("--filter", options->filter, "Only cases whose id matches (ECMAScript, searched)")->type_name("REGEX");
  worker->add_flag("--order", options->ordered, "")->group("");
  worker->allow_extras();
  line.actions[worker] = [options, worker, &context] { return work(*options, worker->remaining(), context); };

  CLI::App* const probe = line.app->add_subcommand("probe", "")->group("");
  line.actions[probe] = [] { return static_cast<ExitCode>(probe_main()); };
}

}  // namespace warpmark
