// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/setup.h"

#include <algorithm>

namespace warpmark {
namespace {

constexpr std::uint64_t seed_step = 1000;  // from one set of operands to the next
constexpr std::size_t most_turns = 4096;   // each is bound once, which may take a millisecond

std::string_view distribution_of(DType dtype) {
  if (dtype == DType::u8) return "uniform[0,255]";
  return dtype == DType::i8 ? "uniform[-128,127]" : "uniform[-1,1)";
}

}  // namespace

Setup::Setup(std::span<const Place> places, const Case& at) : places_(places), at_(at) {}

const void* Setup::random_of(DType dtype, std::size_t n, std::uint64_t seed, std::size_t device) {
  note_data(distribution_of(dtype), seed);
  return places_[device].arena->random(n, dtype, seed + seed_step * set_);
}

const void* Setup::cycle(std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed, std::size_t device) {
  note_data("one random cycle", seed);
  return places_[device].arena->cycle(nodes, stride_bytes, seed);
}

void Setup::note_data(std::string_view distribution, std::uint64_t seed) {
  if (set_ > 0) return;  // the seeds of later sets follow from those of the first
  std::string all = data_.value("distribution", "");
  if (all.find(distribution) == std::string::npos) all.append(all.empty() ? "" : ", ").append(distribution);
  data_["distribution"] = all;
  data_["seeds"].push_back(seed);
}

void* Setup::poisoned(std::size_t n, std::size_t device) {
  return poisoned_bytes(n * size_of(at_.kernel.dtype), device);
}

void* Setup::poisoned_bytes(std::size_t bytes, std::size_t device) { return places_[device].arena->poisoned(bytes); }

std::vector<Turn> Setup::rotate(std::size_t bytes, const std::function<Turn(Setup&)>& make) {
  std::size_t sets = 1;
  if (at_.mode == Mode::isolated) {
    const std::size_t enough = 3 * static_cast<std::size_t>(device().info().last_level_cache_bytes);
    sets = std::clamp<std::size_t>((enough + bytes - 1) / bytes, 2, most_turns);
    about_["operands_cold"] = enough > 0 && sets * bytes >= enough;
  }
  about_["operand_sets"] = sets;
  about_["operand_bytes"] = bytes;
  std::vector<Turn> turns;
  for (set_ = 0; set_ < sets; ++set_) turns.push_back(make(*this));
  set_ = 0;
  return turns;
}

}  // namespace warpmark
