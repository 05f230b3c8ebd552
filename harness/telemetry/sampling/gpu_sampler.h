// SPDX-License-Identifier: Apache-2.0
// Reads what one GPU is doing, a few dozen times a second: clock, power, temperature, load, link, and why the clock is
// held down.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/telemetry/file_root.h"
#include "harness/telemetry/nvml/library.h"
#include "harness/telemetry/sampling/reading.h"

namespace warpmark::nvml {

/// What one GPU will not tell is asked for once and then left alone.
class GpuSampler {
 public:
  /// `library` outlives it.
  GpuSampler(const Functions& library, Device device) : library_(library), device_(device) {}

  /// Takes about a millisecond; may hang with the driver.
  [[nodiscard]] Reading read();
  /// Members of the last reading that could not be had, and why. Their names are those of the record's
  /// telemetry.
  [[nodiscard]] const std::vector<Denied>& denied() const { return denied_; }

 private:
  /// The answer times `unit` goes to `to`; after a refusal that lasts, it is not asked again.
  template <class T, class... Parameters, class... Before>
  void take(Reading& reading, Quantity to, double unit, const Function<Parameters...>& function, Before... before);
  void take_fields(Reading& reading);
  void take_power(Reading& reading, double field_milliwatts);
  void take_temperature(Reading& reading);
  void take_load(Reading& reading);
  void take_reasons(Reading& reading);
  [[nodiscard]] bool is_refused(std::string_view function, std::string_view what) const;
  void refuse(std::string_view function, std::string_view what, Return code);
  /// It has been answered.
  void allow(std::string_view what);
  /// The first reason stays.
  void deny(std::string_view what, std::string why);

  const Functions& library_;
  Device device_;
  std::vector<std::pair<std::string_view, std::string>> refused_{};  // function, and the member it was asked for
  std::vector<Denied> denied_{};
};

}  // namespace warpmark::nvml
