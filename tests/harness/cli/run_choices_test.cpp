// SPDX-License-Identifier: Apache-2.0
// What `run` settles before it measures: the device, and where the result goes.
#include <gmock/gmock.h>
#include <unistd.h>

#include "harness/cli/device_choice.h"
#include "harness/cli/result_path.h"
#include "harness/core/error.h"
#include "tests/harness/cli/ran.h"
#include "tests/harness/store/refusal.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

/// The CPU and a simulated device; the cuda backend is missing for that reason.
Probed two_devices(const Unavailable& cuda = {.why = "libcuda.so.1 cannot be opened"}) {
  return {.devices = {DeviceInfo{.id = "cpu:0", .backend = "cpu"}, DeviceInfo{.id = "sim:0", .backend = "cpu"}},
          .missing = {Missing{.name = "cuda", .unavailable = cuda}}};
}

Probed with_gpus() {
  return {.devices = {DeviceInfo{.id = "cuda:0", .backend = "cuda"}, DeviceInfo{.id = "cuda:1", .backend = "cuda"},
                      DeviceInfo{.id = "cpu:0", .backend = "cpu"}}};
}

const NvidiaPresence with_nvidia{.exists = true, .evidence = "an NVIDIA device"};
const NvidiaPresence without_nvidia{.looked = true};

std::string device_error(const std::string& wanted, const Probed& probed) {
  try {
    (void)choose_device(wanted, probed, with_nvidia);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(choose_device, takes_the_one_that_is_named) {
  EXPECT_EQ(choose_device("sim:0", two_devices(), {}).device.id, "sim:0");
  EXPECT_EQ(choose_device("cpu:0", two_devices(), with_nvidia).problem, "");
  EXPECT_EQ(choose_device("cuda:1", with_gpus(), {}).device.id, "cuda:1");
  EXPECT_EQ(choose_device("cpu:0", with_gpus(), with_nvidia).device.id, "cpu:0");
}

TEST(choose_device, takes_the_first_gpu_unasked) {
  EXPECT_EQ(choose_device("auto", with_gpus(), with_nvidia).device.id, "cuda:0");
  EXPECT_EQ(choose_device("auto", with_gpus(), without_nvidia).problem, "") << "a driver that works is evidence enough";
}

TEST(choose_device, takes_the_cpu_where_there_is_no_nvidia_device) {
  const ChosenDevice chosen = choose_device("auto", two_devices(), without_nvidia);
  EXPECT_EQ(chosen.device.id, "cpu:0");
  EXPECT_EQ(chosen.problem, "");
}

TEST(choose_device, says_why_it_takes_the_cpu_beside_an_nvidia_device) {
  const ChosenDevice chosen = choose_device("auto", two_devices(), with_nvidia);
  EXPECT_EQ(chosen.device.id, "cpu:0");
  EXPECT_EQ(chosen.problem,
            "The GPU cannot be used: libcuda.so.1 cannot be opened. The CPU was measured; ask for that with --device "
            "cpu:0. Seen: an NVIDIA device");
}

TEST(choose_device, never_hides_a_driver_that_does_not_work) {
  const Unavailable broken{.why = "the GPUs are not ready", .broken = true};
  const ChosenDevice chosen = choose_device("auto", two_devices(broken), without_nvidia);
  EXPECT_EQ(chosen.device.id, "cpu:0");
  EXPECT_THAT(chosen.problem, testing::StartsWith("The GPU cannot be used: the GPUs are not ready. "));
}

TEST(unusable_devices, are_those_that_are_there_and_do_not_work) {
  const Unavailable broken{.why = "the GPUs are not ready", .broken = true};
  EXPECT_THAT(unusable_devices(two_devices(broken), without_nvidia),
              testing::ElementsAre("cuda cannot be used: the GPUs are not ready"));
  EXPECT_THAT(unusable_devices(two_devices(), with_nvidia),
              testing::ElementsAre("cuda cannot be used: libcuda.so.1 cannot be opened. Seen: an NVIDIA device"));
  EXPECT_THAT(unusable_devices(two_devices(), without_nvidia), testing::IsEmpty()) << "no GPU, no driver: all is well";
  EXPECT_THAT(unusable_devices(with_gpus(), with_nvidia), testing::IsEmpty());
}

TEST(choose_device, says_that_nobody_could_look) {
  const ChosenDevice chosen = choose_device("auto", two_devices(), NvidiaPresence{.looked = false});
  EXPECT_EQ(chosen.device.id, "cpu:0");
  EXPECT_THAT(chosen.problem, HasSubstr("Whether there is a GPU is unknown"));
}

TEST(choose_device, never_hides_a_gpu_beside_the_one_that_works) {
  Probed probed = with_gpus();
  probed.devices.erase(probed.devices.begin());
  probed.missing = {Missing{.name = "cuda:0", .unavailable = {.why = "it is busy", .broken = true}}};
  const ChosenDevice chosen = choose_device("auto", probed, with_nvidia);
  EXPECT_EQ(chosen.device.id, "cuda:1");
  EXPECT_EQ(chosen.problem,
            "cuda:0 cannot be used: it is busy. cuda:1 was measured; ask for that with --device cuda:1");
  EXPECT_EQ(choose_device("cuda:1", probed, with_nvidia).problem, "") << "somebody asked for that one";
  EXPECT_EQ(device_error("cuda:0", probed), "cuda:0 cannot be measured: it is busy");
}

TEST(choose_device, names_the_nearest) {
  EXPECT_THAT(refusal([] { (void)choose_device("sim:9", two_devices(), {}); }), HasSubstr("did you mean sim:0?"));
  EXPECT_THAT(refusal([] { (void)choose_device("cuda:8", with_gpus(), {}); }), HasSubstr("no device cuda:8; "));
  EXPECT_THAT(refusal([] { (void)choose_device("aut\x1b", two_devices(), {}); }), HasSubstr("no device aut\\x1b; "));
  EXPECT_THAT(refusal([] { (void)choose_device("", two_devices(), {}); }),
              HasSubstr("no device ''; there are auto, cpu:0 and sim:0"));
}

TEST(choose_device, says_why_a_gpu_cannot_be_measured) {
  EXPECT_EQ(device_error("cuda:0", two_devices()), "cuda:0 cannot be measured: libcuda.so.1 cannot be opened");
  EXPECT_EQ(device_error("cpu:0", two_devices()), "no error");
}

class ResultPathTest : public CommandTest {
 protected:
  static std::string complaint(const std::string& out) {
    return refusal([&] { (void)result_path(out, "1234abcd"); });
  }
};

TEST_F(ResultPathTest, is_a_new_name_in_a_folder) {
  EXPECT_THAT(result_path(".", "1234abcd").string(), MatchesRegex("\\./warpmark_[0-9]{8}T[0-9]{6}Z_1234abcd\\.json"));
  std::filesystem::create_directory("folder.json");
  EXPECT_THAT(result_path("folder.json", "1234abcd").string(), testing::StartsWith("folder.json/warpmark_"));
  EXPECT_TRUE(std::filesystem::is_empty("folder.json"));
}

TEST_F(ResultPathTest, is_the_file_that_was_named) { EXPECT_EQ(result_path("x.json", "1234abcd"), "x.json"); }

TEST_F(ResultPathTest, never_replaces_anything) {
  (void)folder_.write("x.json", "");
  EXPECT_THAT(complaint("x.json"), HasSubstr("x.json is there already"));
  (void)folder_.write("y.jsonl", "");
  EXPECT_THAT(complaint("y.json"), HasSubstr("continue it with: warpmark run --resume y.jsonl"));
}

TEST_F(ResultPathTest, needs_a_folder_that_can_be_written) {
  (void)folder_.write("file", "");
  EXPECT_THAT(complaint("no/where"),
              HasSubstr("there is no folder no/where for the result; make it first: mkdir -p no/where"));
  EXPECT_THAT(complaint("no/x.json"), HasSubstr("there is no folder no for"));
  EXPECT_THAT(complaint("file"), HasSubstr("file is no folder"));
  EXPECT_THAT(complaint("file/x.json"), HasSubstr("file is no folder"));
  std::filesystem::create_directory("locked");
  std::filesystem::permissions("locked", std::filesystem::perms::none);
  if (access("locked", W_OK) != 0) {
    EXPECT_THAT(complaint("locked"), HasSubstr("locked cannot be written to: Permission denied"));
  }
  EXPECT_TRUE(std::filesystem::is_directory("locked"));
}

TEST_F(ResultPathTest, is_in_a_folder_that_is_made_when_the_run_begins) {
  for (const char* out : {"new", "newer/"}) {
    const std::filesystem::path result = result_path(out, "1234abcd");
    EXPECT_FALSE(std::filesystem::exists(out)) << "not yet";
    make_folder_of(result);
    EXPECT_TRUE(std::filesystem::is_directory(out));
    make_folder_of(result);  // once more is no error
  }
  (void)folder_.write("taken", "");
  EXPECT_THAT(refusal([] { make_folder_of("taken/x.json"); }),
              HasSubstr("the folder taken for the result cannot be made"));
}

class JournalPathTest : public CommandTest {
 protected:
  JournalPathTest() {
    std::filesystem::copy_file(std::filesystem::path(WARPMARK_SOURCE_DIR) / "tests/fixtures/result.json", "a.json");
  }
  static std::string complaint(const std::string& path) {
    return refusal([&] { expect_journal(path); });
  }
};

TEST_F(JournalPathTest, of_nothing_says_where_journals_are) {
  EXPECT_THAT(complaint("x.jsonl"), HasSubstr("x.jsonl: there is no such journal"));
}

TEST_F(JournalPathTest, of_a_result_points_to_its_journal) {
  EXPECT_THAT(complaint("a.json"), HasSubstr("a.json is the result of a run and no journal (.jsonl)"));
  (void)folder_.write("a.jsonl", "");
  EXPECT_THAT(complaint("a.json"), HasSubstr("warpmark run --resume a.jsonl"));
  EXPECT_NO_THROW(expect_journal("a.jsonl"));
}

}  // namespace
}  // namespace warpmark
