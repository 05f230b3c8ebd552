// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/core/benchmark.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/run/device_json.h"
#include "harness/run/probe.h"
#include "harness/store/json_text.h"
#include "harness/store/suite.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// A line of a listing: its name, its explanation, and the same as JSON.
struct Entry {
  std::string name{};
  std::string about{};
  json facts = json::object();
};

std::vector<Entry> list_benchmarks() {
  std::vector<Entry> entries;
  for (const Benchmark& benchmark : benchmarks()) {
    Entry& entry = entries.emplace_back(Entry{.name = benchmark.name, .about = benchmark.about});
    json axes = json::object();
    for (const Axis& axis : benchmark.axes) {
      axes[axis.name] = json::array();
      for (const AxisValue& value : axis.values) std::visit([&](const auto& v) { axes[axis.name].push_back(v); }, value);
    }
    json kernels = json::array();
    for (const KernelId& id : benchmark.kernels.ids()) {
      kernels.push_back({{"backend", id.backend}, {"variant", id.variant}, {"dtype", name_of(id.dtype)}});
      entry.about += fmt::format("\n    {} {} {}", id.backend, id.variant, name_of(id.dtype));
    }
    entry.facts = {{"name", benchmark.name}, {"about", benchmark.about}, {"axes", axes}, {"kernels", kernels},
                   {"metric", {{"name", benchmark.rate.name}, {"unit", benchmark.rate.unit}}}, {"method", benchmark.method}, {"quiet", benchmark.quiet}};
  }
  return entries;
}

std::vector<Entry> list_devices() {
  std::vector<Entry> entries;
  const Probed probed = probe_devices(false);
  if (!probed.problem.empty()) fmt::print(stderr, "warpmark: {}\n", probed.problem);
  for (const DeviceInfo& device : probed.devices)
    entries.push_back(Entry{.name = device.id,
                            .about = fmt::format("{}, {} cores, {} of memory free, last-level cache {}", printable(device.name), device.units,
                                                 format_bytes(static_cast<double>(device.memory_bytes)),
                                                 format_bytes(static_cast<double>(device.last_level_cache_bytes))),
                            .facts = to_json(device)});
  return entries;
}

std::vector<Entry> list_suites(const Context& context) {
  std::vector<Entry> entries;
  for (const embedded::File& file : context.suites) {
    const Suite suite = parse_suite(file.text, file.name);
    entries.push_back(Entry{.name = suite.name, .about = suite.about, .facts = json::parse(file.text)});
  }
  return entries;
}

std::vector<Entry> list_metrics() {
  std::vector<Entry> entries;
  std::set<std::string_view> seen;
  for (const Benchmark& benchmark : benchmarks()) {
    if (!seen.insert(benchmark.rate.name).second) continue;
    entries.push_back(Entry{.name = std::string(benchmark.rate.name), .about = fmt::format("{}, higher is better", benchmark.rate.unit),
                            .facts = {{"name", benchmark.rate.name}, {"unit", benchmark.rate.unit}, {"better", "higher"}}});
  }
  return entries;
}

ExitCode show(const std::vector<Entry>& entries, bool as_json) {
  if (as_json) {
    json all = json::array();
    for (const Entry& entry : entries) all.push_back(entry.facts);
    fmt::print("{}\n", all.dump(2, ' ', false, json::error_handler_t::replace));
    return ExitCode::done;
  }
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  for (const Entry& entry : entries) fmt::print("{:<{}}  {}\n", entry.name, width, entry.about);
  return ExitCode::done;
}

}  // namespace

void add_list_command(CommandLine& line, const Context& context) {
  CLI::App* const command = line.app->add_subcommand("list", "Show what there is to measure, and with what");
  const auto what = std::make_shared<std::string>();
  const auto as_json = std::make_shared<bool>(false);
  command->add_option("what", *what, "benchmarks, devices, suites or metrics")->required()->check(CLI::IsMember({"benchmarks", "devices", "suites", "metrics"}));
  command->add_flag("--json", *as_json, "As JSON");
  line.actions[command] = [what, as_json, &context] {
    if (*what == "benchmarks") return show(list_benchmarks(), *as_json);
    if (*what == "devices") return show(list_devices(), *as_json);
    if (*what == "suites") return show(list_suites(context), *as_json);
    return show(list_metrics(), *as_json);
  };
}

}  // namespace warpmark
