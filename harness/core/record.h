// SPDX-License-Identifier: Apache-2.0
// The only thing that leaves a measurement: one case, measured once in one process, with its proof.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/metric.h"
#include "harness/core/status.h"
#include "harness/core/work.h"

namespace warpmark {

/// Every sample that was taken, in order. All vectors have one entry per sample, or none where the reading is not to be
/// had.
struct Samples {
  std::vector<double> seconds{};   // of one launch: a batch's time divided by its launches
  std::vector<double> at{};        // start, in seconds since the first sample
  std::vector<double> clock_hz{};  // core clock beside the sample
  std::vector<double>
      probe{};  // what the probe of the unit reached around the sample, in the unit of the record's rate
  std::vector<double> warmup{};  // seconds per launch during warm-up: shows boost and settling
  std::int64_t batch = 1;        // launches per sample
};

/// Samples that lie on two levels, as when a clock switches. The lower level, which is the faster one, comes first.
struct Modes {
  std::array<double, 2> levels{};  // median seconds of the samples of each
  std::array<double, 2> shares{};  // of the samples
  std::int64_t switches = 0;       // neighbours on different levels
};

/// Order statistics of the samples' seconds (formulas: harness/stats).
struct Summary {
  std::int64_t n = 0;
  double median = 0, min = 0, max = 0, p5 = 0, p25 = 0, p75 = 0, p95 = 0, p99 = 0;
  double mad = 0;                             // median absolute deviation, not scaled
  double drift = 0;                           // median of the last third over median of the first, minus 1
  std::optional<double> p999{};               // 99.9 %; empty below 1000 samples, one of which it would be
  std::optional<double> lag1{};               // autocorrelation of neighbours; empty where the samples do not vary
  std::optional<double> ci_low{}, ci_high{};  // 95 % interval of the median; empty below 6 samples
  std::optional<Modes> modes{};               // empty where one level explains the samples
};

/// The course of a case that ran for a given time. Seconds since the start of the first sample.
struct Course {
  double first_until = 0;              // samples that begin before are the first seconds
  double steady_from = 0;              // the headline is of the samples from there on
  std::optional<double> settled_at{};  // empty: its rate was still changing at the end
};

/// What a check of the result found. A NaN is never ok.
struct Verdict {
  double error = 0;
  double allowed = 0;
  [[nodiscard]] bool ok() const { return error <= allowed; }
};

struct Record {
  std::string id{};
  std::string benchmark{};
  std::string device{};  // "cpu:0"
  Case at{};
  std::string regime = "burst";
  int repeat = 0;  // index of the process that measured it
  int method = 1;  // raised when the meaning of the number changes
  Status status = Status::ok;
  std::string why{};  // empty only for ok
  Work work{};
  std::vector<Metric> metrics{};
  Samples samples{};
  std::optional<Summary> stats{};
  std::optional<Course> course{};                       // of a case that ran for a given time
  std::optional<Verdict> verification{};                // the worst of those before and after the samples
  nlohmann::json about = nlohmann::json::object();      // what ran: algorithm, instruction set, threads, buffers
  nlohmann::json data = nlohmann::json::object();       // distribution and seed of the operands
  nlohmann::json telemetry = nlohmann::json::object();  // what went on around the samples; the schema has its members
  double setup_seconds = 0;                             // allocating, filling, verifying before the samples
  double warmup_seconds = 0;
  double sampling_seconds = 0;      // the samples, the readings beside them and what lies between
  double verification_seconds = 0;  // after the samples
  std::string started_at{};         // UTC, ISO 8601
};

/// What the case computes with: its type, or what its kernel rounds to where that is coarser (Rounding::name), such as
/// tf32. Cases of different arithmetic answer different questions.
[[nodiscard]] std::string arithmetic_of(const Record& record);

}  // namespace warpmark
