// SPDX-License-Identifier: Apache-2.0
// The numbers of one device that can be held against something: a band of its model, or where there is none the share
// of the derived ceiling that kernels usually reach.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/reference/bands.h"
#include "harness/summary/summary.h"

namespace warpmark {

/// Of the bandwidth that clock and width of the memory give. The least that a sound kernel on a sound card is known to
/// reach is 74 % (copies of an H100 SXM); 95 % of that, for spread between cards.
inline constexpr double usual_memory_share = 0.70;
/// Of the rate that units and clock give, in matrix products by a library: nobody has published what convolutions, and
/// single instructions, usually reach. The least that is known of a sound card is 62 % (bf16 under sustained load at
/// the power limit of a GB200); below 55 % a card is sent back by those who rent many.
inline constexpr double usual_arithmetic_share = 0.55;

struct JudgedNumber {
  const CaseSummary* best = nullptr;  // of the cases that answer one question, never null
  const Figure* figure = nullptr;     // never null
  const Band* band = nullptr;         // null: held against a share of the ceiling
  double low = 0, high = 0;           // of the band or of the ceiling, in the figure's unit

  /// 1 and more: not worse than the range. 0.8: a rate is 20 % below it, or a time so long that it comes to the same.
  [[nodiscard]] double reached() const;
  /// More than 1: better than the range allows for.
  [[nodiscard]] double beyond() const;
  /// "memory/triad f32, footprint=memory"
  [[nodiscard]] std::string label() const;
};

/// What may judge the numbers of a device.
struct Reference {
  const GpuBands* bands = nullptr;  // null: the model is not known
  bool ceilings_hold = true;        // false of a slice of a card, whose ceilings are derived from the whole
};

/// In the order of the cases, which are all of one device; `device` is its entry in the document.
[[nodiscard]] std::vector<JudgedNumber> judged_numbers(const std::vector<const CaseSummary*>& cases,
                                                       const nlohmann::json& device, const Reference& reference);

}  // namespace warpmark
