// SPDX-License-Identifier: Apache-2.0
// Every counter by a scripted tree that changes between the two readings; every expected value was worked out by hand.
#include "harness/telemetry/cpu_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* enabled = "/sys/kernel/mm/transparent_hugepage/enabled";
constexpr const char* rollup = "/proc/self/smaps_rollup";

/// Ticks of one CPU: those of programs, idle ones and stolen ones.
struct Ticks {
  int busy = 0, idle = 0, stolen = 0;
};

std::string stat_text(Ticks cpu0, Ticks cpu1) {
  const auto line = [](const std::string& name, Ticks t) {
    return name + " " + std::to_string(t.busy) + " 0 0 " + std::to_string(t.idle) + " 0 0 0 " +
           std::to_string(t.stolen) + " 0 0\n";
  };
  return line("cpu ", {7, 7, 7}) + line("cpu0", cpu0) + line("cpu1", cpu1) + "intr 1 2 3\ncpu0 nonsense\n";
}

/// A machine of two CPUs and a group with a quota below one that has none, at the beginning of an interval.
class Conditions : public testing::Test {
 protected:
  Conditions() {
    tree_.write("/proc/stat", stat_text({1000, 5000, 30}, {2000, 4000, 40}));
    own(500);
    tree_.write("/proc/self/cgroup", "0::/job/step\n");
    tree_.write("/proc/self/mountinfo", "30 25 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    tree_.write("/sys/fs/cgroup/cpu.stat", "usage_usec 9\n");
    group("job", 100, 5, 250000);
    group("job/step", 50, 1, 10000);
    tree_.write(enabled, "always [madvise] never");
    tree_.write(rollup, "00400000-7fff0000 ---p 00000000 00:00 0 [rollup]\nRss: 9 kB\nAnonHugePages:   4096 kB\n");
  }

  void own(int user) const {
    tree_.write("/proc/self/stat",
                "42 (a ) name) R 1 1 1 0 -1 4194304 103 0 0 0 " + std::to_string(user) + " 7 0 0 20");
  }
  void group(const std::string& name, int periods, int throttled, int microseconds) const {
    tree_.write("/sys/fs/cgroup/" + name + "/cpu.stat", "usage_usec 9\nnr_periods " + std::to_string(periods) +
                                                            "\nnr_throttled " + std::to_string(throttled) +
                                                            "\nthrottled_usec " + std::to_string(microseconds) + "\n");
  }
  [[nodiscard]] CpuConditions begun(std::vector<int> cpus = {0, 1}) const {
    CpuConditions conditions(std::move(cpus), tree_.root());
    conditions.begin();
    return conditions;
  }
  /// 100 ticks per CPU: 180 busy of which 150 are ours, 4 stolen, 16 idle.
  void pass_one_second() const {
    tree_.write("/proc/stat", stat_text({1090, 5006, 34}, {2090, 4010, 40}));
    own(650);
  }

  static std::string why(const json& telemetry, const std::string& what) {
    for (const json& denied : telemetry.at("denied"))
      if (denied.at("what") == what) return denied.at("why").get<std::string>();
    return {};
  }

  Tree tree_{};
};

TEST_F(Conditions, SayWhatTheHypervisorAndOthersTook) {
  CpuConditions conditions = begun();
  pass_one_second();
  const json telemetry = conditions.end(0);
  EXPECT_EQ(telemetry.at("cpus"), 2);
  EXPECT_DOUBLE_EQ(telemetry.at("seconds"), 1.0);
  EXPECT_DOUBLE_EQ(telemetry.at("steal_seconds"), 0.04);
  EXPECT_DOUBLE_EQ(telemetry.at("steal_share"), 0.02);     // 4 of 200 ticks
  EXPECT_DOUBLE_EQ(telemetry.at("others_seconds"), 0.30);  // 180 busy - 150 own
  EXPECT_DOUBLE_EQ(telemetry.at("others_cpus"), 0.30);     // in one second
  EXPECT_TRUE(telemetry.at("denied").empty()) << telemetry;
}

TEST_F(Conditions, LookAtTheCpusThatAreUsedAlone) {
  CpuConditions conditions = begun({1});
  tree_.write("/proc/stat", stat_text({9000, 5000, 9000}, {2080, 4020, 40}));
  const json telemetry = conditions.end(0);
  EXPECT_EQ(telemetry.at("cpus"), 1);
  EXPECT_EQ(telemetry.at("steal_seconds"), 0);
  EXPECT_DOUBLE_EQ(telemetry.at("others_cpus"), 0.80);
}

TEST_F(Conditions, OwnTimeIsNotOthersAndNeverNegative) {
  CpuConditions conditions = begun();
  pass_one_second();
  own(500 + 180);
  EXPECT_EQ(conditions.end(0).at("others_seconds"), 0);
  own(500 + 190);  // it ran elsewhere too
  EXPECT_EQ(conditions.end(0).at("others_seconds"), 0);
}

TEST_F(Conditions, SayNothingAboutSharesOfAShortInterval) {
  CpuConditions conditions = begun();
  tree_.write("/proc/stat", stat_text({1019, 5000, 30}, {2018, 4000, 41}));  // 19 ticks each
  const json telemetry = conditions.end(0);
  EXPECT_FALSE(telemetry.contains("steal_share"));
  EXPECT_FALSE(telemetry.contains("others_cpus"));
  EXPECT_DOUBLE_EQ(telemetry.at("steal_seconds"), 0.01) << "the time itself can be added up over cases";
  EXPECT_EQ(why(telemetry, "steal_share"), "190 ms are too short for a share of counters in steps of 10 ms");
  EXPECT_EQ(why(telemetry, "others_cpus"), why(telemetry, "steal_share"));

  tree_.write("/proc/stat", stat_text({1020, 5000, 30}, {2019, 4000, 41}));  // 20 ticks each
  EXPECT_TRUE(conditions.end(0).contains("steal_share"));
  EXPECT_TRUE(conditions.end(0).contains("others_cpus"));
}

TEST_F(Conditions, DenyWhatCannotBeRead) {
  CpuConditions conditions = begun();
  pass_one_second();
  tree_.remove("/proc/self/stat");
  json telemetry = conditions.end(0);
  EXPECT_TRUE(telemetry.contains("steal_share"));
  EXPECT_FALSE(telemetry.contains("others_cpus"));
  EXPECT_EQ(why(telemetry, "others_cpus"), "/proc/self/stat: not there");

  tree_.remove("/proc/stat");
  telemetry = conditions.end(0);
  for (const char* member : {"cpus", "seconds", "steal_seconds", "steal_share", "others_seconds", "others_cpus"})
    EXPECT_FALSE(telemetry.contains(member)) << member;
  EXPECT_EQ(why(telemetry, "steal_share"), "/proc/stat: not there");
}

TEST_F(Conditions, DenyCountersThatMakeNoSense) {
  CpuConditions conditions = begun();
  tree_.write("/proc/stat", stat_text({900, 5000, 30}, {2000, 4000, 40}));
  EXPECT_EQ(why(conditions.end(0), "steal_share"), "/proc/stat: counted backwards");
  for (const char* text :
       {"", "cpu0 1 2 3\ncpu1 1 2 3\n", "cpu0 1 2 3 4 5 6 7 8\n", "cpu0 a b c d e f g h\ncpu1 1 2 3 4 5 6 7 8\n",
        "cpu0 1 2 3 4 5 6 7 -8\ncpu1 1 2 3 4 5 6 7 8\n"}) {
    tree_.write("/proc/stat", text);
    EXPECT_EQ(why(conditions.end(0), "others_cpus"), "/proc/stat: does not say") << text;
  }
}

TEST_F(Conditions, NameTheGroupThatWasThrottledMost) {
  CpuConditions conditions = begun();
  group("job", 120, 12, 600000);
  group("job/step", 60, 2, 20000);
  const json telemetry = conditions.end(0);
  EXPECT_EQ(telemetry.at("periods"), 20);
  EXPECT_EQ(telemetry.at("throttled_periods"), 7);
  EXPECT_DOUBLE_EQ(telemetry.at("throttled_seconds"), 0.35);
}

TEST_F(Conditions, SayWhenNothingWasThrottled) {
  const json telemetry = begun().end(0);
  EXPECT_EQ(telemetry.at("throttled_periods"), 0);
  EXPECT_EQ(telemetry.at("throttled_seconds"), 0);
  EXPECT_EQ(why(telemetry, "throttled_periods"), "");
}

TEST_F(Conditions, ReadGroupsOfVersion1InNanoseconds) {
  tree_.write("/proc/self/cgroup", "3:cpu,cpuacct:/job\n");
  tree_.write("/proc/self/mountinfo", "30 25 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  const auto stat = [&](int throttled, const std::string& nanoseconds) {
    tree_.write("/sys/fs/cgroup/cpu/job/cpu.stat",
                "nr_periods 10\nnr_throttled " + std::to_string(throttled) + "\nthrottled_time " + nanoseconds + "\n");
  };
  stat(3, "1000000000");
  CpuConditions conditions = begun();
  stat(4, "1500000000");
  const json telemetry = conditions.end(0);
  EXPECT_EQ(telemetry.at("throttled_periods"), 1);
  EXPECT_DOUBLE_EQ(telemetry.at("throttled_seconds"), 0.5);
}

TEST_F(Conditions, DenyThrottlingThatIsNotCounted) {
  tree_.write("/sys/fs/cgroup/job/cpu.stat", "usage_usec 9\n");
  tree_.write("/sys/fs/cgroup/job/step/cpu.stat", "usage_usec 9\n");
  const json uncounted = begun().end(0);
  EXPECT_FALSE(uncounted.contains("throttled_periods"));
  EXPECT_EQ(why(uncounted, "throttled_periods"), "/sys/fs/cgroup/job/step/cpu.stat: does not say");

  tree_.remove("/proc/self/cgroup");
  const json unknown = begun().end(0);
  EXPECT_FALSE(unknown.contains("throttled_periods"));
  EXPECT_EQ(why(unknown, "throttled_periods"), "/proc/self/cgroup: not there");
}

TEST_F(Conditions, SayHowMuchMemoryIsOnHugePages) {
  CpuConditions conditions = begun();
  const json part = conditions.end(std::int64_t{16} << 20).at("huge_pages");
  EXPECT_EQ(part.at("asked_bytes"), 16 << 20);
  EXPECT_EQ(part.at("bytes"), 4 << 20);
  EXPECT_EQ(part.at("setting"), "madvise");
  EXPECT_EQ(conditions.end(std::int64_t{2} << 20).at("huge_pages").at("bytes"), 2 << 20)
      << "the rest is memory of the program itself";
  EXPECT_FALSE(conditions.end(0).contains("huge_pages")) << "none were asked for";

  tree_.write(rollup, "AnonHugePages:   8192 kB\n");
  EXPECT_EQ(conditions.end(std::int64_t{2} << 20).at("huge_pages").at("bytes"), 2 << 20);
  EXPECT_EQ(conditions.end(std::int64_t{16} << 20).at("huge_pages").at("bytes"), 8 << 20) << "counted anew";
  tree_.remove(rollup);
  EXPECT_EQ(conditions.end(std::int64_t{16} << 20).at("huge_pages").at("bytes"), 8 << 20) << "nothing has changed";
}

TEST_F(Conditions, KnowThatThereAreNoHugePagesWhereTheyAreSwitchedOff) {
  tree_.write(enabled, "always madvise [never]");
  tree_.remove(rollup);
  const json none = begun().end(1 << 21).at("huge_pages");
  EXPECT_EQ(none.at("bytes"), 0);
  EXPECT_EQ(none.at("setting"), "never");
}

TEST_F(Conditions, DenyHugePagesThatCannotBeCounted) {
  tree_.remove(rollup);
  const json telemetry = begun().end(1 << 21);
  EXPECT_FALSE(telemetry.contains("huge_pages"));
  EXPECT_THAT(why(telemetry, "huge_pages"), HasSubstr(rollup));
}

TEST(CpuConditionsOf, ThisMachineAreToldOrDenied) {
  CpuConditions conditions({0});
  conditions.begin();
  const json telemetry = conditions.end(1 << 21);
  for (const char* what : {"steal_share", "others_cpus", "throttled_periods", "huge_pages"}) {
    bool denied = false;
    for (const json& one : telemetry.at("denied")) denied = denied || one.at("what") == what;
    EXPECT_NE(telemetry.contains(what), denied) << what;
  }
}

TEST(ProcessTicks, AreFoundBehindAnyName) {
  EXPECT_EQ(process_ticks("1 (x) R 0 0 0 0 0 0 0 0 0 0 12 30 0"), 42);
  EXPECT_EQ(process_ticks("1 (x) R 9 ) R 0 0 0 0 0 0 0 0 0 0 12 30 0"), 42);
  for (const char* text : {"", "1 x R 0 0", "1 (x) R 0 0 0 0 0 0 0 0 0 0 12", "1 (x) R 0 0 0 0 0 0 0 0 0 0 a b 0"})
    EXPECT_EQ(process_ticks(text), std::nullopt) << text;
}

}  // namespace
}  // namespace warpmark
