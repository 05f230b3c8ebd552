// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/question.h"

#include <variant>

namespace warpmark {

Question question_of(const CaseSummary& summary) {
  const Record& record = summary.record();
  std::string place;
  for (const auto& [axis, value] : record.at.at)
    if (const auto* word = std::get_if<std::string>(&value)) place.append(axis).append("=").append(*word).append("/");
  if (record.regime != "burst") place.append("regime=").append(record.regime).append("/");
  return {record.device, record.benchmark, arithmetic_of(record), place, summary.figures.front().name};
}

bool better_than(const Figure& a, const Figure& b) {
  return a.better == Better::higher ? a.median > b.median : a.median < b.median;
}

}  // namespace warpmark
