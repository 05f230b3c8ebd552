// SPDX-License-Identifier: Apache-2.0
// The central types carry what families to come need: handles, plans, several devices, other clocks, words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/check/linear.h"
#include "tests/harness/measure/rig.h"

namespace warpmark {

namespace ops {

/// Like Twice, by kernels that need a handle and a workspace.
struct Planned {
  Twice twice{};
};

}  // namespace ops

namespace {

using ::testing::AllOf;
using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

/// What a library's handle, plan and workspace go through.
struct Counts {
  int handles_made = 0, handles_released = 0, launches = 0, launches_without = 0;
};
Counts counts;

struct Handle {
  explicit Handle(Device& device) : workspace(device.allocate(4096)) { ++counts.handles_made; }
  ~Handle() { ++counts.handles_released; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Buffer workspace;
};

void launch_planned(Stream& stream, const ops::Twice& op, const Handle* handle) {
  ++counts.launches;
  if (handle == nullptr) ++counts.launches_without;
  static_cast<ScriptedStream&>(stream).launch([op](std::int64_t) {
    for (std::size_t i = 0; i < op.n; ++i) static_cast<double*>(op.to)[i] = 2 * static_cast<const double*>(op.from)[i];
  });
}

Bound bind_planned(Stream& stream, const ops::Planned& op) {
  const auto handle = std::make_shared<Handle>(stream.device());
  return {.launch = [op, handle](Stream& s) { launch_planned(s, op.twice, handle.get()); },
          .about = {{"algorithm", 7}, {"engine", "split-k"}, {"workspace_bytes", handle->workspace.bytes()}}};
}

const Implements<ops::Planned> planned{{.id = {"scripted", "planned", DType::f64}, .bind = bind_planned}};

ops::Twice operands_on(Setup& s, std::size_t device) {
  return {.to = s.poisoned(twice_n, device), .from = s.random(twice_n, 1, device), .n = twice_n};
}

std::function<Verdict(Verifier&)> check_on(const ops::Twice& op, std::size_t device) {
  return [right = ops::LinearCheck{.got = op.to, .x = op.from, .alpha = 2, .n = op.n}, device](Verifier& v) {
    return Verdict{.error = v.run(right, device), .allowed = 0};
  };
}

Benchmark with_plan() {
  Benchmark benchmark = twice();
  benchmark.kernels = table_of<ops::Planned>();
  benchmark.job = [](warpmark::Setup& setup) {
    return Job{.turns = setup.rotate(16 * twice_n, [](warpmark::Setup& s) -> Turn {
      const ops::Twice op = operands_on(s, 0);
      return {.launch = s.bind(ops::Planned{.twice = op}), .verify = check_on(op, 0)};
    })};
  };
  return benchmark;
}

TEST(Handle, IsMadeOncePerBindAndReleasedWithTheJob) {
  counts = {};
  Rig rig;
  const Record record = rig.measure(with_plan(), Mode::batch);
  ASSERT_EQ(record.status, Status::ok) << record.why;
  EXPECT_EQ(counts.handles_made, 1);
  EXPECT_EQ(counts.handles_released, 1);
  EXPECT_GT(counts.launches, 10);
  EXPECT_EQ(counts.launches_without, 0);
  // What the arena keeps is two arrays; the workspace is gone.
  EXPECT_EQ(rig.device().live_bytes(), 2 * 8 * static_cast<std::int64_t>(twice_n));
}

TEST(Handle, IsReleasedAlsoWhenTheCaseFails) {
  counts = {};
  Rig rig;
  Benchmark benchmark = with_plan();
  rig.script().seconds = seconds_by_launch(3, 0.010, {NAN});
  EXPECT_EQ(rig.measure(benchmark).status, Status::failed);
  EXPECT_EQ(counts.handles_made, 2) << "one per set of operands";
  EXPECT_EQ(counts.handles_released, 2);
}

TEST(Plan, SaysInTheRecordWhatItIs) {
  Rig rig;
  const nlohmann::json about = rig.measure(with_plan()).about;
  EXPECT_EQ(about.at("algorithm"), 7);
  EXPECT_EQ(about.at("engine"), "split-k");
  EXPECT_EQ(about.at("workspace_bytes"), 4096);
  EXPECT_EQ(about.at("operand_sets"), 2);
  EXPECT_FALSE(rig.measure_twice().about.contains("algorithm")) << "the case before left it behind";
}

/// Each device doubles into an array of its own; the job submits to both and waits for both.
Job on_both(Setup& s) {
  const ops::Twice here = operands_on(s, 0);
  const ops::Twice there = operands_on(s, 1);
  Turn turn;
  turn.launch = [&s1 = s.stream(1), first = s.bind(here, 0), second = s.bind(there, 1)](Stream& s0) {
    first(s0);
    second(s1);
    s0.wait();
    s1.wait();
  };
  turn.verify = [first = check_on(here, 0), second = check_on(there, 1)](Verifier& v) {
    const Verdict a = first(v);
    return a.ok() ? second(v) : a;
  };
  return {.turns = {turn}, .clocking = Clocking::host_synchronous};
}

Benchmark collective() {
  Benchmark benchmark = twice();
  benchmark.devices = 2;
  benchmark.job = on_both;
  return benchmark;
}

TEST(SeveralDevices, GetBuffersAndStreamsOfTheirOwn) {
  Rig rig(2);
  rig.device(1).script().seconds = [](std::int64_t) { return 0.030; };  // the slower one decides
  const Record record = rig.measure(collective());
  ASSERT_EQ(record.status, Status::ok) << record.why;
  EXPECT_THAT(record.samples.seconds, AllOf(SizeIs(10), Each(DoubleEq(0.030))));
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(rig.device(i).fills, 1) << i;
    EXPECT_EQ(rig.device(i).launches, 1 + 3 + 10) << i;
  }
}

TEST(SeveralDevices, AreAllVerified) {
  for (const std::size_t wrong : {0U, 1U}) {
    Rig rig(2);
    rig.device(wrong).script().spoil = [](std::int64_t, std::span<double> result) { result[0] = 3; };
    EXPECT_EQ(rig.measure(collective()).status, Status::failed) << wrong;
  }
}

TEST(SeveralDevices, AreWaitedForBeforeAnyIsChecked) {
  Rig rig(2);
  Benchmark benchmark = twice();
  benchmark.devices = 2;
  benchmark.job = [](warpmark::Setup& s) -> Job {
    // Submitted to the second device alone, checked on the first: right only once the second was waited for.
    const ops::Twice op = operands_on(s, 0);
    Turn turn{.launch = [&s1 = s.stream(1), bound = s.bind(op, 1)](Stream&) { bound(s1); }, .verify = check_on(op, 0)};
    turn.sample = [&s1 = s.stream(1), launch = turn.launch](Stream& s0) {
      launch(s0);
      return 0.010;
    };
    return {.turns = {turn}, .clocking = Clocking::own};
  };
  const Record record = rig.measure(benchmark);
  EXPECT_EQ(record.status, Status::ok) << record.why;
}

/// Submitting takes the host 1 us, the launch 10 ms unless given.
Samples clocked(Clocking clocking, Mode mode = Mode::isolated, double launch_seconds = 0.010) {
  Rig rig;
  rig.script().submit_seconds = 1e-6;
  rig.script().seconds = [=](std::int64_t) { return launch_seconds; };
  Benchmark benchmark = twice();
  static Clocking wanted;
  wanted = clocking;
  benchmark.job = [](warpmark::Setup& s) -> Job {
    Turn turn = twice_turn(s);
    if (wanted == Clocking::host_synchronous)
      turn.launch = [inner = turn.launch](Stream& stream) {
        inner(stream);
        stream.wait();
      };
    if (wanted == Clocking::own)
      turn.sample = [inner = turn.launch](Stream& stream) {
        inner(stream);
        stream.wait();
        return 42e-6;
      };
    return {.turns = {turn}, .clocking = wanted};
  };
  const Record record = rig.measure(benchmark, mode);
  EXPECT_EQ(record.status, Status::ok) << record.why;
  return record.samples;
}

TEST(Clocking, OfTheDeviceIsItsOwnTime) { EXPECT_THAT(clocked(Clocking::device).seconds, Each(DoubleEq(0.010))); }

TEST(Clocking, OfTheHostAroundASynchronousCallIsSubmittingAndRunning) {
  EXPECT_THAT(clocked(Clocking::host_synchronous).seconds, Each(DoubleEq(0.010001)));
}

TEST(Clocking, OfTheHostAroundTheSubmitIsThatAlone) {
  EXPECT_THAT(clocked(Clocking::host_submit).seconds, Each(DoubleEq(1e-6)));
}

TEST(Clocking, OfItsOwnIsWhatTheJobSays) { EXPECT_THAT(clocked(Clocking::own).seconds, Each(DoubleEq(42e-6))); }

TEST(Clocking, OfABatchIsPerLaunch) {
  const Samples submits = clocked(Clocking::host_submit, Mode::batch, 4e-6);
  EXPECT_NEAR(static_cast<double>(submits.batch), 2000, 1);  // 2 ms of submitting
  EXPECT_THAT(submits.seconds, Each(DoubleEq(1e-6)));
  const Samples runs = clocked(Clocking::device, Mode::batch, 4e-6);
  EXPECT_NEAR(static_cast<double>(runs.batch), 500, 1);
  for (const double seconds : runs.seconds) EXPECT_NEAR(seconds, 4e-6, 1e-15);
}

TEST(Clocking, OfItsOwnKnowsNoBatch) {
  const Samples own = clocked(Clocking::own, Mode::batch);
  EXPECT_EQ(own.batch, 1) << "the job measures one launch, whatever the mode";
  EXPECT_THAT(own.seconds, AllOf(SizeIs(10), Each(DoubleEq(42e-6))));
}

TEST(Words, AreAxesLikeSizes) {
  Benchmark benchmark = twice();
  benchmark.axes = {{.name = "direction", .values = {"to_device", "from_device"}}, {.name = "n", .values = {64, 128}}};
  const std::vector<Case> cases = cases_of(benchmark, "scripted");
  ASSERT_THAT(cases, SizeIs(2 * 2 * 2));
  EXPECT_EQ(std::get<std::string>(cases[0]["direction"]), "to_device");
  EXPECT_EQ(id_of(benchmark, cases[0], "scripted:0"), "test/twice/scripted:0/plain/f64/direction=to_device/n=64");
  benchmark.work = [](const Case& at, const DeviceInfo&) {
    return Work{.bytes_read = std::get<std::string>(at["direction"]) == "to_device" ? 1.0 : 2.0};
  };
  Rig rig;
  const RunFrame frame{.protocol = short_protocol()};
  EXPECT_EQ(measure(rig.places(), benchmark, cases[0], frame).work.bytes(), 1);
  EXPECT_EQ(measure(rig.places(), benchmark, cases[3], frame).work.bytes(), 2);
}

}  // namespace
}  // namespace warpmark
