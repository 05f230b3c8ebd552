// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/telemetry/machine.h"
#include "harness/telemetry/nvml/card.h"
#include "tests/harness/telemetry/nvml/cards.h"
#include "tests/harness/telemetry/places.h"
#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using nvml::card_of;
using nvml::h200;
using nvml::with;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Nulls without a reason; nvml.why is null where all is well.
std::vector<std::string> unexplained(const json& machine) {
  std::vector<std::string> places = places_of_unexplained_nulls(machine, machine["denied"]);
  std::erase(places, "nvidia.nvml.why");
  // Which the driver of these GPUs no longer tells.
  std::erase_if(places, [](const std::string& place) { return place.ends_with("application_sm_hz"); });
  return places;
}

/// The RTX A6000 at 0000:17:00.0, as its files show it.
json machine_by_files() { return machine_card(FileRoot(fixture_root("dual_socket"))); }

TEST(AddNvml, JoinsByAddressNotByNumber) {
  json machine = machine_by_files();
  add_nvml(machine, card_of(json::array(
                        {with(h200(), {{"/index", 0}, {"/pci", "0000:99:00.0"}}),
                         with(h200(), {{"/index", 1}, {"/pci", "0000:17:00.0"}, {"/name", "NVIDIA A6000 by NVML"}})})));
  const json& gpus = machine["nvidia"]["gpus"];
  ASSERT_THAT(gpus, SizeIs(2));
  EXPECT_EQ(gpus[0]["pci"], "0000:17:00.0");
  EXPECT_EQ(gpus[0]["index"], 1);
  EXPECT_EQ(gpus[0]["name"], "NVIDIA A6000 by NVML");
  EXPECT_EQ(gpus[0]["driver"], "nvidia");
  EXPECT_EQ(gpus[0]["link"]["generation"], 1);
  EXPECT_EQ(gpus[0]["link"]["transfers_per_second"], 2.5e9);
  EXPECT_EQ(gpus[0]["firmware"], "535.104.05");
  EXPECT_EQ(gpus[1]["pci"], "0000:99:00.0");
  EXPECT_EQ(gpus[1]["device_id"], "0x2335");
  EXPECT_EQ(gpus[1]["driver"], nullptr);
}

TEST(AddNvml, JoinsByUuidWhereTheAddressIsAnother) {
  json machine = machine_by_files();
  const char* const uuid = "GPU-5b7e0d4c-9a61-4f0e-8c1d-3e2f7a90b6d8";
  add_nvml(machine, card_of(json::array({with(h200(), {{"/pci", nullptr}, {"/uuid", uuid}})})));
  ASSERT_THAT(machine["nvidia"]["gpus"], SizeIs(1));
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["pci"], "0000:17:00.0");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["name"], "NVIDIA H200");
}

TEST(AddNvml, CountsALostGpuOnce) {
  json machine = nvml::machine_of(json::array({{{"pci", "0000:17:00.0"}}, {{"pci", "0000:65:00.0"}}}));
  const json lost{{"index", 0}, {"pci", nullptr}, {"uuid", nullptr}, {"name", nullptr}};
  add_nvml(machine, card_of(json::array({lost, {{"pci", "0000:17:00.0"}, {"name", "first"}}})));
  const json& gpus = machine["nvidia"]["gpus"];
  ASSERT_EQ(gpus.size(), 2U) << "it is the one that nobody else is";
  EXPECT_EQ(gpus[0]["name"], "first");
  EXPECT_EQ(gpus[1]["pci"], "0000:65:00.0");
  add_nvml(machine, card_of(json::array({lost, lost, lost})));
  EXPECT_EQ(machine["nvidia"]["gpus"].size(), 3U);
}

TEST(AddNvml, HasTheHostsNodeBeforeNvmls) {
  const Tree tree("dual_socket");
  tree.write("/sys/bus/pci/devices/0000:17:00.0/numa_node", "1\n");
  json machine = machine_card(tree.root());
  add_nvml(machine, card_of(json::array({with(h200(), {{"/pci", "0000:17:00.0"}, {"/numa_node", 8}})})));
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["numa_node"], 1);
}

TEST(AddNvml, MovesReasonsToTheJoinedNumbers) {
  json machine = machine_by_files();
  const json denied = json::parse(R"([{"what":"gpus.0.ecc","why":"first"},{"what":"gpus.1.ecc.on","why":"second"},
                                      {"what":"gpus.1.name","why":"refused"},{"what":"nvml.version","why":"third"}])");
  json card = card_of(json::array({with(h200(), {{"/pci", "0000:99:00.0"}, {"/ecc", nullptr}}),
                                   with(h200(), {{"/pci", "0000:17:00.0"}, {"/ecc/on", nullptr}, {"/name", nullptr}})}),
                      denied);
  card["nvml"]["version"] = nullptr;
  add_nvml(machine, card);
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.1.ecc"), "first");
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.0.ecc.on"), "second");
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.nvml.version"), "third");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["name"], "NVIDIA RTX A6000");  // the files know it, so nothing is denied
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.0.name"), "");
  EXPECT_THAT(unexplained(machine), IsEmpty());
}

TEST(AddNvml, WithoutNvmlKeepsWhatTheFilesSayAndGivesReasonsForTheRest) {
  json machine = machine_by_files();
  add_nvml(machine, nvml::card_without_answers("the driver is broken"));
  const json& gpu = machine["nvidia"]["gpus"][0];
  EXPECT_EQ(gpu["name"], "NVIDIA RTX A6000");
  EXPECT_EQ(gpu["uuid"], "GPU-5b7e0d4c-9a61-4f0e-8c1d-3e2f7a90b6d8");
  EXPECT_EQ(gpu["board"], json::parse(R"({"id":null,"part_number":null,"vbios":"94.02.5c.00.03"})"));
  EXPECT_EQ(gpu["memory"], nullptr);
  for (const std::string& name : nvml::gpu_members()) EXPECT_TRUE(gpu.contains(name)) << name;
  EXPECT_EQ(machine["nvidia"]["nvml"]["why"], "the driver is broken");
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.0.memory"), "the driver is broken");
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.0.board.part_number"), "the driver is broken");
  EXPECT_THAT(unexplained(machine), IsEmpty());
}

TEST(AddNvml, TellsOfAGpuThatNvmlDoesNotShow) {
  json machine = machine_by_files();
  add_nvml(machine, card_of(json::array({h200()})));
  ASSERT_THAT(machine["nvidia"]["gpus"], SizeIs(2));
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.0.power"), "NVML does not show this GPU");
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.1.driver"), "the system's files do not show this GPU");
}

TEST(AddNvml, KnowsThatAGpuIsThereThatNvmlAloneShows) {
  json machine = machine_card(FileRoot(fixture_root("nothing_readable")));
  EXPECT_EQ(machine["nvidia"]["present"], nullptr);
  add_nvml(machine, card_of(json::array({h200()})));
  EXPECT_EQ(machine["nvidia"]["present"], true);
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.present"), "");
  EXPECT_THAT(machine["nvidia"]["evidence"].get<std::string>(), HasSubstr("; NVML shows 1"));
}

TEST(AddNvml, HasBothReasonsWhereBothSourcesAreSilent) {
  const Tree tree("dual_socket");
  tree.remove("/proc/driver/nvidia/gpus/0000:17:00.0/information");
  json machine = machine_card(tree.root());
  add_nvml(machine, card_of(json::array({with(h200(), {{"/pci", "0000:17:00.0"}, {"/uuid", nullptr}})}),
                            json::parse(R"([{"what":"gpus.0.uuid","why":"refused"}])")));
  EXPECT_EQ(reason_for(machine["denied"], "nvidia.gpus.0.uuid"),
            "/proc/driver/nvidia/gpus/0000:17:00.0/information: not there; refused");
}

TEST(DriverByNvml, IsItsVersion) {
  EXPECT_EQ(driver_by_nvml(card_of(json::array())), "580.65.06");
  EXPECT_EQ(driver_by_nvml(nvml::card_without_answers("broken")), "");
  EXPECT_EQ(driver_by_nvml(json(7)), "");
}

TEST(AddNvml, TakesAnyJsonForACard) {
  for (const char* text :
       {"null", "7", "[]", "{}", R"({"gpus":7,"denied":{},"nvml":[]})", R"({"gpus":[7,null,{}]})",
        R"({"gpus":[{"link":7,"board":"x","pci":[]}],"denied":[7,{"what":3},{"what":"gpus.99.x","why":"y"}]})",
        R"({"nvml":{"why":7},"denied":[{"what":"gpus.0"},{"what":"gpus."},{"what":"gpus.-1.x","why":"z"}]})"}) {
    json machine = machine_by_files();
    EXPECT_NO_THROW(add_nvml(machine, json::parse(text))) << text;
    EXPECT_EQ(machine["nvidia"]["gpus"][0]["pci"], "0000:17:00.0") << text;
  }
}

}  // namespace
}  // namespace warpmark
