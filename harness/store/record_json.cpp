// SPDX-License-Identifier: Apache-2.0
// A record to JSON and back. JSON has no NaN: what is not finite is written null, and read as NaN or as no value.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "harness/store/document.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// A word that no enumerator has; the schema names those there are.
class UnknownWord : public json::exception {
 public:
  explicit UnknownWord(const std::string& what) : exception(501, what.c_str()) {}
};

json written(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }
json written(const std::optional<double>& value) { return value ? written(*value) : json(nullptr); }

json written(const std::vector<double>& values) {
  json array = json::array();
  array.get_ref<json::array_t&>().reserve(values.size());
  for (const double value : values) array.push_back(written(value));
  return array;
}

void read(const json& from, double& to) {
  to = from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
}

void read(const json& from, std::optional<double>& to) {
  to = from.is_null() ? std::nullopt : std::optional<double>(from.get<double>());
}

void read(const json& from, std::vector<double>& to) {
  to.clear();
  to.reserve(from.size());
  for (const json& value : from) read(value, to.emplace_back());
}

template <class T>
void read(const json& from, T& to) {
  from.get_to(to);
}

template <class Enum, std::size_t count>
Enum enum_named(const std::array<Enum, count>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](Enum each) { return name_of(each) == name; });
  if (found == all.end()) throw UnknownWord("unknown word " + name);
  return *found;
}

/// The members that are a number or a list of them, by their key: one table for both directions.
template <class Visit>
void visit_members(Samples& s, Visit&& visit) {
  visit("seconds", s.seconds);
  visit("at", s.at);
  visit("clock_hz", s.clock_hz);
  visit("probe", s.probe);
  visit("warmup", s.warmup);
}

template <class Visit>
void visit_members(Summary& s, Visit&& visit) {
  visit("median", s.median);
  visit("min", s.min);
  visit("max", s.max);
  visit("p5", s.p5);
  visit("p25", s.p25);
  visit("p75", s.p75);
  visit("p95", s.p95);
  visit("p99", s.p99);
  visit("mad", s.mad);
  visit("drift", s.drift);
  visit("lag1", s.lag1);
  visit("ci_low", s.ci_low);
  visit("ci_high", s.ci_high);
}

template <class Visit>
void visit_members(Work& w, Visit&& visit) {
  visit("bytes_read", w.bytes_read);
  visit("bytes_written", w.bytes_written);
  visit("flops", w.flops);
  visit("steps", w.steps);
}

template <class Visit>
void visit_members(Metric& m, Visit&& visit) {
  visit("value", m.value);
  visit("ceiling", m.ceiling);
  visit("of_ceiling", m.of_ceiling);
  visit("of_ceiling_at_clock", m.of_ceiling_at_clock);
}

template <class T>
json members_of(T from) {
  json to = json::object();
  visit_members(from, [&](const char* key, const auto& member) { to[key] = written(member); });
  return to;
}

template <class T>
T members_from(const json& from) {
  T to;
  visit_members(to, [&](const char* key, auto& member) { read(from.at(key), member); });
  return to;
}

json params_of(const Case& at) {
  json params{{"variant", at.kernel.variant}, {"dtype", name_of(at.kernel.dtype)}};
  for (const auto& [axis, value] : at.at)
    std::visit([&, key = axis](const auto& plain) { params[key] = plain; }, value);
  return params;
}

AxisValue axis_value_from(const json& from) {
  if (from.is_string()) return from.get<std::string>();
  return from.get<std::int64_t>();
}

Case case_from(const json& from) {
  constexpr std::array dtypes{DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3,
                              DType::i8,  DType::i32, DType::u64, DType::u8};
  constexpr std::array modes{Mode::isolated, Mode::batch};
  const auto device = from.at("device").get<std::string>();
  const auto id = from.at("id").get<std::string>();
  const json& params = from.at("params");
  Case at;
  at.kernel.backend = device.substr(0, device.find(':'));
  at.kernel.variant = params.at("variant").get<std::string>();
  at.kernel.dtype = enum_named(dtypes, params.at("dtype").get<std::string>());
  at.mode = enum_named(modes, from.at("mode").get<std::string>());
  for (const auto& [key, value] : params.items())
    if (key != "variant" && key != "dtype") at.at.emplace_back(key, axis_value_from(value));
  // JSON objects have no order; the id keeps the benchmark's.
  std::stable_sort(at.at.begin(), at.at.end(), [&](const auto& a, const auto& b) {
    return id.find("/" + a.first + "=") < id.find("/" + b.first + "=");
  });
  return at;
}

/// Few benchmarks count steps; the others do not mention them.
json json_of(const Work& work) {
  json to = members_of(work);
  if (work.steps == 0) to.erase("steps");
  return to;
}

Work work_from(json from) {
  from.emplace("steps", 0);
  return members_from<Work>(from);
}

json json_of(const Metric& metric) {
  json to = members_of(metric);
  to["name"] = metric.name;
  to["unit"] = metric.unit;
  to["better"] = name_of(metric.better);
  to["gate"] = metric.gate;
  to["ceiling_source"] = metric.ceiling_source;
  return to;
}

Metric metric_from(const json& from) {
  auto to = members_from<Metric>(from);
  read(from.at("name"), to.name);
  read(from.at("unit"), to.unit);
  to.better = enum_named(std::array{Better::higher, Better::lower}, from.at("better").get<std::string>());
  read(from.at("gate"), to.gate);
  read(from.at("ceiling_source"), to.ceiling_source);
  return to;
}

json json_of(const Samples& samples) {
  json to = members_of(samples);
  to["batch"] = samples.batch;
  return to;
}

json pair_of(const std::array<double, 2>& pair) { return {written(pair[0]), written(pair[1])}; }

std::array<double, 2> pair_from(const json& from) {
  std::array<double, 2> to{};
  read(from.at(0), to[0]);
  read(from.at(1), to[1]);
  return to;
}

json json_of(const std::optional<Modes>& modes) {
  if (!modes) return nullptr;
  return {{"levels", pair_of(modes->levels)}, {"shares", pair_of(modes->shares)}, {"switches", modes->switches}};
}

json json_of(const Course& course) {
  return {{"first_until", written(course.first_until)},
          {"steady_from", written(course.steady_from)},
          {"settled_at", written(course.settled_at)}};
}

json json_of(const std::optional<Summary>& stats) {
  if (!stats) return nullptr;
  json to = members_of(*stats);
  to["n"] = stats->n;
  to["p999"] = written(stats->p999);
  to["modes"] = json_of(stats->modes);
  return to;
}

Summary summary_from(const json& from) {
  auto to = members_from<Summary>(from);
  read(from.at("n"), to.n);
  // Documents of the first versions of the program have no modes, no p999 and no telemetry.
  if (const auto p999 = from.find("p999"); p999 != from.end()) read(*p999, to.p999);
  if (const auto modes = from.find("modes"); modes != from.end() && !modes->is_null())
    to.modes = Modes{.levels = pair_from(modes->at("levels")),
                     .shares = pair_from(modes->at("shares")),
                     .switches = modes->at("switches").get<std::int64_t>()};
  return to;
}

json json_of(const std::optional<Verdict>& verdict) {
  if (!verdict) return nullptr;
  return {{"error", written(verdict->error)}, {"allowed", written(verdict->allowed)}, {"ok", verdict->ok()}};
}

/// Documents of the first versions of the program do not have them.
void read_wall_times(const json& from, Record& to) {
  const auto read_any = [&from](const char* name, double& value) {
    if (const auto found = from.find(name); found != from.end()) read(*found, value);
  };
  read_any("warmup_seconds", to.warmup_seconds);
  read_any("sampling_seconds", to.sampling_seconds);
  read_any("verification_seconds", to.verification_seconds);
}

/// Only cases that ran for a given time have one; documents of earlier versions have none.
std::optional<Course> course_from(const json& record) {
  const auto from = record.find("course");
  if (from == record.end()) return std::nullopt;
  Course to;
  read(from->at("first_until"), to.first_until);
  read(from->at("steady_from"), to.steady_from);
  read(from->at("settled_at"), to.settled_at);
  return to;
}

void read_measured(const json& from, Record& to) {
  to.work = work_from(from.at("work"));
  for (const json& metric : from.at("metrics")) to.metrics.push_back(metric_from(metric));
  to.samples = members_from<Samples>(from.at("samples"));
  read(from.at("samples").at("batch"), to.samples.batch);
  if (const json& stats = from.at("stats"); !stats.is_null()) to.stats = summary_from(stats);
  to.course = course_from(from);
  if (const json& verdict = from.at("verification"); !verdict.is_null()) {
    to.verification.emplace();
    read(verdict.at("error"), to.verification->error);
    read(verdict.at("allowed"), to.verification->allowed);
  }
}

}  // namespace

json to_json(const Record& record) {
  json metrics = json::array();
  for (const Metric& metric : record.metrics) metrics.push_back(json_of(metric));
  json to{{"id", record.id},
          {"benchmark", record.benchmark},
          {"device", record.device},
          {"params", params_of(record.at)},
          {"mode", name_of(record.at.mode)},
          {"regime", record.regime},
          {"repeat", record.repeat},
          {"method", record.method},
          {"status", name_of(record.status)},
          {"why", record.why},
          {"work", json_of(record.work)},
          {"metrics", std::move(metrics)},
          {"samples", json_of(record.samples)},
          {"stats", json_of(record.stats)},
          {"verification", json_of(record.verification)},
          {"about", record.about},
          {"data", record.data},
          {"telemetry", record.telemetry},
          {"setup_seconds", written(record.setup_seconds)},
          {"warmup_seconds", written(record.warmup_seconds)},
          {"sampling_seconds", written(record.sampling_seconds)},
          {"verification_seconds", written(record.verification_seconds)},
          {"started_at", record.started_at}};
  if (record.course) to["course"] = json_of(*record.course);
  return to;
}

Record record_from_json(const json& from) {
  Record to;
  read(from.at("id"), to.id);
  read(from.at("benchmark"), to.benchmark);
  read(from.at("device"), to.device);
  to.at = case_from(from);
  read(from.at("regime"), to.regime);
  read(from.at("repeat"), to.repeat);
  read(from.at("method"), to.method);
  const auto status = from.at("status").get<std::string>();
  if (!status_named(status)) throw UnknownWord("unknown status " + status);
  to.status = *status_named(status);
  read(from.at("why"), to.why);
  read_measured(from, to);
  to.about = from.at("about");
  to.data = from.at("data");
  if (const auto telemetry = from.find("telemetry"); telemetry != from.end()) to.telemetry = *telemetry;
  read(from.at("setup_seconds"), to.setup_seconds);
  read_wall_times(from, to);
  read(from.at("started_at"), to.started_at);
  return to;
}

}  // namespace warpmark
