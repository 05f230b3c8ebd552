// SPDX-License-Identifier: Apache-2.0
#include "bench/steady/duration.h"

#include <algorithm>

namespace warpmark {
namespace {

constexpr std::int64_t until_clocks_settle = 15;
/// A worker that says nothing for a day is dead.
constexpr std::int64_t half_a_day = 12 * 3600;

}  // namespace

Axis seconds_axis() { return {.name = "seconds", .values = {until_clocks_settle}}; }

double seconds_of(const Case& at) { return static_cast<double>(std::min(at.integer("seconds"), half_a_day)); }

}  // namespace warpmark
