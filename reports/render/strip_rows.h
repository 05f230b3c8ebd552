// SPDX-License-Identifier: Apache-2.0
// The data of a strip: readings of one device over a run, thinned, and the spans of its cases.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/document.h"

namespace warpmark {

/// The most readings that a strip draws, of all its bands together.
inline constexpr std::size_t most_readings_drawn = 2000;
/// The most spans behind them: what is narrower than a pixel is nobody's to see.
inline constexpr std::size_t most_spans = 200;

/// A band of the strip: a key of telemetry.sampled.series, and what it is drawn in.
struct BandKind {
  std::string_view name{};  // of the template's layer
  std::string_view key{};
  std::string_view unit{};
  double factor = 1;
  double most = 0;  // what is more is no reading
};
inline constexpr std::array band_kinds{
    BandKind{.name = "clock", .key = "clock_hz", .unit = "GHz", .factor = 1e9, .most = 1e12},
    BandKind{.name = "power", .key = "power_w", .unit = "W", .most = 1e5},
    BandKind{.name = "temperature", .key = "temperature_c", .unit = "°C", .most = 1e3}};

struct DrawnReading {
  double at = 0;  // seconds since the run began
  double value = 0;
};

/// A record's place in the run.
struct Window {
  const Record* record = nullptr;  // never null
  double begin = 0, end = 0;
};

/// All that is known of one device over the run, in the order of time.
struct DeviceSeries {
  std::array<std::vector<DrawnReading>, band_kinds.size()> bands{};
  std::vector<Window> windows{};

  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t count() const;
};

/// The beginning of the first window of all devices: what the seconds of a strip count from.
[[nodiscard]] double beginning_of(const Document& document);
[[nodiscard]] DeviceSeries series_of_device(const Document& document, const std::string& device, double beginning);

/// The bands of one record alone; its window is at `begin`.
[[nodiscard]] DeviceSeries series_of_record(const Record& record, double begin);

/// At most `most` of them: of each interval the lowest and the highest, so that no spike is lost.
[[nodiscard]] std::vector<DrawnReading> thinned(const std::vector<DrawnReading>& readings, std::size_t most);

/// Rows of kind "span", "family", "heat" and "limit".
[[nodiscard]] nlohmann::json window_rows(const std::vector<Window>& windows);
/// Rows of one band. A line ends where nothing was read for long; `part` numbers its parts.
[[nodiscard]] nlohmann::json band_rows(const BandKind& kind, const std::vector<DrawnReading>& readings,
                                       std::size_t most);

}  // namespace warpmark
