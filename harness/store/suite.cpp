// SPDX-License-Identifier: Apache-2.0
#include "harness/store/suite.h"

#include <fmt/format.h>

#include <regex>

#include "harness/core/error.h"
#include "harness/core/pattern.h"
#include "harness/store/checked_record.h"
#include "harness/store/document_kind.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// One table for both directions.
template <class Visit>
void visit_members(Protocol& p, Visit&& visit) {
  visit("min_samples", p.min_samples);
  visit("max_samples", p.max_samples);
  visit("min_seconds", p.min_seconds);
  visit("max_seconds", p.max_seconds);
  visit("interval", p.interval);
  visit("min_warmup_seconds", p.min_warmup_seconds);
  visit("max_warmup_seconds", p.max_warmup_seconds);
  visit("batch_seconds", p.batch_seconds);
}

void expect_order(const Protocol& p, std::string_view source) {
  const auto check = [&](bool ordered, std::string_view low, std::string_view high) {
    if (!ordered) throw UsageError(fmt::format("{}: at /protocol: {} is more than {}", source, low, high));
  };
  check(p.min_samples <= p.max_samples, "min_samples", "max_samples");
  check(p.min_seconds <= p.max_seconds, "min_seconds", "max_seconds");
  check(p.min_warmup_seconds <= p.max_warmup_seconds, "min_warmup_seconds", "max_warmup_seconds");
}

/// The schema limits the length, which keeps a pattern from taking the compiler's memory or stack.
void expect_regular_expression(const std::string& pattern, std::string_view source, std::size_t index) {
  try {
    (void)pattern_of(pattern);
  } catch (const std::regex_error& error) {
    throw UsageError(fmt::format("{}: at /select/{}/benchmarks: {} is not a regular expression: {}", source, index,
                                 shown(pattern), error.what()));
  }
}

AxisValue axis_value_from(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.get<std::int64_t>();
}

Selection selection_from(const json& from) {
  Selection to;
  from.at("benchmarks").get_to(to.benchmarks);
  const json axes = from.value("axes", json::object());
  for (const auto& [axis, values] : axes.items())
    for (const json& value : values) to.axes[axis].push_back(axis_value_from(value));
  to.backends = from.value("backends", to.backends);
  to.modes = from.value("modes", to.modes);
  to.variants = from.value("variants", to.variants);
  to.dtypes = from.value("dtypes", to.dtypes);
  to.gate = from.value("gate", to.gate);
  to.once = from.value("once", to.once);
  return to;
}

}  // namespace

json to_json(const Protocol& protocol) {
  json to = json::object();
  Protocol from = protocol;
  visit_members(from, [&](const char* key, auto value) { to[key] = value; });
  return to;
}

Protocol protocol_from_json(const json& from) {
  Protocol to;
  visit_members(to, [&](const char* key, auto& value) { value = from.value(key, value); });
  return to;
}

Suite parse_suite(std::string_view text, std::string_view source) {
  const json from = parse_json(text, source);
  expect_kind(from, suite_schema, source);
  expect_schema("suite", from, source);
  Suite to;
  from.at("name").get_to(to.name);
  to.about = from.value("about", to.about);
  to.repeats = from.value("repeats", to.repeats);
  to.protocol = protocol_from_json(from.value("protocol", json::object()));
  expect_order(to.protocol, source);
  for (const json& selection : from.at("select")) {
    to.select.push_back(selection_from(selection));
    expect_regular_expression(to.select.back().benchmarks, source, to.select.size() - 1);
  }
  return to;
}

}  // namespace warpmark
