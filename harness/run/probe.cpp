// SPDX-License-Identifier: Apache-2.0
#include "harness/run/probe.h"

#include <fmt/format.h>
#include <poll.h>

#include <chrono>
#include <utility>

#include "harness/backends/registry.h"
#include "harness/core/error.h"
#include "harness/run/device_json.h"
#include "harness/run/lines.h"
#include "harness/run/process.h"

namespace warpmark {
namespace {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr auto longest_probe = std::chrono::seconds(60);

/// The one line of the probe; empty when it ended or hung without one.
std::string line_of(Child& child, SteadyClock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    if (left <= 0) return {};
    pollfd wait_for{.fd = child.lines(), .events = POLLIN, .revents = 0};
    (void)poll(&wait_for, 1, static_cast<int>(left));
    std::vector<std::string> lines = child.read_lines();
    if (!lines.empty()) return std::move(lines.front());
    if (child.ended()) return {};
  }
}

std::string ending_of(Child& child) {
  const auto ending = child.wait(std::chrono::milliseconds(500));
  return ending ? ending->text() : fmt::format("it did not answer within {} s", longest_probe.count());
}

json devices_of(const Backend& backend, bool measure) {
  json devices = json::array();
  for (const auto& device : backend.devices()) {
    if (measure) device->measure_ceilings();
    devices.push_back(to_json(device->info()));
  }
  return devices;
}

}  // namespace

Probed probe_devices(bool measure) {
  Child child({"probe"});
  (void)child.send(json{{"measure", measure}}.dump());
  const std::string line = line_of(child, SteadyClock::now() + longest_probe);
  const std::string failed = "the process that opens the devices failed: ";
  if (line.empty()) return {.devices = {}, .problem = failed + ending_of(child)};
  Probed probed;
  try {
    const json answer = json::parse(line);
    for (const json& device : answer.at("devices")) probed.devices.push_back(device_from_json(device));
    for (const json& each : answer.at("unavailable"))
      probed.missing.push_back(MissingBackend{
          .name = each.at("name").get<std::string>(),
          .unavailable = {.why = each.at("why").get<std::string>(), .broken = each.at("broken").get<bool>()}});
  } catch (const json::exception&) {  // a driver that writes to a descriptor which is not its own
    return {.devices = {}, .problem = failed + "it sent what is no answer"};
  }
  return probed;
}

int probe_main() {
  const bool measure = json::parse(read_order()).at("measure").get<bool>();
  const Acknowledgements supervisor;  // a driver may hang for ever; we end with who asked
  json devices = json::array();
  json unavailable = json::array();
  for (const Backend& backend : backends()) {
    Unavailable missing = backend.unavailable();
    json found = json::array();
    // A device that fails when it is opened is broken; the other backends can be measured all the same.
    try {
      if (!missing) found = devices_of(backend, measure);
    } catch (const Error& error) {
      missing = {.why = error.what(), .broken = true};
    }
    if (missing)
      unavailable.push_back({{"name", backend.name}, {"why", missing.why}, {"broken", missing.broken}});
    else
      devices.insert(devices.end(), found.begin(), found.end());
  }
  send_line({{"devices", devices}, {"unavailable", unavailable}});
  return 0;
}

std::unique_ptr<Device> open_device(const std::string& id) {
  for (const Backend& backend : backends()) {
    if (!id.starts_with(std::string(backend.name) + ":")) continue;
    if (const Unavailable missing = backend.unavailable())
      throw Error(fmt::format("{} cannot be used: {}", id, missing.why));
    for (auto& device : backend.devices())
      if (device->info().id == id) return std::move(device);
  }
  throw Error(fmt::format("there is no device {}; `warpmark list devices` shows what there is", id));
}

}  // namespace warpmark
