// SPDX-License-Identifier: Apache-2.0
// Suites: reading one, and expanding it into cases on two kinds of device.
#include <cmath>
#include <set>
#include <string>

#include "harness/run/plan.h"
#include "harness/run/plan_estimate.h"
#include "harness/store/suite.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"

namespace warpmark {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

DeviceInfo device_of(const std::string& backend, std::int64_t units) {
  DeviceInfo device;
  device.id = backend + ":0";
  device.backend = backend;
  device.name = "a device";
  device.units = units;
  device.memory_bytes = 16 * gib;
  device.last_level_cache_bytes = gib / 32;
  return device;
}

void expect_the_protocol_back(const Protocol& protocol) {
  const nlohmann::json written = to_json(protocol);
  expect(to_json(protocol_from_json(written)) == written, "a protocol is the same once it is written");
  expect(protocol.min_samples <= protocol.max_samples && protocol.interval > 0, "a protocol can be kept");
}

void expect_plan(const std::vector<PlannedCase>& cases, const Suite& suite, const DeviceInfo& device) {
  std::set<std::string> ids;
  for (const PlannedCase& planned : cases) {
    expect(ids.insert(planned.id).second, "every case is planned once");
    expect(planned.at.kernel.backend == device.backend, "a case is of its device's backend");
    const Work work = expected_work(planned, device);
    expect(work.bytes() >= 0 && std::isfinite(work.bytes()) && work.flops >= 0 && std::isfinite(work.flops),
           "the work of a case is a number");
    const double deadline = deadline_seconds(planned, suite.protocol, device);
    expect(deadline > 0 && deadline <= 24 * 3600, "a case that hangs is ended within a day");
  }
  const PlanSeconds seconds = estimate(cases, suite.repeats, suite.protocol, device);
  expect(seconds.least >= 0 && seconds.least <= seconds.most && std::isfinite(seconds.most), "a plan takes some time");
  expect_sentence(about(seconds));
}

}  // namespace

bool fuzz(std::string_view input) {
  const auto suite = unless_refused([&] { return parse_suite(input, "suite.json"); });
  if (!suite) return false;
  expect_the_protocol_back(suite->protocol);
  bool is_plan = false;
  for (const DeviceInfo& device : {device_of("cpu", 2), device_of("cuda", 132)}) {
    const auto cases = unless_refused([&] { return plan_cases(*suite, "", device); });
    if (!cases) continue;
    is_plan = true;
    expect_plan(*cases, *suite, device);
  }
  return is_plan;
}

}  // namespace warpmark
