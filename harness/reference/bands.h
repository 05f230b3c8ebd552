// SPDX-License-Identifier: Apache-2.0
// What a number of a GPU model usually is: plausible ranges, each with its source, date and conditions. Some are part
// of the program (bands.toml), and a file of the user's comes before them. A band warns; it makes no number invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"

namespace warpmark {

struct Band {
  std::string benchmarks{};  // a regular expression for the whole name of a benchmark
  std::regex pattern{};      // the same, compiled
  std::string arithmetic{};  // "bf16"; empty: any
  std::string metric{};
  std::string unit{};                              // of low and high, as the metric has it: "B/s"
  std::map<std::string, std::string> where{};      // values that axes have to have: {"footprint", "memory"}
  std::map<std::string, std::int64_t> at_least{};  // sizes below which the source says nothing: {"n", 8192}
  double low = 0, high = 0;
  std::string source{}, date{}, conditions{};
  std::size_t line = 0;  // of its file

  /// Whether it says something about this metric of that case.
  [[nodiscard]] bool is_about(const Record& record, std::string_view of_metric) const;
};

struct GpuBands {
  std::string model{};               // as people call it: "H100 SXM 80 GB"
  std::vector<std::string> names{};  // as drivers write it: "NVIDIA H100 80GB HBM3"
  std::vector<Band> bands{};         // the first that is about a number counts
  std::string file{};                // where it stands; empty: part of the program
};

/// A driver's name as it is compared, as a whole: without the maker in front of it; capitals, and hyphens for blanks,
/// are no difference. "NVIDIA H100 80GB HBM3 MIG 1g.10gb" is not "NVIDIA H100 80GB HBM3".
[[nodiscard]] std::string plain_name(std::string_view name);

class BandTable {
 public:
  explicit BandTable(std::vector<GpuBands> gpus = {}) : gpus_(std::move(gpus)) {}

  /// The first model of that name; null where there is none.
  [[nodiscard]] const GpuBands* find(std::string_view device_name) const;
  [[nodiscard]] const std::vector<GpuBands>& gpus() const { return gpus_; }

 private:
  std::vector<GpuBands> gpus_;
};

/// A file of bands of the user's may have as many bytes.
inline constexpr std::size_t most_bands_bytes = std::size_t{256} << 10U;

/// Reads a file of bands; `source` names it in errors. Throws UsageError with the line and what would be right.
[[nodiscard]] std::vector<GpuBands> parse_bands(std::string_view text, std::string_view source);

/// Those that are part of the program.
[[nodiscard]] const BandTable& own_bands();

/// A file of the user's, before those of the program: a model that it names is judged by it alone.
[[nodiscard]] BandTable bands_with(std::string_view text, std::string_view source);

}  // namespace warpmark
