// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/suites.h"
#include "harness/core/error.h"
#include "harness/core/instant.h"
#include "harness/core/nearest.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/run/device_json.h"
#include "harness/run/probe.h"
#include "harness/run/run_facts.h"
#include "harness/run/supervisor.h"
#include "harness/store/json_text.h"
#include "harness/telemetry/machine.h"
#include "harness/telemetry/nvidia_presence.h"

namespace warpmark {
namespace {

using nlohmann::json;

struct RunOptions {
  std::string device = "auto";
  std::string suite = "quick";
  std::string filter{};
  int repeats = 0;  // 0: as the suite says
  std::uint64_t seed = 0;
  double case_timeout = 0;
  std::string out = ".";
  std::string resume{};
  std::vector<std::string> labels{};
  bool dry_run = false;
  bool as_json = false;
};

std::map<std::string, std::string> parsed_labels(const std::vector<std::string>& given) {
  std::map<std::string, std::string> labels;
  for (const std::string& label : given) {
    const std::size_t equals = label.find('=');
    if (equals == 0 || equals == std::string::npos) throw UsageError(fmt::format("--label {} has to be KEY=VALUE", label));
    labels[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return labels;
}

/// `out` as a file, or a new name in the folder that it is. Throws UsageError when something is there already.
std::filesystem::path document_path(const std::string& out, const std::string& run_id) {
  std::filesystem::path path = out;
  if (path.extension() != ".json") {
    std::string stamp = utc_now();
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
    path /= fmt::format("warpmark_{}_{}.json", stamp, run_id);
  }
  if (std::filesystem::exists(path)) throw UsageError(fmt::format("{} is there already; a result is never overwritten: choose another --out", path.string()));
  return path;
}

struct Chosen {
  DeviceInfo device{};
  std::string problem{};
};

DeviceInfo device_named(const std::string& id, const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> ids{"auto"};
  for (const DeviceInfo& device : devices) {
    if (device.id == id) return device;
    ids.push_back(device.id);
  }
  throw UsageError(fmt::format("there is no device {}; did you mean {}? `warpmark list devices` shows what there is", id, nearest(id, ids)));
}

/// The device to measure. `auto` is the CPU only where no NVIDIA device exists; where one does that cannot be used, the CPU is measured and
/// the problem is said first.
Chosen choose(const std::string& wanted, const std::vector<DeviceInfo>& devices) {
  if (wanted != "auto") return {.device = device_named(wanted, devices)};
  const NvidiaPresence nvidia = find_nvidia(FileRoot());
  Chosen chosen{.device = device_named("cpu:0", devices)};
  if (nvidia.exists)
    chosen.problem = fmt::format("{} This build has no cuda backend, so the CPU was measured; ask for that with --device cpu:0", nvidia.evidence);
  return chosen;
}

json plan_json(const std::vector<PlannedCase>& cases, int repeats) {
  json ids = json::array();
  for (const PlannedCase& planned : cases) ids.push_back(planned.id);
  return {{"cases", ids}, {"repeats", repeats}};
}

ExitCode show_plan(const std::vector<PlannedCase>& cases, int repeats, const Suite& suite, bool as_json) {
  if (as_json) {
    fmt::print("{}\n", plan_json(cases, repeats).dump(2));
    return ExitCode::done;
  }
  for (const PlannedCase& planned : cases) fmt::print("{}\n", planned.id);
  fmt::print("{} cases, {} repeats each; sampling takes at most {} a case\n", cases.size(), repeats, format_seconds(suite.protocol.max_seconds));
  return ExitCode::done;
}

ExitCode conclude(const RunOutcome& outcome, const std::filesystem::path& document, bool as_json) {
  const Terminal terminal(stdout);
  if (as_json) {
    fmt::print("{}\n", line_of(to_json(outcome.document)));
  } else {
    if (const json& problem = outcome.document.run.at("device_problem"); problem.is_string())
      terminal.write(terminal.inked("device: " + printable(problem.get<std::string>()), Ink::bad) + "\n");
    terminal.write(summary_table(outcome.document, terminal));
    terminal.write(fmt::format("result  {}\n", document.string()));
  }
  if (outcome.journal_kept)
    fmt::print(stderr, "interrupted: everything measured is saved; continue with: warpmark run --resume {}\n", journal_of(document).string());
  return outcome.exit_code;
}

ExitCode start(const RunOptions& options, const Context& context) {
  RunRequest request{.suite_text = suite_text(context, options.suite), .filter = options.filter};
  const Suite suite = parse_suite(request.suite_text, options.suite);
  RunFacts facts{.id = new_run_id(), .command = context.command_line, .labels = parsed_labels(options.labels)};
  request.document = document_path(options.out, facts.id);
  const Probed probed = probe_devices(!options.dry_run);
  if (!probed.problem.empty()) {
    fmt::print(stderr, "warpmark: {}\n", probed.problem);
    return ExitCode::device;
  }
  const Chosen chosen = choose(options.device, probed.devices);
  request.repeats = facts.repeats = options.repeats > 0 ? options.repeats : suite.repeats;
  request.seed = facts.seed = options.seed > 0 ? options.seed : new_seed();
  if (options.case_timeout > 0) request.case_timeout = options.case_timeout;
  const std::vector<PlannedCase> cases = plan_cases(suite, options.filter, chosen.device);
  if (options.dry_run) return show_plan(cases, request.repeats, suite, options.as_json);
  facts.device_problem = chosen.problem;
  if (!chosen.problem.empty()) fmt::print(stderr, "warpmark: {}\n", chosen.problem);
  json head{{"run", run_facts(facts, suite)},
            {"machine", machine_card(FileRoot(), MachineOptions{})},
            {"devices", json::array({to_json(chosen.device)})}};
  RunOutcome outcome;
  {
    ProgressConsole console(stderr);
    outcome = start_run(request, std::move(head), console);
  }
  return conclude(outcome, request.document, options.as_json);
}

ExitCode resume(const RunOptions& options) {
  RunOutcome outcome;
  {
    ProgressConsole console(stderr);
    outcome = resume_run(options.resume, console);
  }
  return conclude(outcome, std::filesystem::path(options.resume).replace_extension(".json"), options.as_json);
}

}  // namespace

void add_run_command(CommandLine& line, const Context& context) {
  CLI::App* const command = line.app->add_subcommand("run", "Measure this machine and write a result document");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("--device", options->device, "auto, or a device of `warpmark list devices`")->type_name("ID")->capture_default_str();
  command->add_option("--suite", options->suite, "quick, standard, full, or a file of your own")->type_name("NAME|FILE.json")->capture_default_str();
  command->add_option("--filter", options->filter, "Only cases whose id matches (ECMAScript, searched)")->type_name("REGEX");
  command->add_option("--repeats", options->repeats, "Worker processes per case; the suite says otherwise")->type_name("N")->check(CLI::Range(1, 1000));
  command->add_option("--seed", options->seed, "Order of the cases; random otherwise, and recorded")->type_name("N")->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53));
  command->add_option("--case-timeout", options->case_timeout, "Seconds after which a case counts as hung; from its protocol otherwise")->type_name("SECONDS")->check(CLI::PositiveNumber);
  command->add_option("--out", options->out, "Folder for the result, or the file itself")->type_name("DIR|FILE.json")->capture_default_str();
  command->add_option("--resume", options->resume, "Continue the journal of a run that ended early")->type_name("JOURNAL.jsonl");
  command->add_option("--label", options->labels, "A fact to keep with the result; may be given again")->type_name("KEY=VALUE");
  command->add_flag("--dry-run", options->dry_run, "Show what would be measured");
  command->add_flag("--json", options->as_json, "The document on standard output instead of the table");
  line.actions[command] = [options, &context] { return options->resume.empty() ? start(*options, context) : resume(*options); };
}

}  // namespace warpmark
