// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/setup.h"

#include <algorithm>

namespace warpmark {
namespace {

constexpr std::size_t most_turns = 256;  // beyond it the operands are so small that launches, not memory, are measured

}  // namespace

Setup::Setup(std::span<const Place> places, const Case& at) : places_(places), at_(at) {}

const void* Setup::random(std::size_t n, std::uint64_t seed, std::size_t device) {
  data_ = {{"distribution", "uniform[-1,1)"}, {"seed", seed}};
  return places_[device].arena->random(n, at_.kernel.dtype, seed + 1000 * set_);
}

void* Setup::poisoned(std::size_t n, std::size_t device) {
  return places_[device].arena->poisoned(n * size_of(at_.kernel.dtype));
}

std::vector<Turn> Setup::rotate(std::size_t bytes, const std::function<Turn(Setup&)>& make) {
  std::size_t sets = 1;
  if (at_.mode == Mode::isolated) {
    const auto cache = static_cast<std::size_t>(device().info().last_level_cache_bytes);
    sets = std::clamp<std::size_t>((3 * cache + bytes - 1) / bytes, 2, most_turns);
  }
  about_["operand_sets"] = sets;
  about_["operand_bytes"] = bytes;
  std::vector<Turn> turns;
  for (set_ = 0; set_ < sets; ++set_) turns.push_back(make(*this));
  set_ = 0;
  return turns;
}

}  // namespace warpmark
