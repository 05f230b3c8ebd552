// SPDX-License-Identifier: Apache-2.0
// A record that ran for a minute, made by hand: a rate that falls at 20 s, with the readings of its GPU.
#pragma once

#include <string>

#include "tests/reports/made_document.h"

namespace warpmark {

/// 1000 FLOP a launch; 1000 FLOP/s until 20 s, then `after`, in windows of a second. From 20 s on the clock is as much
/// lower and `reason` holds it down, where there is one.
[[nodiscard]] inline Record made_course(double after, const std::string& reason) {
  Record record = made_record(
      {.benchmark = "steady/gemm", .device = "cuda:0", .axis = "seconds", .size = 60, .metric = "flop_rate"});
  record.work = {.flops = 1000};
  record.warmup_seconds = 0.5;
  record.samples = {};
  nlohmann::json series{{"at", nlohmann::json::array()}};
  for (int i = 0; i < 60; ++i) {
    const double level = i < 20 ? 1000 : after;
    record.samples.at.push_back(i);
    record.samples.seconds.push_back(1000 / level);
    record.samples.clock_hz.push_back(1.98e6 * level);
    series["at"].push_back(i + 1.0);  // half a second into the window, and the warm-up before it
    series["clock_hz"].push_back(1.98e6 * level);
    series["power_w"].push_back(0.5 * level);
    series["temperature_c"].push_back(i < 20 ? 40 + 2 * i : 87);
    if (!reason.empty())
      series["held_down"].push_back(i < 20 ? nlohmann::json::array() : nlohmann::json::array({reason}));
  }
  record.course = Course{.first_until = 5, .steady_from = 20, .settled_at = 20};
  record.metrics = {{.name = "flop_rate", .unit = "FLOP/s", .value = after},
                    {.name = "first_flop_rate", .unit = "FLOP/s", .value = 1000},
                    {.name = "settling_time", .unit = "s", .value = 20, .better = Better::lower},
                    {.name = "flop_rate_per_watt", .unit = "FLOP/s/W", .value = 2}};
  record.telemetry = {{"window", {{"begin", 100}, {"end", 161}}}, {"sampled", {{"readings", 60}, {"series", series}}}};
  return record;
}

}  // namespace warpmark
