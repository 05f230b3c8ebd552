// SPDX-License-Identifier: Apache-2.0
// Every benchmark of the program, with every kernel, on small cases: its check passes what its kernel did, and fails
// when one element of the result is spoiled. Results are found without knowing the operation: they are what a launch
// writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <list>
#include <map>
#include <set>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/bf16.h"
#include "harness/measure/measure.h"

namespace warpmark {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// The cpu device, with a list of the memory that is out.
class WatchedDevice final : public Device {
 public:
  struct Allocation {
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
  };

  WatchedDevice() : info_(cpu_.info()) { info_.last_level_cache_bytes = 1; }  // so that two sets of operands suffice

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t memory_available() const override { return cpu_.memory_available(); }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override {
    const auto inner = std::make_shared<Buffer>(cpu_.allocate(bytes));
    const auto entry = live_.insert(live_.end(), {static_cast<unsigned char*>(inner->data()), bytes});
    return {inner->data(), bytes, [this, inner, entry](void*) { live_.erase(entry); }};
  }
  [[nodiscard]] std::unique_ptr<Stream> stream() override { return cpu_.stream(); }
  [[nodiscard]] std::optional<double> probe(std::string_view) override { return std::nullopt; }
  [[nodiscard]] std::optional<double> clock_hz() override { return std::nullopt; }
  void measure_ceilings() override {}
  void adopt_ceilings(Ceilings) override {}

  [[nodiscard]] std::vector<Allocation> live() const { return {live_.begin(), live_.end()}; }

 private:
  cpu::CpuDevice cpu_{};
  DeviceInfo info_;
  std::list<Allocation> live_{};
};

struct Bench {
  WatchedDevice device{};
  std::unique_ptr<Stream> stream = device.stream();
  Arena arena{device, *stream};
  Setup::Place place{.device = &device, .stream = stream.get(), .arena = &arena};
};

Bench& bench() {
  static Bench bench;
  return bench;
}

/// Values that make a case small, by axis; an axis that is not here keeps its first value.
const std::map<std::string, std::vector<AxisValue>, std::less<>> small_values{{"footprint", {24, 1536, 98'376}},
                                                                              {"n", {1, 33, 130}},
                                                                              {"m", {1, 7}},
                                                                              {"batch", {3}},
                                                                              {"model", {256}},
                                                                              {"tokens", {1, 7}},
                                                                              {"rounds", {1, 64}},
                                                                              {"arguments", {0, 64}},
                                                                              {"blocks", {1, 1000}},
                                                                              {"seconds", {1}},
                                                                              {"direction", {"h2d", "d2h", "both"}},
                                                                              {"node", {"near"}},
                                                                              {"bytes", {4, 1000, 20'000}}};

std::vector<Case> small_cases(Benchmark benchmark) {
  for (Axis& axis : benchmark.axes) {
    const auto small = small_values.find(axis.name);
    axis.values = small == small_values.end() ? std::vector{axis.values.front()} : small->second;
  }
  return cases_of(benchmark, "cpu");
}

void launch(const Turn& turn) {
  turn.launch(*bench().stream);
  bench().stream->wait();
}

bool passes(const Turn& turn, DType dtype) {
  Verifier verifier(std::span(&bench().place, 1), dtype);
  return turn.verify(verifier).ok();
}

/// Launches, and gives what that wrote: memory that is not as it was. Results were poison before. (No operand may be
/// poisoned to find them: a walk would follow the addresses there.)
std::vector<WatchedDevice::Allocation> results_of(const Turn& turn, DType dtype) {
  std::vector<std::vector<unsigned char>> before;
  const std::vector<WatchedDevice::Allocation> all = bench().device.live();
  for (const WatchedDevice::Allocation& memory : all) before.emplace_back(memory.data, memory.data + memory.bytes);
  launch(turn);
  if (dtype == DType::u8) (void)passes(turn, dtype);  // brings what went to the host to where it is checked
  std::vector<WatchedDevice::Allocation> results;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::memcmp(all[i].data, before[i].data(), all[i].bytes) != 0) results.push_back(all[i]);
  return results;
}

/// 1 % off, no number, nothing; of types that show less or more, as little as they show.
template <class T>
std::vector<T> wrong_for(T right) {
  return {static_cast<T>(right * static_cast<T>(1.01)), std::numeric_limits<T>::quiet_NaN(), T{0}};
}
template <>
std::vector<Bf16> wrong_for(Bf16 right) {
  return {Bf16(static_cast<float>(right) + 2), Bf16(std::numeric_limits<float>::quiet_NaN())};
}
template <>
std::vector<std::uint64_t> wrong_for(std::uint64_t right) {
  return {right + 1, right - 1, right ^ (std::uint64_t{1} << 62U)};
}
template <>
std::vector<std::uint8_t> wrong_for(std::uint8_t right) {
  return {static_cast<std::uint8_t>(right + 1), static_cast<std::uint8_t>(right - 1),
          static_cast<std::uint8_t>(right ^ 0x40U)};
}
template <>
std::vector<std::int32_t> wrong_for(std::int32_t right) {
  return {right + 1, right - 1};
}

template <class T>
void spoil_each(const Turn& turn, DType dtype, const WatchedDevice::Allocation& result, const std::string& what) {
  const std::size_t n = result.bytes / sizeof(T);
  for (const std::size_t place : std::set<std::size_t>{0, n / 2, n - 1}) {
    T right{};
    std::memcpy(&right, result.data + place * sizeof(T), sizeof right);
    for (const T wrong : wrong_for(right)) {
      std::memcpy(result.data + place * sizeof(T), &wrong, sizeof wrong);
      EXPECT_FALSE(passes(turn, dtype)) << what << ": " << static_cast<double>(wrong) << " for "
                                        << static_cast<double>(right) << " at " << place << " of " << n;
    }
    std::memcpy(result.data + place * sizeof(T), &right, sizeof right);
  }
}

void try_turn(const Turn& turn, DType dtype, const std::string& what) {
  EXPECT_FALSE(passes(turn, dtype)) << what << ": passed before it ran";
  const auto results = results_of(turn, dtype);
  EXPECT_TRUE(passes(turn, dtype)) << what;
  ASSERT_FALSE(results.empty()) << what << ": a launch writes nothing";
  for (const WatchedDevice::Allocation& result : results) {
    // Sums of all elements are eight bytes whatever the elements are; products of int8 are int32.
    if (dtype == DType::u64 || what.starts_with("launch/")) {  // of launches the sums are checked
      spoil_each<std::uint64_t>(turn, dtype, result, what);
    } else if (dtype == DType::u8) {
      spoil_each<std::uint8_t>(turn, dtype, result, what);
    } else if (dtype == DType::i8) {
      spoil_each<std::int32_t>(turn, dtype, result, what);
    } else if (dtype == DType::f64 || (result.bytes == sizeof(double) && what.starts_with("memory/"))) {
      spoil_each<double>(turn, dtype, result, what);
    } else if (dtype == DType::f32) {
      spoil_each<float>(turn, dtype, result, what);
    } else {
      spoil_each<Bf16>(turn, dtype, result, what);
    }
  }
  EXPECT_TRUE(passes(turn, dtype)) << what << ": not as it was";
}

/// Built without oneDNN, or what only GPUs have.
bool is_not_for_this(const Benchmark& benchmark) {
  return benchmark.name.starts_with("convolution/") || benchmark.name == "launch/graph" ||
         benchmark.name == "launch/back_to_back";
}

TEST(EveryBenchmark, NoticesOneSpoiledElementOfItsResult) {
  for (const Benchmark& benchmark : benchmarks()) {
    const std::vector<Case> cases = small_cases(benchmark);
    if (cases.empty() && is_not_for_this(benchmark)) continue;
    if (benchmark.name == "transfer/overlap") continue;  // a CPU has no copy that goes on beside it
    ASSERT_FALSE(cases.empty()) << benchmark.name;
    for (const Case& at : cases) {
      if (!benchmark.kernels.unsupported(bench().device, at).empty()) continue;  // this machine has no such type
      warpmark::Setup setup(std::span(&bench().place, 1), at);
      const Job job = benchmark.job(setup);
      ASSERT_EQ(job.turns.size(), at.mode == Mode::isolated ? 2U : 1U);
      // Binding may run a kernel: what it left there is no result yet.
      bench().arena.poison_again();
      for (const Turn& turn : job.turns) try_turn(turn, at.kernel.dtype, id_of(benchmark, at, "cpu:0"));
      bench().arena.recycle();
    }
  }
}

TEST(EveryBenchmark, MeasuresASmallCase) {
  const RunFrame frame{.protocol = {.min_samples = 6,
                                    .max_samples = 12,
                                    .min_seconds = 0,
                                    .max_seconds = 0.1,
                                    .min_warmup_seconds = 0,
                                    .max_warmup_seconds = 0.01}};
  for (Benchmark benchmark : benchmarks()) {
    if (benchmark.lasts != nullptr) benchmark.lasts = [](const Case&) { return 0.05; };
    for (const Case& at : small_cases(benchmark)) {
      const Record record = measure(std::span(&bench().place, 1), benchmark, at, frame);
      if (record.status == Status::unsupported) continue;
      EXPECT_TRUE(measured(record.status)) << record.id << ": " << name_of(record.status) << " " << record.why;
      ASSERT_TRUE(record.verification) << record.id;
      EXPECT_TRUE(record.verification->ok()) << record.id;
    }
  }
}

// From what no machine holds to what no arithmetic of 64 bits does.
const std::map<std::string, std::vector<AxisValue>, std::less<>> too_large{
    {"footprint", {std::int64_t{1} << 46, std::int64_t{1} << 62}},
    {"n", {std::int64_t{1} << 24, std::int64_t{1} << 32, std::int64_t{1} << 62}},
    {"bytes", {std::int64_t{1} << 46, std::int64_t{1} << 62}},
    {"model", {std::int64_t{1} << 24, std::int64_t{1} << 32, std::int64_t{1} << 62}}};

Case first_that_runs(const Benchmark& benchmark) {
  for (const Case& at : small_cases(benchmark))
    if (benchmark.kernels.unsupported(bench().device, at).empty()) return at;
  throw std::logic_error("nothing of " + benchmark.name + " runs here");
}

TEST(EveryBenchmark, IsSkippedWithTheSizeWhereItCannotFit) {
  for (const Benchmark& benchmark : benchmarks()) {
    if (small_cases(benchmark).empty()) continue;  // not for this machine
    Case at = first_that_runs(benchmark);
    const auto axis = std::find_if(at.at.begin(), at.at.end(),
                                   [](const auto& one) { return too_large.find(one.first) != too_large.end(); });
    if (axis == at.at.end()) continue;  // nothing here is a size
    for (const AxisValue& size : too_large.at(axis->first)) {
      axis->second = size;
      const Record record = measure(std::span(&bench().place, 1), benchmark, at, {});
      EXPECT_EQ(record.status, Status::skipped) << record.id << ": " << record.why;
      EXPECT_THAT(record.why, AnyOf(HasSubstr("iB more memory, "), HasSubstr("one launch would move "))) << record.id;
    }
  }
}

}  // namespace
}  // namespace warpmark
