// SPDX-License-Identifier: Apache-2.0
// Whatever goes wrong with a case becomes the status of its record, with a reason; nothing is thrown, nothing is kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "harness/core/error.h"
#include "tests/harness/measure/rig.h"

namespace warpmark {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class Thrown>
Record measured_throwing() {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.job = [](warpmark::Setup&) -> Job { throw Thrown("the reason"); };
  return rig.measure(benchmark);
}

TEST(Status, IsWhatWasThrown) {
  EXPECT_EQ(measured_throwing<Skipped>().status, Status::skipped);
  EXPECT_EQ(measured_throwing<Unsupported>().status, Status::unsupported);
  EXPECT_EQ(measured_throwing<PermissionDenied>().status, Status::denied);
  EXPECT_EQ(measured_throwing<Error>().status, Status::failed);
  EXPECT_EQ(measured_throwing<std::runtime_error>().status, Status::failed);
  EXPECT_EQ(measured_throwing<std::logic_error>().status, Status::failed);
  EXPECT_EQ(measured_throwing<Skipped>().why, "the reason");
  EXPECT_EQ(measured_throwing<std::logic_error>().why, "the reason");
}

TEST(Status, IsSkippedWhereTheProgramsOwnMemoryRunsOut) {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.job = [](warpmark::Setup&) -> Job { throw std::bad_alloc(); };
  const Record record = rig.measure(benchmark);
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.why, "the program's own memory ran out");
}

TEST(Status, IsUnsupportedWhereTheKernelSaysSoAndNothingIsSetUp) {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.kernels.unsupported = [](const Device& device, const Case& at) {
    return device.info().id + " cannot do " + at.kernel.variant;
  };
  const Record record = rig.measure(benchmark);
  EXPECT_EQ(record.status, Status::unsupported);
  EXPECT_EQ(record.why, "scripted:0 cannot do plain");
  EXPECT_EQ(rig.device().allocations, 0);
  EXPECT_EQ(rig.device().launches, 0);
}

TEST(Status, IsOkWhereTheKernelGivesNoReasonOrIsNotAsked) {
  for (const bool asked : {true, false}) {
    Rig rig;
    Benchmark benchmark = twice();
    benchmark.kernels.unsupported = nullptr;
    if (asked) benchmark.kernels.unsupported = [](const Device&, const Case&) { return std::string(); };
    EXPECT_EQ(rig.measure(benchmark).status, Status::ok);
  }
}

TEST(Status, IsSkippedWithBothSizesWhereMemoryDoesNotSuffice) {
  Rig rig;
  rig.script().memory_bytes = 30'000;  // four arrays of 8000 B are wanted
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.why, "needs 8000 B more memory, 6000 B is free");
}

TEST(Status, IsSkippedWhereDevicesAreMissing) {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.devices = 2;
  const Record record = rig.measure(benchmark);
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.why, "needs 2 devices, 1 given");
}

TEST(Status, OfAFailureInTheMidstKeepsNoNumber) {
  Rig rig;
  rig.script().seconds = [](std::int64_t launch) {
    if (launch == 9) throw Error("the device was lost");
    return 0.010;
  };
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_EQ(record.why, "the device was lost");
  EXPECT_THAT(record.metrics, IsEmpty());
  EXPECT_FALSE(record.stats);
  EXPECT_THAT(record.samples.seconds, SizeIs(4)) << "of launches 5 to 8";
}

TEST(Status, OfOneCaseIsNotThatOfTheNext) {
  Rig rig;
  rig.script().memory_bytes = 30'000;
  EXPECT_EQ(rig.measure_twice().status, Status::skipped);
  rig.script().memory_bytes = 1 << 20;
  EXPECT_EQ(rig.measure_twice().status, Status::ok);
}

// 16000 B in 10 ms are 1.6 MB/s.
Record held_against(CeilingKind kind, double share) {
  Rig rig;
  rig.device().change_info().ceilings["memory_bandwidth"] = {
      .value = 1.6e6 / share, .unit = "B/s", .kind = kind, .derivation = "a formula"};
  return rig.measure_twice();
}

TEST(Ceiling, ThatWasDerivedMayBePassedByTheClocksToleranceAlone) {
  EXPECT_EQ(held_against(CeilingKind::derived, 0.5).status, Status::ok);
  EXPECT_EQ(held_against(CeilingKind::derived, 1.0199).status, Status::ok);
  const Record record = held_against(CeilingKind::derived, 1.05);
  EXPECT_EQ(record.status, Status::invalid);
  EXPECT_EQ(record.why,
            "1.60 MB/s is 105 % of what the device can do (a formula): the work, the clock or the ceiling is wrong");
  EXPECT_EQ(held_against(CeilingKind::derived, 1.0201).status, Status::invalid);
}

TEST(Ceiling, ThatWasMeasuredMayBePassed) {
  const Record record = held_against(CeilingKind::measured, 1.5);
  EXPECT_EQ(record.status, Status::ok);
  EXPECT_DOUBLE_EQ(*record.metrics.at(0).of_ceiling, 1.5);
}

TEST(Invalid, OutweighsNotConverged) {
  Rig rig;
  rig.device().change_info().ceilings["memory_bandwidth"] = {
      .value = 1e3, .unit = "B/s", .kind = CeilingKind::derived, .derivation = "a formula"};
  Protocol protocol = short_protocol();
  protocol.max_samples = 3;
  EXPECT_EQ(rig.measure_twice(protocol).status, Status::invalid);
}

TEST(Invalid, IsATimeOfZero) {
  Rig rig;
  rig.script().seconds = [](std::int64_t) { return 0; };
  Protocol protocol = short_protocol();
  protocol.max_warmup_seconds = 0;  // or it would launch a million times to fill its windows
  const Record record = rig.measure_twice(protocol);
  EXPECT_EQ(record.status, Status::invalid);
  EXPECT_THAT(record.why, HasSubstr("the clock did not advance between start and end of the samples"));
}

TEST(Invalid, IsATimeThatRunsBackwards) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(5, 0.010, {-0.010});
  EXPECT_EQ(rig.measure_twice().status, Status::invalid);
}

TEST(Gate, IsWhatTheFrameSays) {
  Rig rig;
  const Benchmark benchmark = twice();
  const Case at = first_case(benchmark, Mode::isolated);
  for (const bool gate : {true, false}) {
    const RunFrame frame{.protocol = short_protocol(), .gate = gate};
    EXPECT_EQ(measure(rig.places(), benchmark, at, frame).metrics.at(0).gate, gate);
  }
}

TEST(Record, SaysWhatWasMeasured) {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.method = 4;
  const RunFrame frame{.protocol = short_protocol(), .repeat = 2};
  const Record record = measure(rig.places(), benchmark, first_case(benchmark, Mode::batch), frame);
  EXPECT_EQ(record.id, "test/twice/scripted:0/plain/f64/mode=batch");
  EXPECT_EQ(record.benchmark, "test/twice");
  EXPECT_EQ(record.device, "scripted:0");
  EXPECT_EQ(record.repeat, 2);
  EXPECT_EQ(record.method, 4);
  EXPECT_EQ(record.work.bytes(), 16'000);
  EXPECT_EQ(record.data, nlohmann::json({{"distribution", "uniform[-1,1)"}, {"seeds", {1}}}));
  EXPECT_EQ(record.started_at.size(), std::string("2026-11-30T05:30:00Z").size());
}

TEST(Record, SaysOfOperandsOfSeveralKindsWhatEachIs) {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.job = [](warpmark::Setup& setup) {
    return Job{.turns = setup.rotate(std::size_t{1} << 20, [](warpmark::Setup& s) {
      (void)s.cycle(4, 64, 9);
      return twice_turn(s);
    })};
  };
  EXPECT_EQ(rig.measure(benchmark).data,
            nlohmann::json({{"distribution", "one random cycle, uniform[-1,1)"}, {"seeds", {9, 1}}}));
}

}  // namespace
}  // namespace warpmark
