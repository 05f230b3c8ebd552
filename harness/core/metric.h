// SPDX-License-Identifier: Apache-2.0
// A number that a benchmark answers with, and the ceiling that it is held against.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/dtype.h"
#include "harness/core/work.h"

namespace warpmark {

/// A rate may pass its ceiling by this factor, the clock's own tolerance. Beyond it a derived ceiling makes the record
/// invalid, and a measured one was estimated too low.
inline constexpr double ceiling_tolerance = 1.02;

enum class Better : std::uint8_t { higher, lower };

[[nodiscard]] constexpr std::string_view name_of(Better b) { return b == Better::higher ? "higher" : "lower"; }

/// What arithmetic of a type ("i8"), or of a unit that is named for its type ("i8_matrix"), is counted in: operations
/// on integers are no floating-point operations.
[[nodiscard]] constexpr std::string_view unit_of_arithmetic(std::string_view type) {
  return type.substr(0, 1) == "i" ? "OP/s" : "FLOP/s";
}

/// What a benchmark answers with, from the work of a launch and its time: amount over seconds where higher is better,
/// seconds over amount where lower is. Units are SI base units: B/s, FLOP/s, s.
struct Rate {
  std::string_view name{};                  // "bandwidth", "flop_rate", "latency"
  std::string_view unit{};                  // "B/s", "FLOP/s", "s"; of integers OP/s, by unit_of
  double (*amount)(const Work&) = nullptr;  // what is held against the seconds of a launch
  Better better = Better::higher;
};

/// The unit of a rate in cases of that type.
[[nodiscard]] constexpr std::string_view unit_of(const Rate& rate, DType dtype) {
  return rate.unit == "FLOP/s" ? unit_of_arithmetic(name_of(dtype)) : rate.unit;
}

inline constexpr Rate bandwidth{.name = "bandwidth", .unit = "B/s", .amount = [](const Work& w) { return w.bytes(); }};
inline constexpr Rate flop_rate{.name = "flop_rate", .unit = "FLOP/s", .amount = [](const Work& w) { return w.flops; }};
inline constexpr Rate latency{
    .name = "latency", .unit = "s", .amount = [](const Work& w) { return w.steps; }, .better = Better::lower};

/// derived: follows from the device's own facts by a printed formula; more than 1.02 of it is impossible and marks a
/// record invalid. measured: the best that a plain loop reached here; an estimate, so a record may pass it. unknown:
/// value is empty and the derivation says why.
enum class CeilingKind : std::uint8_t { derived, measured, unknown };

[[nodiscard]] constexpr std::string_view name_of(CeilingKind k) {
  return k == CeilingKind::derived ? "derived" : k == CeilingKind::measured ? "measured" : "unknown";
}

struct Ceiling {
  std::optional<double> value{};
  std::string unit{};
  CeilingKind kind = CeilingKind::unknown;
  std::string derivation{};  // the formula, the method, or the reason for none
};

using Ceilings = std::map<std::string, Ceiling, std::less<>>;

/// One number of a record. Shares are of the ceiling at its own clock, and of what a probe reached beside the samples.
struct Metric {
  std::string name{};
  std::string unit{};
  double value = 0;
  Better better = Better::higher;
  bool gate = false;  // whether compare judges by it
  std::optional<double> ceiling{};
  std::string ceiling_source{};  // kind and derivation, or why there is none
  std::optional<double> of_ceiling{};
  std::optional<double> of_ceiling_at_clock{};
};

}  // namespace warpmark
