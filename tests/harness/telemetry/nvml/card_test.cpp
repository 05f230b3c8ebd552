// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvml/card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/harness/telemetry/nvml/hand_made_library.h"
#include "tests/harness/telemetry/places.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Nulls without a reason under their place or one above it. That of nvml.why is good news.
std::vector<std::string> unexplained(const json& card) {
  std::vector<std::string> places = places_of_unexplained_nulls(card, card.at("denied"));
  std::erase(places, "nvml.why");
  return places;
}

TEST(NvmlCard, HasAllThatTheLibrarySays) {
  const json card = nvml::card(hand_made_library());
  EXPECT_EQ(card["nvml"], json::parse(R"({"path":"/usr/lib/libnvidia-ml.so.1","version":"13.580.65.06",
    "driver_version":"580.65.06","cuda_version":"13.0","why":null})"));
  ASSERT_THAT(card["gpus"], SizeIs(2));
  EXPECT_EQ(card["gpus"][0], json::parse(R"({"index":0,"name":"NVIDIA H100 80GB HBM3",
    "uuid":"GPU-00000000-0000-0000-0000-000000000001","pci":"0000:1b:00.0",
    "pci_ids":{"device":"0x233010de","subsystem":"0x16c110de"},
    "board":{"id":256,"part_number":"692-2G520-0200-000","vbios":"96.00.61.00.01"},
    "compute_capability":"9.0","cuda_cores":16896,
    "memory":{"total_bytes":85899345920,"reserved_bytes":536870912,"used_bytes":1073741824,"usable_bytes":85362475008,"bus_bits":5120},
    "ecc":{"on":true,"after_restart":false,"corrected":3,"uncorrected":1,"corrected_ever":30,"uncorrected_ever":10},
    "remapped_rows":{"corrected":2,"uncorrected":1,"pending":true,"failed":false},
    "power":{"draw_w":71.5,"limit_w":616.0,"default_limit_w":700.0,"min_limit_w":200.0,"max_limit_w":700.0,"enforced_limit_w":616.0},
    "clocks":{"sm_hz":345e6,"memory_hz":2619e6,"max_sm_hz":1980e6,"max_memory_hz":2619e6,"application_sm_hz":1755e6},
    "temperature":{"now_c":31,"slowdown_c":87,"shutdown_c":92},
    "link":{"generation":1,"width":16,"max_generation":5,"max_width":16,"gpu_max_generation":5},
    "mig":{"on":false,"after_restart":true,"instances":[]},
    "virtualization":"passthrough","persistence":true,"compute_mode":"exclusive process","performance_state":0,
    "utilization":{"gpu":0.25,"memory":0.05},"nvlink":{"links":4,"active":3,"version":5},"numa_node":1,
    "peers":[{"pci":"0000:43:00.0","path":"NUMA node"}],
    "processes":{"count":2,"used_bytes":3145728,"list":[{"pid":100,"used_bytes":1048576},{"pid":200,"used_bytes":2097152}]}})"));
  EXPECT_EQ(card["gpus"][1]["mig"], json::parse(R"({"on":true,"after_restart":true,"instances":[
    {"uuid":"MIG-00000000-0000-0000-0000-000000000010","gpu_instance":2,"compute_instance":0,"multiprocessors":60,"memory_bytes":42412802048},
    {"uuid":"MIG-00000000-0000-0000-0000-000000000011","gpu_instance":9,"compute_instance":0,"multiprocessors":16,"memory_bytes":10334765056}]})"));
  EXPECT_EQ(card["denied"],
            json::array({{{"what", "gpus.1.utilization"},
                          {"why", "NVML: not supported by this GPU or its mode (nvmlDeviceGetUtilizationRates 3)"}}}));
}

TEST(NvmlCard, HasTheMembersThatItNames) {
  std::vector<std::string> names;
  const json card = nvml::card(hand_made_library());
  for (const auto& [name, value] : card["gpus"][0].items()) names.push_back(name);
  EXPECT_THAT(gpu_members(), ::testing::UnorderedElementsAreArray(names));
}

/// What one function, that is missing or refuses, takes from the card. Each loss has to name it.
void expect_only_its_own_loss(const Opened& library, const std::string& function) {
  const json all = nvml::card(hand_made_library()), card = nvml::card(library);
  EXPECT_THAT(unexplained(card), IsEmpty()) << function;
  for (const std::string& place : places_that_differ(all, card)) {
    if (place.starts_with("denied")) continue;
    const std::string why = reason_for(card["denied"], place);
    // Another GPU cannot be named without its address.
    const bool is_address_of_peer = place.ends_with(".pci") && function == "nvmlDeviceGetPciInfo_v3";
    EXPECT_TRUE(is_address_of_peer || why.find(function + ' ') != std::string::npos) << place << ": " << why;
  }
}

TEST(NvmlCard, LosesWithAFunctionWhatThatFunctionTellsAndNothingElse){
#define WARPMARK_TRY(function, ...)                                                  \
  {                                                                                  \
    Opened library = hand_made_library();                                            \
    library.functions.function.call = nullptr;                                       \
    expect_only_its_own_loss(library, library.functions.function.name);              \
    library.functions.function.call = [](auto...) { return Return{not_supported}; }; \
    expect_only_its_own_loss(library, library.functions.function.name);              \
    library.functions.function.call = [](auto...) { return Return{4711}; };          \
    expect_only_its_own_loss(library, library.functions.function.name);              \
  }
    WARPMARK_NVML_FUNCTIONS(WARPMARK_TRY)
#undef WARPMARK_TRY
}

TEST(NvmlCard, SeesALoss) {  // that the checks above can fail
  const json all = nvml::card(hand_made_library());
  json card = all;
  card["gpus"][0]["ecc"]["on"] = nullptr;
  EXPECT_EQ(unexplained(card), std::vector<std::string>{"gpus.0.ecc.on"});
  EXPECT_EQ(places_that_differ(all, card), std::vector<std::string>{"gpus.0.ecc.on"});
  card["denied"].push_back({{"what", "gpus.0.ecc"}, {"why", "because"}});
  EXPECT_THAT(unexplained(card), IsEmpty());
  EXPECT_EQ(reason_for(card["denied"], "gpus.0.ecc.on"), "because");
}

TEST(NvmlCard, WithoutAnyFunctionIsNullsWithReasons) {
  const json card = nvml::card(Opened{.path = "/x", .present = true});
  EXPECT_THAT(card["gpus"], IsEmpty());
  EXPECT_THAT(unexplained(card), IsEmpty());
  EXPECT_THAT(reason_for(card["denied"], "gpus"), HasSubstr("this driver has no such function"));
}

TEST(NvmlCard, SurvivesAGpuThatIsLostAtAnyMoment) {
  const json all = nvml::card(hand_made_library());
  int calls = 0, lost_something = 0;
  for (bool ended = false; !ended; ++calls) {
    calls_before_loss = calls;
    const json card = nvml::card(hand_made_library());
    ended = calls_before_loss >= 0;
    EXPECT_THAT(unexplained(card), IsEmpty()) << calls;
    for (const json& gpu : card["gpus"]) EXPECT_EQ(gpu.size(), all["gpus"][0].size()) << calls;
    lost_something += card == all ? 0 : 1;
  }
  calls_before_loss = without_end;
  EXPECT_GT(calls, 100);
  EXPECT_EQ(lost_something, calls - 1);  // all but the last, to which enough calls were left
}

TEST(NvmlCard, OfALibraryThatDoesNotStartSaysWhy) {
  Opened broken = hand_made_library();
  broken.problem = "NVML: the versions differ; restart";
  const json card = nvml::card(broken);
  EXPECT_EQ(card["nvml"]["why"], "NVML: the versions differ; restart");
  EXPECT_EQ(card["nvml"]["path"], "/usr/lib/libnvidia-ml.so.1");
  EXPECT_EQ(card["gpus"], json::array());
  EXPECT_THAT(unexplained(card), IsEmpty());
  EXPECT_EQ(card_without_answers("not asked")["nvml"], json::parse(R"({"path":null,"version":null,
    "driver_version":null,"cuda_version":null,"why":"not asked"})"));
}

TEST(NvmlCard, OfAGpuThatCannotBeOpenedKeepsItsPlace) {
  Opened library = hand_made_library();
  library.functions.DeviceGetHandleByIndex_v2.call = [](unsigned index, Device* to) -> Return {
    return index == 0 ? Return{gpu_is_lost} : hand_made_functions().DeviceGetHandleByIndex_v2.call(index, to);
  };
  const json card = nvml::card(library);
  EXPECT_EQ(card["gpus"][0]["index"], 0);
  EXPECT_EQ(card["gpus"][0]["uuid"], nullptr);
  EXPECT_THAT(reason_for(card["denied"], "gpus.0.uuid"), HasSubstr("has fallen off the bus"));
  EXPECT_EQ(card["gpus"][1]["pci"], "0000:43:00.0");
  EXPECT_EQ(card["gpus"][1]["peers"], json::array());
  EXPECT_THAT(unexplained(card), IsEmpty());
}

TEST(NvmlCard, TakesAnyBytesForText) {
  Opened library = hand_made_library();
  library.functions.DeviceGetName.call = [](Device, char* to, unsigned bytes) -> Return {
    std::memset(to, 0xff, bytes);  // not even ended
    return success;
  };
  const json card = nvml::card(library);
  EXPECT_THAT(card["gpus"][0]["name"].get<std::string>(), HasSubstr("\xef\xbf\xbd"));
  EXPECT_NO_THROW((void)card.dump());
}

TEST(NvmlCard, OfAnOldDriverHasTheOlderAnswers) {
  Opened library = hand_made_library();
  library.functions.DeviceGetMemoryInfo_v2.call = nullptr;
  library.functions.DeviceGetTemperatureV.call = nullptr;
  library.functions.DeviceGetFieldValues.call = nullptr;
  const json gpu = nvml::card(library)["gpus"][0];
  EXPECT_EQ(gpu["memory"]["total_bytes"], 80LL << 30);
  EXPECT_EQ(gpu["memory"]["used_bytes"], 1LL << 30);
  EXPECT_EQ(gpu["memory"]["reserved_bytes"], nullptr);
  EXPECT_EQ(gpu["memory"]["usable_bytes"], nullptr);
  EXPECT_EQ(gpu["temperature"]["now_c"], 31);
  EXPECT_EQ(gpu["nvlink"], json::parse(R"({"links":4,"active":3,"version":5})"));
}

TEST(NvmlCard, OfNumbersThatNobodyKnowsIsNullsWithReasons) {
  Opened library = hand_made_library();
  library.functions.DeviceGetVirtualizationMode.call = [](Device, int* to) -> Return { return *to = 77, success; };
  library.functions.DeviceGetComputeMode.call = [](Device, int* to) -> Return { return *to = 1, success; };
  library.functions.DeviceGetPerformanceState.call = [](Device, int* to) -> Return { return *to = 32, success; };
  library.functions.DeviceGetTopologyCommonAncestor.call = [](Device, Device, int* to) -> Return {
    return *to = 7, success;
  };
  const json card = nvml::card(library);
  EXPECT_EQ(reason_for(card["denied"], "gpus.0.virtualization"), "NVML: answered 77, which this program does not know");
  for (const char* name : {"virtualization", "compute_mode", "performance_state"})
    EXPECT_EQ(card["gpus"][0][name], nullptr) << name;
  EXPECT_EQ(card["gpus"][0]["peers"][0]["path"], nullptr);
  EXPECT_THAT(unexplained(card), IsEmpty());
}

TEST(NvmlCard, WhereNothingIsOfAKindHasOneReasonForAllOfIt) {
  Opened library = hand_made_library();
  const auto refuse = [](auto...) { return Return{not_supported}; };
  library.functions.DeviceGetEccMode.call = refuse;
  library.functions.DeviceGetTotalEccErrors.call = refuse;
  const json card = nvml::card(library);
  EXPECT_EQ(card["gpus"][0]["ecc"], nullptr);
  EXPECT_EQ(reason_for(card["denied"], "gpus.0.ecc"),
            "NVML: not supported by this GPU or its mode (nvmlDeviceGetEccMode 3)");
}

/// As drivers 535.43 to 535.86 write it.
struct LongerProcess {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
  unsigned long long protected_bytes;
};

TEST(NvmlCard, CountsProcessesWhoseEntriesAreLonger) {
  Opened library = hand_made_library();
  library.functions.DeviceGetComputeRunningProcesses_v3.call = [](Device, unsigned* count, ProcessInfo* to) -> Return {
    const unsigned room = *count;
    *count = 3;
    if (room < 3) return insufficient_size;
    for (std::size_t i = 0; i < 3; ++i) {
      const LongerProcess entry{100, 1 << 20, 0, 0, 0};
      std::memcpy(reinterpret_cast<char*>(to) + i * sizeof entry, &entry, sizeof entry);
    }
    return success;
  };
  const json card = nvml::card(library);
  EXPECT_EQ(card["gpus"][0]["processes"], json::parse(R"({"count":3,"used_bytes":null,"list":null})"));
  EXPECT_THAT(reason_for(card["denied"], "gpus.0.processes.list"), HasSubstr("a form that this program does not know"));
}

TEST(NvmlCard, HasNoProcessesWhereThereAreNone) {
  Opened library = hand_made_library();
  library.functions.DeviceGetComputeRunningProcesses_v3.call = [](Device, unsigned* count, ProcessInfo*) -> Return {
    return *count = 0, success;
  };
  EXPECT_EQ(nvml::card(library)["gpus"][0]["processes"], json::parse(R"({"count":0,"used_bytes":0,"list":[]})"));
}

TEST(NvmlCard, KnowsThatASizeIsHidden) {
  Opened library = hand_made_library();
  library.functions.DeviceGetComputeRunningProcesses_v3.call = [](Device, unsigned* count, ProcessInfo* to) -> Return {
    const unsigned room = *count;
    *count = 1;
    if (room < 1) return insufficient_size;
    to[0] = {.pid = 100, .used_bytes = ~0ULL, .gpu_instance = 0, .compute_instance = 0};
    return success;
  };
  const json card = nvml::card(library);
  EXPECT_EQ(card["gpus"][0]["processes"],
            json::parse(R"({"count":1,"used_bytes":null,"list":[{"pid":100,"used_bytes":null}]})"));
  EXPECT_THAT(unexplained(card), IsEmpty());
}

TEST(NvmlCard, IsNotHeldByALibraryThatCountsWithoutEnd) {
  Opened library = hand_made_library();
  library.functions.DeviceGetCount_v2.call = [](unsigned* count) -> Return { return *count = ~0U, success; };
  library.functions.DeviceGetMaxMigDeviceCount.call = [](Device, unsigned* count) -> Return {
    return *count = ~0U, success;
  };
  library.functions.DeviceGetComputeRunningProcesses_v3.call = [](Device, unsigned* count, ProcessInfo*) -> Return {
    return *count = ~0U, insufficient_size;
  };
  library.functions.DeviceGetTopologyCommonAncestor.call = nullptr;
  EXPECT_THAT(nvml::card(library)["gpus"], SizeIs(256));
}

}  // namespace
}  // namespace warpmark::nvml
