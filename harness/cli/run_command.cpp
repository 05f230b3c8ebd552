// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "harness/cli/bands_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/device_choice.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/output.h"
#include "harness/cli/progress_console.h"
#include "harness/cli/result_path.h"
#include "harness/cli/run_summary.h"
#include "harness/cli/suites.h"
#include "harness/cli/text_layout.h"
#include "harness/cli/usage_error.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/run/device_json.h"
#include "harness/run/plan_estimate.h"
#include "harness/run/run_facts.h"
#include "harness/run/supervisor.h"
#include "harness/run/time_budget.h"
#include "harness/store/json_text.h"
#include "harness/telemetry/gpus.h"
#include "harness/telemetry/machine.h"

namespace warpmark {
namespace {

using nlohmann::json;

struct RunOptions {
  SuiteOptions what{.device = "auto"};
  std::string regime = "burst";
  int repeats = 0;  // 0: as the suite says
  std::uint64_t seed = 0;
  double case_timeout = 0;
  double time_budget = 0;  // seconds; 0: as long as it takes
  std::chrono::steady_clock::time_point called = std::chrono::steady_clock::now();
  std::string out = ".";
  std::string resume{};
  std::vector<std::string> labels{};
  std::string color = "auto";
  std::string bands{};
  bool dry_run = false;
  bool as_json = false;
  bool all = false;
};

TimeLimit limit_of(const RunOptions& options) {
  TimeLimit limit{.began = options.called};
  if (options.time_budget > 0) limit.seconds = options.time_budget;
  return limit;
}

/// Everything that is settled before the first case starts.
struct Prepared {
  RunRequest request{};
  Suite suite{};
  RunFacts facts{};
  ChosenDevice chosen{};
  std::vector<PlannedCase> cases{};
};

/// As the suite has it, in the regime of this run.
Protocol protocol_of(const Prepared& run) { return protocol_in(run.request.regime, run.suite.protocol); }

/// In the order of cost: what can be refused without a device is refused before one is opened.
Prepared prepare(const RunOptions& options, const Settings& settings, const Context& context) {
  Prepared run;
  run.request.suite_text = settings.blaming({"suite"}, [&] { return suite_text(context, options.what.suite); });
  run.suite = settings.blaming({"suite"}, [&] { return parse_suite(run.request.suite_text, options.what.suite); });
  run.facts = {.id = new_run_id(),
               .command = context.command_line,
               .labels = settings.blaming({"label"}, [&] { return pairs_of(options.labels); }),
               .options = settings.effective()};
  run.request.document = settings.blaming({"out"}, [&] { return result_path(options.out, run.facts.id); });
  run.request.filter = options.what.filter;
  run.request.regime = run.facts.regime = regime_named(options.regime).value_or(Regime::burst);
  run.request.repeats = run.facts.repeats = options.repeats > 0 ? options.repeats : run.suite.repeats;
  run.request.seed = run.facts.seed = options.seed > 0 ? options.seed : new_seed();
  if (options.case_timeout > 0) run.request.case_timeout = options.case_timeout;
  run.request.limit = limit_of(options);
  run.chosen = settings.blaming({"device"}, [&] {
    const Probed probed = devices_for(options.what.device, !options.dry_run, run.request.limit.seconds);
    return choose_device(options.what.device, probed, find_nvidia(FileRoot()));
  });
  run.facts.device_problem = run.chosen.problem;
  run.cases = settings.blaming({"suite", "filter"}, [&] {
    return plan_cases(run.suite, run.request.filter, run.chosen.device, run.request.regime);
  });
  settings.blaming({"suite", "repeats"}, [&] { expect_few_enough(run.cases, run.request.repeats); });
  return run;
}

/// What --time-budget would leave out, as far as it can be told before anything is measured.
std::vector<MeasurementKey> dropped(const Prepared& run) {
  const TimeLimit& limit = run.request.limit;
  std::vector<MeasurementKey> keys = measurements_of(run.cases, run.request.repeats);
  if (!limit.seconds) return {};
  const TimeBudget budget(limit, run.cases, run.request.repeats, protocol_of(run), run.chosen.device);
  const std::set<MeasurementKey> kept = budget.affordable([](const MeasurementKey&) { return false; });
  std::erase_if(keys, [&kept](const MeasurementKey& key) { return kept.contains(key); });
  return keys;
}

ExitCode show_plan(const Prepared& run, bool as_json) {
  const PlanSeconds seconds = estimate(run.cases, run.request.repeats, protocol_of(run), run.chosen.device);
  const std::vector<MeasurementKey> out = dropped(run);
  if (as_json) {
    json plan{{"cases", json::array()},
              {"repeats", run.request.repeats},
              {"seconds", {{"least", seconds.least}, {"most", seconds.most}}},
              {"dropped", json::array()},
              {"options", run.facts.options}};
    for (const auto& [id, repeat] : out) plan["dropped"].push_back({{"id", id}, {"repeat", repeat}});
    for (const PlannedCase& planned : run.cases) plan["cases"].push_back(planned.id);
    put(plan.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    return ExitCode::done;
  }
  for (const PlannedCase& planned : run.cases) put(planned.id + "\n");
  const auto once = static_cast<std::size_t>(
      std::count_if(run.cases.begin(), run.cases.end(), [](const PlannedCase& planned) { return planned.once; }));
  put(fmt::format("{}, {} each{}: {} on {}\n", counted(run.cases.size(), "case"),
                  counted(static_cast<std::size_t>(run.request.repeats), "repeat"),
                  once > 0 ? fmt::format(" ({} of them once)", once) : "", about(seconds), run.chosen.device.id));
  if (!out.empty())
    put(fmt::format("{} of {} would be dropped to end within --time-budget {}\n", out.size(),
                    counted(measurements_of(run.cases, run.request.repeats).size(), "measurement"),
                    format_seconds(*run.request.limit.seconds)));
  return ExitCode::done;
}

/// As a shell takes it, where it may have blanks.
std::string quoted(const std::filesystem::path& path) {
  const std::string text = one_line(path.string());
  const bool is_plain = text.find_first_of(" \t'\"\\$`;&|<>()*?[]#~!") == std::string::npos;
  return is_plain ? text : "'" + text + "'";
}

/// A command that a shell can take: as this program was called, and a path that may have blanks.
std::string report_command(const Context& context, const std::filesystem::path& document, const std::string& bands) {
  return fmt::format("{} report {}{}", one_line(context.command_line.front()), quoted(document),
                     bands.empty() ? "" : " --bands " + quoted(std::filesystem::path(bands)));
}

ExitCode conclude(const RunOutcome& outcome, const std::filesystem::path& document, const RunOptions& options,
                  const BandTable& bands, const Context& context) {
  const Terminal terminal(stdout);
  if (options.as_json) {
    terminal.write(line_of(to_json(outcome.document)) + "\n");
  } else {
    if (const json problem = outcome.document.run.value("device_problem", json(nullptr)); problem.is_string())
      terminal.write(terminal.inked("device: " + one_line(problem.get<std::string>()), Ink::bad) + "\n");
    const bool is_saved = outcome.problem.empty();
    terminal.write(run_summary(outcome.document,
                               {.all = options.all,
                                .columns = width_of(terminal),
                                .report = is_saved ? report_command(context, document, options.bands) : "",
                                .bands = &bands},
                               terminal));
    if (is_saved) terminal.write(fmt::format("result  {}\n", one_line(document.string())));
  }
  if (!outcome.unended.empty() && outcome.unfinished.find(outcome.unended) == std::string::npos)
    complain(outcome.unended);
  if (!outcome.problem.empty())
    complain(outcome.problem);
  else if (outcome.journal_kept)
    complain(fmt::format("{}: everything measured is saved; continue with: warpmark run --resume {}",
                         outcome.unfinished, quoted(journal_of(document))));
  else if (!outcome.unfinished.empty())
    complain(outcome.unfinished);
  return outcome.exit_code;
}

ExitCode start(const RunOptions& options, const Settings& settings, const Context& context) {
  // A wrong line in it is no reason to lose a run that was measured.
  const BandTable bands = settings.blaming({"bands"}, [&] { return bands_of(options.bands); });
  const Prepared run = prepare(options, settings, context);
  if (options.dry_run) return show_plan(run, options.as_json);
  make_folder_of(run.request.document);
  if (!run.chosen.problem.empty()) complain(run.chosen.problem);
  const auto host = run.facts.labels.find("host");
  SamplerClient sampler;
  json machine = machine_card(FileRoot(), {.host_label = host == run.facts.labels.end() ? "" : host->second,
                                           .driver = driver_by_nvml(sampler.card())});
  add_nvml(machine, sampler.card());
  json head{{"run", run_facts(run.facts, run.suite, run.cases)},
            {"machine", std::move(machine)},
            {"devices", json::array({to_json(run.chosen.device)})}};
  RunOutcome outcome;
  {
    ProgressConsole console(stderr);
    outcome = start_run(run.request, std::move(head), console, sampler);
  }
  return conclude(outcome, run.request.document, options, bands, context);
}

ExitCode resume(const RunOptions& options, const Settings& settings, const Context& context) {
  const BandTable bands = settings.blaming({"bands"}, [&] { return bands_of(options.bands); });
  expect_journal(options.resume);
  RunOutcome outcome;
  {
    ProgressConsole console(stderr);
    outcome = resume_run(options.resume, limit_of(options), console);
  }
  tell_other_bands(outcome.document.run, options.bands);
  return conclude(outcome, document_of(options.resume), options, bands, context);
}

void add_how(CommandLine& line, CLI::App& command, RunOptions& options) {
  CLI::Option* const regime =
      command
          .add_option("--regime", options.regime,
                      "How the device is kept: burst, steady (each case warmed for 5 to 15 s), or locked (at a clock "
                      "that somebody fixed)")
          ->type_name("REGIME")
          ->capture_default_str();
  offer_one_of(line, *regime, "regime", {"burst", "steady", "locked"});
  command.add_option("--repeats", options.repeats, "Worker processes per case (otherwise as the suite says)")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  command.add_option("--seed", options.seed, "Order of the cases (otherwise random; recorded)")
      ->type_name("N")
      ->check(whole_number(1, (std::uint64_t{1} << 53) - 1));
  command.add_option("--case-timeout", options.case_timeout, "When a case counts as hung (otherwise by its protocol)")
      ->type_name("TIME")
      ->transform(duration_in_seconds());
  command
      .add_option("--time-budget", options.time_budget,
                  "End by then, and drop the least important measurements that do not fit: 90, 90s, 5m, 1h")
      ->type_name("TIME")
      ->transform(duration_in_seconds());
  add_bands_option(line, command, options.bands);
  CLI::Option* const color =
      command.add_option("--color", options.color, "Colours: auto (on a terminal), always or never")
          ->type_name("WHEN")
          ->capture_default_str();
  offer_one_of(line, *color, "mode", {"auto", "always", "never"});
}

void add_where(CommandLine& line, CLI::App& command, RunOptions& options) {
  CLI::Option* const out =
      command.add_option("--out", options.out, "Folder for the result (made where it is missing), or the file itself")
          ->type_name("DIR|FILE.json")
          ->capture_default_str()
          ->check(not_empty("a folder or a file"));
  line.offers[out] = {.paths = Offer::Paths::files};
  command.add_option("--label", options.labels, "A fact to keep with the result; may be given again")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(key_value());
}

/// What is said about one call, and no setting.
void add_acts(CommandLine& line, CLI::App& command, RunOptions& options) {
  CLI::Option* const resume =
      command.add_option("--resume", options.resume, "Continue the journal of a run that ended early");
  resume->type_name("JOURNAL.jsonl")->configurable(false)->check(not_empty("a journal"));
  line.offers[resume] = {.paths = Offer::Paths::files};
  CLI::Option* const dry_run =
      command.add_flag("--dry-run", options.dry_run, "Show what would be measured")->configurable(false);
  // The journal knows all that these decide.
  for (const char* name :
       {"--device", "--suite", "--filter", "--regime", "--repeats", "--seed", "--case-timeout", "--out", "--label"})
    resume->excludes(command.get_option(name));
  resume->excludes(dry_run);
  CLI::Option* const all =
      command.add_flag("--all", options.all, "Every case in the table, however many")->configurable(false);
  CLI::Option* const as_json =
      command.add_flag("--json", options.as_json, "The document on standard output instead of the table");
  as_json->configurable(false)->excludes(all);
}

Colour colour_named(const std::string& name) {
  return name == "always" ? Colour::always : name == "never" ? Colour::never : Colour::automatic;
}

}  // namespace

void add_run_command(CommandLine& line, const Context& context) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* const command = add_command(line, "run", [options, &context](const Settings& settings) {
    choose_colour(colour_named(options->color));
    return options->resume.empty() ? start(*options, settings, context) : resume(*options, settings, context);
  });
  add_suite_options(line, *command, options->what, context);
  add_how(line, *command, *options);
  add_where(line, *command, *options);
  add_acts(line, *command, *options);
}

}  // namespace warpmark
