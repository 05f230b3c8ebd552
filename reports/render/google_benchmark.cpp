// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/summary/summary.h"
#include "reports/render/facts.h"
#include "reports/render/report.h"
#include "reports/render/template.h"

namespace warpmark {
namespace {

using nlohmann::ordered_json;  // what a reader looks for comes first

/// A number from outside may be larger than any integer.
ordered_json whole_or_null(double number) {
  constexpr double most = 9007199254740991;  // 2^53 - 1
  return std::isfinite(number) && number <= most ? ordered_json(static_cast<std::int64_t>(number))
                                                 : ordered_json(nullptr);
}

ordered_json context_of(std::span<const Document> documents, const ReportOptions& options) {
  ordered_json context{
      {"executable", "warpmark"}, {"caches", ordered_json::array()}, {"load_avg", ordered_json::array()}};
  context["warpmark_entry"] =
      "one entry per repeat, which is a process of its own; real_time is the median of its samples";
  context["warpmark_cpu_time"] = "not measured: cpu_time holds real_time";
  context["files"] = options.sources;
  if (documents.empty()) return context;
  const Document& first = documents.front();
  context["date"] = text_at(first.run, "/started_at").value_or("");
  context["host_name"] = text_at(first.machine, "/host/name").value_or("");
  context["library_build_type"] = text_at(first.run, "/build/type").value_or("") == "Debug" ? "debug" : "release";
  context["warpmark_version"] = text_at(first.run, "/version").value_or("");
  const double threads = positive_at(first.machine, "/cpu/threads");
  const double clock = positive_at(first.devices, "/0/max_clock_hz");
  context["num_cpus"] = whole_or_null(threads);
  context["mhz_per_cpu"] = whole_or_null(clock / 1e6);
  context["cpu_scaling_enabled"] = nullptr;
  return context;
}

/// compare.py takes all entries of a name as one sample of its U test and demands one time unit for them.
ordered_json entry_of(const Record& record, std::size_t family) {
  const double nanoseconds = record.stats->median * 1e9;
  ordered_json entry{
      {"name", record.id},
      {"family_index", family},
      {"per_family_instance_index", 0},
      {"run_name", record.id},
      {"run_type", "iteration"},
      {"threads", 1},
      {"iterations", whole_or_null(static_cast<double>(record.stats->n) * static_cast<double>(record.samples.batch))},
      {"real_time", nanoseconds},
      {"cpu_time", nanoseconds},
      {"time_unit", "ns"}};
  for (const Metric& metric : record.metrics)
    if (!entry.contains(metric.name)) entry[metric.name] = metric.value;
  return entry;
}

}  // namespace

std::string google_benchmark_report(std::span<const Document> documents, const ReportOptions& options) {
  std::map<std::string, std::vector<const Record*>> repeats;
  std::vector<const std::string*> order;
  for (const Document& document : documents) {
    for (const Record& record : document.records) {
      if (!usable(record) || !record.stats || !std::isfinite(record.stats->median)) continue;
      const auto [entry, is_new] = repeats.try_emplace(record.id);
      if (is_new) order.push_back(&entry->first);
      entry->second.push_back(&record);
    }
  }
  ordered_json entries = ordered_json::array();
  for (std::size_t family = 0; family < order.size(); ++family) {
    const std::vector<const Record*>& records = repeats.at(*order[family]);
    for (std::size_t i = 0; i < records.size(); ++i) {
      ordered_json entry = entry_of(*records[i], family);
      entry["repetitions"] = records.size();
      entry["repetition_index"] = i;
      entries.push_back(std::move(entry));
    }
  }
  const ordered_json report{{"context", context_of(documents, options)}, {"benchmarks", std::move(entries)}};
  return report.dump(2, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace warpmark
