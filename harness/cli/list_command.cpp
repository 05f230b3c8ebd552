// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "harness/cli/commands.h"
#include "harness/cli/device_choice.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/output.h"
#include "harness/cli/terminal.h"
#include "harness/cli/text_layout.h"
#include "harness/cli/usage_error.h"
#include "harness/core/benchmark.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/run/device_json.h"
#include "harness/store/json_text.h"
#include "harness/store/suite.h"
#include "harness/telemetry/nvidia_presence.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// What a line of a listing says, by kind of it.
struct Detail {
  std::string kind{};
  std::string text{};
};

/// A line of a listing: its name, its explanation, and the same as JSON.
struct Entry {
  std::string name{};
  std::string about{};
  std::vector<Detail> details{};  // entries of their own below
  json facts = json::object();
};

struct Listed {
  std::vector<Entry> entries{};
  ExitCode code = ExitCode::done;
};

json axes_json(const Benchmark& benchmark) {
  json axes = json::object();
  for (const Axis& axis : benchmark.axes) {
    json& values = axes[axis.name] = json::array();
    for (const AxisValue& value : axis.values) std::visit([&](const auto& v) { values.push_back(v); }, value);
  }
  return axes;
}

/// By backend: "nt f32 f64, plain f32 f64".
std::vector<Detail> kernel_details(const std::vector<KernelId>& ids) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> types;  // by backend and variant
  for (const KernelId& id : ids) types[id.backend][id.variant].emplace_back(name_of(id.dtype));
  std::vector<Detail> details;
  for (const auto& [backend, variants] : types) {
    std::vector<std::string> parts;
    for (const auto& [variant, names] : variants) parts.push_back(fmt::format("{} {}", variant, fmt::join(names, " ")));
    details.push_back({.kind = backend + ":", .text = fmt::format("{}", fmt::join(parts, ", "))});
  }
  return details;
}

Listed list_benchmarks(const Context& /*context*/) {
  std::vector<Entry> entries;
  for (const Benchmark& benchmark : benchmarks()) {
    Entry& entry = entries.emplace_back(Entry{.name = benchmark.name, .about = benchmark.about});
    json kernels = json::array();
    for (const KernelId& id : benchmark.kernels.ids())
      kernels.push_back({{"backend", id.backend}, {"variant", id.variant}, {"dtype", name_of(id.dtype)}});
    entry.details = kernel_details(benchmark.kernels.ids());
    entry.facts = {{"name", benchmark.name},
                   {"about", benchmark.about},
                   {"axes", axes_json(benchmark)},
                   {"kernels", kernels},
                   {"metric", {{"name", benchmark.rate.name}, {"unit", benchmark.rate.unit}}},
                   {"method", benchmark.method},
                   {"quiet", benchmark.quiet}};
  }
  return {.entries = std::move(entries)};
}

Listed list_devices(const Context& /*context*/) {
  std::vector<Entry> entries;
  const Probed probed = all_devices();
  const std::vector<std::string> unusable = unusable_devices(probed, find_nvidia(FileRoot()));
  for (const std::string& line : unusable) complain(line);
  for (const DeviceInfo& device : probed.devices)
    entries.push_back(Entry{
        .name = device.id,
        .about = fmt::format("{}, {} {}s, {} of memory, last-level cache {}", printable(device.name), device.units,
                             unit_name(device.backend), format_bytes(static_cast<double>(device.memory_bytes)),
                             format_bytes(static_cast<double>(device.last_level_cache_bytes))),
        .facts = to_json(device)});
  return {.entries = std::move(entries), .code = unusable.empty() ? ExitCode::done : ExitCode::device};
}

Listed list_suites(const Context& context) {
  std::vector<Entry> entries;
  for (const embedded::File& file : context.suites) {
    const Suite suite = parse_suite(file.text, file.name);
    entries.push_back(Entry{.name = suite.name, .about = suite.about, .facts = json::parse(file.text)});
  }
  return {.entries = std::move(entries)};
}

std::string units_text(const Rate& rate) {
  const std::string_view of_integers = unit_of(rate, DType::i8);
  return of_integers == rate.unit ? std::string(rate.unit) : fmt::format("{}, {} of integers", rate.unit, of_integers);
}

Listed list_metrics(const Context& /*context*/) {
  std::vector<Entry> entries;
  std::set<std::string_view> seen;
  for (const Benchmark& benchmark : benchmarks()) {
    const Rate& rate = benchmark.rate;
    if (!seen.insert(rate.name).second) continue;
    entries.push_back(Entry{.name = std::string(rate.name),
                            .about = fmt::format("{}, {} is better", units_text(rate), name_of(rate.better)),
                            .facts = {{"name", rate.name}, {"unit", rate.unit}, {"better", name_of(rate.better)}}});
  }
  return {.entries = std::move(entries)};
}

void show_json(const std::vector<Entry>& entries) {
  json all = json::array();
  for (const Entry& entry : entries) all.push_back(entry.facts);
  put(all.dump(2, ' ', true, json::error_handler_t::replace) + "\n");
}

/// Wrapped for people; one line each for what reads lines.
void show(const std::vector<Entry>& entries) {
  constexpr std::size_t least_text = 28;  // beside the names; where there is less room it goes below them
  constexpr std::size_t kind_width = 6;
  const Terminal terminal(stdout);
  Columns columns{.label = 0, .text = 0, .end = terminal.interactive() ? terminal.columns() : std::string::npos};
  for (const Entry& one : entries) columns.text = std::max(columns.text, one.name.size() + 2);
  if (columns.end < columns.text + least_text) columns.text = 4;
  for (const Entry& one : entries) {
    put(entry(one.name, one.about, columns));
    for (const auto& [kind, text] : one.details)
      put(entry(kind, text, {.label = columns.text, .text = columns.text + kind_width, .end = columns.end}));
  }
}

struct Listing {
  const char* name = nullptr;
  Listed (*entries)(const Context& context) = nullptr;
};

constexpr std::array listings{Listing{"benchmarks", list_benchmarks}, Listing{"devices", list_devices},
                              Listing{"suites", list_suites}, Listing{"metrics", list_metrics}};

}  // namespace

void add_list_command(CommandLine& line, const Context& context) {
  const auto what = std::make_shared<std::string>();
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* const command = add_command(line, "list", [what, as_json, &context](const Settings&) {
    const auto* const listing =
        std::find_if(listings.begin(), listings.end(), [&](const Listing& l) { return l.name == *what; });
    const Listed listed = listing->entries(context);
    *as_json ? show_json(listed.entries) : show(listed.entries);
    return listed.code;
  });
  std::vector<std::string> names;
  for (const Listing& listing : listings) names.emplace_back(listing.name);
  CLI::Option* const place = command->add_option("WHAT", *what, "benchmarks, devices, suites or metrics")->required();
  offer_one_of(line, *place, "list of", names);
  command->add_flag("--json", *as_json, "As JSON")->configurable(false);
}

}  // namespace warpmark
