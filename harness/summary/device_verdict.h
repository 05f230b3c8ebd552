// SPDX-License-Identifier: Apache-2.0
// Whether to keep a GPU, look again, or give it back, with the reasons: what a renter decides by. It warns; what makes
// a number invalid is its ceiling alone, and no exit code comes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/bands.h"
#include "harness/summary/summary.h"

namespace warpmark {

enum class Judgement : std::uint8_t { keep, check, give_back, cannot_say };

/// "KEEP", "CHECK", "RETURN", "CANNOT SAY".
[[nodiscard]] std::string_view name_of(Judgement judgement);

/// Fewer numbers than these say neither that a card is well nor that it is not: one may be low by itself.
inline constexpr std::size_t least_judged = 3;
/// Cards of one model lie 8 % apart on average and 22 % at most, and of one machine 5 to 10 %. A band has room for some
/// of that, so one number so far below it is no spread ...
inline constexpr double far_below = 0.80;
/// ... and neither are as many as least_judged that lie so far below, where they are half of all.
inline constexpr double well_below = 0.90;

struct DeviceVerdict {
  std::string device{};  // "cuda:0"
  std::string name{};
  Judgement judgement = Judgement::cannot_say;
  std::string basis{};                 // what was held against what
  std::vector<std::string> reasons{};  // from the weightiest down; none of a card to keep
};

/// Of each GPU of the document, and of a CPU that the bands name.
[[nodiscard]] std::vector<DeviceVerdict> device_verdicts(const Document& document, const RunSummary& run,
                                                         const BandTable& bands);

/// "cuda:0, NVIDIA H200: 11 numbers held against the bands of H200"
[[nodiscard]] std::string verdict_line(const DeviceVerdict& verdict);

}  // namespace warpmark
