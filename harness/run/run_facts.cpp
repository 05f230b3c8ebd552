// SPDX-License-Identifier: Apache-2.0
#include "harness/run/run_facts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "build_info.h"
#include "harness/core/instant.h"
#include "harness/profile/range.h"
#include "harness/telemetry/machine.h"

namespace warpmark {
namespace {

using nlohmann::json;

json boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  return std::getline(file, id) ? json(id) : json(nullptr);
}

/// Every text in a value without the home folder.
json without_home_in(json value) {
  if (value.is_string()) return without_home(value.get_ref<const std::string&>());
  for (json& inner : value)
    if (value.is_structured()) inner = without_home_in(std::move(inner));
  return value;
}

}  // namespace

std::string new_run_id() { return fmt::format("{:08x}", std::random_device()()); }

std::uint64_t new_seed() {
  std::random_device random;
  return (std::uint64_t{random()} << 21 ^ random()) & ((std::uint64_t{1} << 53) - 1);
}

json git_revision() { return build_info::git[0] == '\0' ? json(nullptr) : json(build_info::git); }

json build_facts() {
  return {{"type", build_info::type},   {"compiler", build_info::compiler},
          {"flags", build_info::flags}, {"sanitizers", build_info::sanitizers},
          {"nvtx", nvtx_built_in()},    {"onednn", build_info::onednn},
          {"cuda", build_info::cuda}};
}

json gates_of(const std::vector<PlannedCase>& cases) {
  json ids = json::array();
  for (const PlannedCase& planned : cases)
    if (planned.gate) ids.push_back(planned.id);
  return ids;
}

json once_of(const std::vector<PlannedCase>& cases) {
  json ids = json::array();
  for (const PlannedCase& planned : cases)
    if (planned.once) ids.push_back(planned.id);
  return ids;
}

json run_facts(const RunFacts& facts, const Suite& suite, const std::vector<PlannedCase>& cases) {
  json command = json::array();
  for (const std::string& word : facts.command) command.push_back(without_home(word));
  return {{"id", facts.id},
          // The same for every run from one shell on one boot, without saying which.
          {"session_id",
           fmt::format("{:08x}", std::hash<std::string>()(boot_id().dump() + std::to_string(getsid(0))) & 0xffffffffU)},
          {"boot_id", boot_id()},
          {"started_at", utc_now()},
          {"command", command},
          {"version", build_info::version},
          {"git", git_revision()},
          {"build", build_facts()},
          {"suite", suite.name},
          {"gates", gates_of(cases)},
          {"once", once_of(cases)},
          {"regime", name_of(facts.regime)},
          {"protocol", to_json(protocol_in(facts.regime, suite.protocol))},
          {"repeats", facts.repeats},
          {"seed", facts.seed},
          {"labels", facts.labels},
          {"options", without_home_in(facts.options)},
          {"price", nullptr},
          {"interrupted", false},
          {"device_problem", facts.device_problem.empty() ? json(nullptr) : json(facts.device_problem)}};
}

}  // namespace warpmark
