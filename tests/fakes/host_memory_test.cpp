// SPDX-License-Identifier: Apache-2.0
// Kinds of the host's memory, each with the times that the scenario states; copies on two streams.
#include <vector>

#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

using nlohmann::json;

constexpr std::size_t bytes = 100'000;
constexpr double close_to = 1e-5;  // events tell 24 bits

json stated(double latency_seconds, double bandwidth) {
  return {{"latency_seconds", latency_seconds}, {"bandwidth", bandwidth}};
}

json with_host_memory() {
  json scenario = machine("h200");
  scenario["devices"][0]["host_memory"] = {
      {"copies",
       {{"pageable", stated(12e-6, 11e6)},
        {"pinned", stated(9e-6, 55e6)},
        {"write_combined", stated(8e-6, 57e6)},
        {"registered", stated(10e-6, 53e6)}}},
      {"making", {{"pinned", stated(1e-3, 1e9)}, {"registered", stated(2e-3, 1e9)}}}};
  return scenario;
}

double host_seconds() { return simulation().host_seconds(); }

CUdeviceptr address(const void* data) { return reinterpret_cast<CUdeviceptr>(data); }

TEST(HostMemory, IsCopiedAsTheScenarioStatesOfItsKind) {
  Rig rig(with_host_memory());
  auto* const device = rig.device_memory<char>(bytes);
  const auto seconds_from = [&](const void* host) {
    return rig.seconds([&] { Rig::ok(cuMemcpyHtoDAsync(address(device), host, bytes, rig.stream)); });
  };
  EXPECT_NEAR(1, seconds_from(rig.pinned_memory<char>(bytes)) / (9e-6 + bytes / 55e6), close_to);
  void* combined = nullptr;
  Rig::ok(cuMemHostAlloc(&combined, bytes, CU_MEMHOSTALLOC_WRITECOMBINED));
  EXPECT_NEAR(1, seconds_from(combined) / (8e-6 + bytes / 57e6), close_to);
  std::vector<char> ordinary(bytes);
  Rig::ok(cuMemHostRegister(ordinary.data(), bytes, 0));
  EXPECT_NEAR(1, seconds_from(ordinary.data()) / (10e-6 + bytes / 53e6), close_to);
  Rig::ok(cuMemHostUnregister(ordinary.data()));
  EXPECT_NEAR(1, seconds_from(ordinary.data()) / (12e-6 + bytes / 11e6), close_to) << "pageable again";
}

TEST(HostMemory, ThatIsPageableTakesTheHostMostOfTheTimeAndTheDeviceATenth) {
  Rig rig(with_host_memory());
  auto* const device = rig.device_memory<char>(bytes);
  const std::vector<char> ordinary(bytes);
  const double truth = 12e-6 + bytes / 11e6;
  Rig::ok(rig.wait());
  const double start = host_seconds();
  Rig::ok(cuMemcpyHtoDAsync(address(device), ordinary.data(), bytes, rig.stream));
  EXPECT_NEAR(0.9, (host_seconds() - start) / truth, close_to);
  Rig::ok(rig.wait());
  EXPECT_NEAR(1, (host_seconds() - start) / truth, close_to);
}

TEST(HostMemory, TakesTheTimeToMakeThatIsStated) {
  Rig rig(with_host_memory());
  const double start = host_seconds();
  (void)rig.pinned_memory<char>(bytes);
  EXPECT_NEAR(1, (host_seconds() - start) / (1e-3 + bytes / 1e9), close_to);
  std::vector<char> ordinary(bytes);
  const double again = host_seconds();
  Rig::ok(cuMemHostRegister(ordinary.data(), bytes, 0));
  EXPECT_NEAR(1, (host_seconds() - again) / (2e-3 + bytes / 1e9), close_to);
  Rig::ok(cuMemHostUnregister(ordinary.data()));
}

TEST(HostMemory, IsRegisteredOnceAndUnregisteredOnce) {
  Rig rig(machine("h200"));
  std::vector<char> ordinary(bytes);
  Rig::ok(cuMemHostRegister(ordinary.data(), bytes, 0));
  EXPECT_EQ(cuMemHostRegister(ordinary.data(), bytes, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  Rig::ok(cuMemHostUnregister(ordinary.data()));
  EXPECT_EQ(cuMemHostUnregister(ordinary.data()), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

/// Two streams, the second between two points of the first.
struct Sides {
  Rig rig{with_host_memory()};
  CUstream side = nullptr;
  CUevent forked = nullptr;
  CUevent joined = nullptr;
  char* device = rig.device_memory<char>(2 * bytes);
  char* host = rig.pinned_memory<char>(2 * bytes);

  Sides() {
    Rig::ok(cuStreamCreate(&side, 0));
    Rig::ok(cuEventCreate(&forked, CU_EVENT_DISABLE_TIMING));
    Rig::ok(cuEventCreate(&joined, CU_EVENT_DISABLE_TIMING));
  }
  template <class OnSide>
  double seconds(const OnSide& on_side) {
    return rig.seconds([&] {
      Rig::ok(cuEventRecord(forked, rig.stream));
      Rig::ok(cuStreamWaitEvent(side, forked, 0));
      on_side(side);
      Rig::ok(cuMemcpyHtoDAsync(address(device), host, bytes, rig.stream));
      Rig::ok(cuEventRecord(joined, side));
      Rig::ok(cuStreamWaitEvent(rig.stream, joined, 0));
    });
  }
};

TEST(TwoStreams, CopyBothWaysAtOnceAndOneWayOneAfterTheOther) {
  Sides sides;
  const double one = 9e-6 + bytes / 55e6;
  const double both = sides.seconds([&](CUstream side) {
    Rig::ok(cuMemcpyDtoHAsync(sides.host + bytes, address(sides.device + bytes), bytes, side));
  });
  EXPECT_NEAR(1, both / one, close_to);
  const double same = sides.seconds([&](CUstream side) {
    Rig::ok(cuMemcpyHtoDAsync(address(sides.device + bytes), sides.host + bytes, bytes, side));
  });
  EXPECT_NEAR(2, same / one, close_to);
}

TEST(TwoStreams, WaitForEachOther) {
  Sides sides;
  auto* const from = sides.rig.device_memory<float>(2);
  sides.host[0] = 1;
  Rig::ok(cuMemcpyHtoDAsync(address(from), sides.host, 1, sides.rig.stream));
  Rig::ok(cuEventRecord(sides.forked, sides.rig.stream));
  Rig::ok(cuStreamWaitEvent(sides.side, sides.forked, 0));
  Rig::ok(cuMemcpyDtoHAsync(sides.host + 1, address(from), 1, sides.side));
  Rig::ok(cuStreamSynchronize(sides.side));  // nobody has waited for the first
  EXPECT_EQ(sides.host[1], 1);
}

TEST(TwoStreams, DoNotWaitForAnEventThatNobodyMarked) {
  Sides sides;
  Rig::ok(cuStreamWaitEvent(sides.side, sides.joined, 0));
  Rig::ok(cuStreamSynchronize(sides.side));
}

}  // namespace
}  // namespace warpmark::fakes
