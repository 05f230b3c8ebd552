// SPDX-License-Identifier: Apache-2.0
// The simulated NVML as the program opens it, on a scenario, with a page of the machine's time where the test has one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/telemetry/nvml/library.h"
#include "tests/fakes/clock/simulated_clock.h"

namespace warpmark::nvml {

/// What libvclock.so would keep. The program exports functions that find it (nvml_time_test.cpp).
struct Page {
  std::atomic<std::int64_t> now_ns{0};
  std::array<DeviceActivity, 8> devices{};
};
/// Null: there is none.
inline Page* current_page = nullptr;

inline nlohmann::json machine_of(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(WARPMARK_SOURCE_DIR "/tests/fakes/machines/" + name + ".json"));
}

/// With these fields in the "nvml" object of every device.
inline nlohmann::json machine_of(const std::string& name, const nlohmann::json& card) {
  nlohmann::json machine = machine_of(name);
  for (nlohmann::json& device : machine["devices"]) device["nvml"].update(card);
  return machine;
}

inline nlohmann::json with_fault(nlohmann::json machine, const nlohmann::json& fault) {
  machine["faults"].push_back(fault);
  return machine;
}

/// The library, started on that machine until the object goes.
class Running {
 public:
  explicit Running(const nlohmann::json& machine) {
    static int count = 0;
    path_ = testing::TempDir() + "nvml" + std::to_string(getpid()) + "_" + std::to_string(++count);
    std::ofstream(path_) << machine.dump();
    setenv("SIMULATED_MACHINE", path_.c_str(), 1);
    opened = open_library();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (opened.code == success) (void)call().Shutdown.call();
    std::filesystem::remove(path_);
  }

  [[nodiscard]] const Functions& call() const { return opened.functions; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Device card(unsigned index = 0) const {
    Device device = nullptr;
    EXPECT_EQ(success, call().DeviceGetHandleByIndex_v2.call(index, &device));
    return device;
  }
  [[nodiscard]] FieldValue field(unsigned id, unsigned scope = 0) const {
    FieldValue value{};
    value.field = id;
    value.scope = scope;
    EXPECT_EQ(success, call().DeviceGetFieldValues.call(card(), 1, &value));
    return value;
  }

  Opened opened{};

 private:
  std::string path_;
};

/// The answer of `function` for the card, which has to be there.
template <class T, class... Parameters, class... Before>
T told(const Function<Parameters...>& function, Before... before) {
  const Answer<T> answer = ask<T>(function, before...);
  EXPECT_TRUE(answer.value.has_value()) << answer.why;
  return answer.value.value_or(T{});
}

}  // namespace warpmark::nvml
