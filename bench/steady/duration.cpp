// SPDX-License-Identifier: Apache-2.0
#include "bench/steady/duration.h"

#include <algorithm>

namespace warpmark {
namespace {

constexpr std::int64_t until_clocks_settle = 15;
constexpr std::int64_t a_day = 24 * 3600;

}  // namespace

Axis seconds_axis() { return {.name = "seconds", .values = {until_clocks_settle}}; }

double seconds_of(const Case& at) { return static_cast<double>(std::min(at.integer("seconds"), a_day)); }

}  // namespace warpmark
