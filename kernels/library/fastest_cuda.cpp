// SPDX-License-Identifier: Apache-2.0
#include "kernels/library/fastest_cuda.h"

#include <algorithm>
#include <vector>

#include "harness/core/error.h"

namespace warpmark::cuda {
namespace {

constexpr std::size_t finalists = 3;
constexpr int final_rounds = 5;
/// A timing is to last so long, because the clock moves in steps of half a microsecond.
constexpr double timing_seconds = 200e-6;
constexpr int most_launches = 16;
/// Of launches that take so long together, the algorithms that were not tried yet are left out: on chips with few units
/// of a type one launch takes seconds.
constexpr double most_seconds = 1;

struct Timed {
  std::size_t index = 0;
  int launches = 1;  // of one timing
  std::vector<double> seconds{};
  [[nodiscard]] double median() const {
    std::vector<double> ascending = seconds;
    std::sort(ascending.begin(), ascending.end());
    return ascending[ascending.size() / 2];
  }
};

bool by_time(const Timed& a, const Timed& b) { return a.median() < b.median(); }

class Race {
 public:
  Race(CudaStream& stream, const LaunchAlgorithm& launch) : stream_(stream), launch_(launch) {}

  /// Whether it runs at all. Its first launch may load code.
  bool warm(std::size_t index) {
    std::string refusal = launch_(index);
    if (refusal.empty()) {
      stream_.wait();
      return true;
    }
    refusal_ = std::move(refusal);
    return false;
  }

  void time(Timed& one) {
    const double all = stream_.time([&](Stream&) {
      for (int i = 0; i < one.launches; ++i)
        if (const std::string refusal = launch_(one.index); !refusal.empty())
          throw Error("an algorithm that ran refuses to run again: " + refusal);
    });
    one.seconds.push_back(all / one.launches);
    seconds_ += all;
  }

  /// Of all timings.
  [[nodiscard]] double seconds() const { return seconds_; }

  [[noreturn]] void none_runs() const {
    throw Unsupported("none of the algorithms that the library named runs; the last one said " + refusal_);
  }

 private:
  CudaStream& stream_;
  const LaunchAlgorithm& launch_;
  std::string refusal_{};
  double seconds_ = 0;
};

int launches_for(double seconds) {
  if (!(seconds > 0)) return most_launches;
  return static_cast<int>(std::clamp(timing_seconds / seconds, 1.0, static_cast<double>(most_launches)));
}

}  // namespace

std::size_t fastest_algorithm(CudaStream& stream, std::size_t count, const LaunchAlgorithm& launch) {
  Race race(stream, launch);
  std::vector<Timed> all;
  for (std::size_t i = 0; i < count && race.seconds() < most_seconds; ++i) {
    if (!race.warm(i)) continue;
    Timed one{.index = i};
    race.time(one);
    one.launches = launches_for(one.seconds.front());
    if (one.launches > 1) {
      one.seconds.clear();
      race.time(one);
    }
    all.push_back(std::move(one));
  }
  if (all.empty()) race.none_runs();
  std::sort(all.begin(), all.end(), by_time);
  all.resize(std::min(all.size(), finalists));
  if (all.size() == 1) return all.front().index;
  // What made them finalists may have been luck: it does not count again.
  for (Timed& one : all) one.seconds.clear();
  for (int round = 0; round < final_rounds && (round == 0 || race.seconds() < 2 * most_seconds); ++round)
    for (Timed& one : all) race.time(one);
  return std::min_element(all.begin(), all.end(), by_time)->index;
}

std::size_t first_algorithm(CudaStream& stream, std::size_t count, const LaunchAlgorithm& launch) {
  Race race(stream, launch);
  for (std::size_t i = 0; i < count; ++i)
    if (race.warm(i)) return i;
  race.none_runs();
}

}  // namespace warpmark::cuda
