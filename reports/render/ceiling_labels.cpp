// SPDX-License-Identifier: Apache-2.0
#include "reports/render/ceiling_labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpmark {
namespace {

constexpr double line_of_text = 14.0 / 300;  // of the height of a chart

double place(double value, const RateAxis& axis) { return axis.logarithmic ? std::log(value) : value; }

}  // namespace

bool RateAxis::touch(double a, double b) const {
  const double height = place(high, *this) - (logarithmic ? place(low, *this) : 0);
  return std::abs(place(a, *this) - place(b, *this)) < line_of_text * height || a == b;
}

std::vector<std::string> ceiling_labels(const std::vector<NamedCeiling>& ceilings, const RateAxis& axis) {
  std::vector<std::size_t> order(ceilings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ceilings[a].value < ceilings[b].value; });
  std::vector<std::string> labels(ceilings.size());
  std::size_t head = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const NamedCeiling& one = ceilings[order[i]];
    const bool starts = i == 0 || !axis.touch(ceilings[head].value, one.value);
    if (starts) head = order[i];
    if (!starts && !one.name.empty()) labels[head] += ", ";
    labels[head] += one.name;
    if (i + 1 == order.size() || !axis.touch(ceilings[head].value, ceilings[order[i + 1]].value))
      labels[head] += labels[head].empty() ? "ceiling" : " ceiling";
  }
  return labels;
}

}  // namespace warpmark
