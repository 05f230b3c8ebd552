// SPDX-License-Identifier: Apache-2.0
#include "harness/run/probe.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>

#include "harness/backends/registry.h"
#include "harness/core/error.h"
#include "harness/core/units.h"
#include "harness/run/device_json.h"
#include "harness/run/lines.h"

namespace warpmark {
namespace {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

/// A child that probes one backend.
class Probe {
 public:
  Probe(std::string_view backend, std::string_view device, bool measure, const ProbeMeans& means)
      : backend_(backend), longest_(means.longest), child_({"probe"}, means.processes) {
    (void)child_.send(json{{"backend", backend}, {"device", device}, {"measure", measure}}.dump());
  }

  /// Adds what it answers. What it fails at is missing, and somebody has to look at it.
  void add_to(Probed& probed) {
    const std::string line = answer();
    if (line.empty()) return fail(probed, ending());
    Probed own;
    try {
      const json answer = json::parse(line);
      for (const json& device : answer.at("devices")) own.devices.push_back(device_from_json(device));
      for (const json& each : answer.at("missing"))
        own.missing.push_back(Missing{
            .name = each.at("name").get<std::string>(),
            .unavailable = {.why = each.at("why").get<std::string>(), .broken = each.at("broken").get<bool>()}});
    } catch (const json::exception&) {  // a driver that writes to a descriptor which is not its own
      return fail(probed, "sent what is no answer");
    }
    std::move(own.devices.begin(), own.devices.end(), std::back_inserter(probed.devices));
    std::move(own.missing.begin(), own.missing.end(), std::back_inserter(probed.missing));
  }

 private:
  /// Its one line; empty when it ended or hung without one.
  std::string answer() {
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - SteadyClock::now()).count();
      pollfd wait_for{.fd = child_.lines(), .events = POLLIN, .revents = 0};
      (void)poll(&wait_for, 1, static_cast<int>(std::max<long>(left, 0)));
      std::vector<std::string> lines = child_.read_lines();
      if (!lines.empty()) return std::move(lines.front());  // also when another one was waited for until now
      if (child_.ended()) return {};
      if ((is_late_ = left <= 0)) return {};
    }
  }

  std::string ending() {
    if (!is_late_)
      if (const auto ending = child_.wait(std::chrono::milliseconds(500))) return "died: " + ending->text();
    const auto unended = child_.end();
    return fmt::format("did not answer within {} and {}",
                       format_seconds(std::chrono::duration<double>(longest_).count()),
                       unended ? "is still there: " + unended_text(*unended) : "was killed");
  }

  void fail(Probed& probed, const std::string& how) const {
    probed.missing.push_back(
        Missing{.name = backend_,
                .unavailable = {.why = fmt::format("the process that opens its devices {}", how), .broken = true}});
  }

  std::string backend_;
  std::chrono::milliseconds longest_;
  SteadyClock::time_point deadline_ = SteadyClock::now() + longest_;
  Child child_;
  bool is_late_ = false;
};

json missing_json(std::string_view name, const std::string& why, bool broken) {
  return {{"name", name}, {"why", why}, {"broken", broken}};
}

json device_json(const Backend& backend, std::size_t ordinal, bool measure) {
  const std::unique_ptr<Device> device = backend.open(ordinal);
  if (measure) device->measure_ceilings();
  return to_json(device->info());
}

/// A device that fails when it is opened is broken; the others can be measured all the same.
void add_device(const Backend& backend, std::size_t ordinal, bool measure, json& answer) {
  try {
    answer.at("devices").push_back(device_json(backend, ordinal, measure));
  } catch (const Error& error) {
    answer.at("missing").push_back(missing_json(fmt::format("{}:{}", backend.name, ordinal), error.what(), true));
  }
}

std::optional<std::size_t> ordinal_of(std::string_view id) {
  const std::string_view digits = id.substr(std::min(id.size(), backend_of(id).size() + 1));
  std::size_t ordinal = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return ordinal;
}

json answer_of(const Backend& backend, const std::string& device, bool measure) {
  json answer{{"devices", json::array()}, {"missing", json::array()}};
  try {
    if (const Unavailable unavailable = backend.unavailable()) {
      answer.at("missing").push_back(missing_json(backend.name, unavailable.why, unavailable.broken));
      return answer;
    }
    const std::size_t count = backend.count();
    if (const auto only = ordinal_of(device); only && *only < count) {
      add_device(backend, *only, measure, answer);
      return answer;
    }
    for (std::size_t i = 0; i < count; ++i) add_device(backend, i, measure, answer);
  } catch (const Error& error) {
    answer.at("missing").push_back(missing_json(backend.name, error.what(), true));
  }
  return answer;
}

const Backend* backend_named(std::string_view name) {
  const auto all = backends();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Backend& b) { return b.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

Probed probe_devices(ProbeScope scope, bool measure, std::string_view name, const ProbeMeans& means) {
  Probed probed;
  std::deque<Probe> together;  // a driver takes seconds to start; one that is measured wants the machine to itself
  for (const Backend& backend : backends()) {
    if (scope == ProbeScope::only_named && backend.name != backend_of(name)) continue;
    together.emplace_back(backend.name, name, measure, means);
    if (scope == ProbeScope::every_backend && !measure) continue;
    together.front().add_to(probed);
    together.pop_front();
    if (scope == ProbeScope::first_with_devices && !probed.devices.empty()) break;
  }
  for (Probe& probe : together) probe.add_to(probed);
  return probed;
}

ProbeMeans means_within(std::optional<double> seconds) {
  constexpr double least = 10;
  ProbeMeans means;
  const double most = std::chrono::duration<double>(means.longest).count();
  const std::chrono::duration<double> longest(std::clamp(seconds.value_or(most), least, most));
  means.longest = std::chrono::ceil<std::chrono::milliseconds>(longest);
  return means;
}

int probe_main() {
  const json order = json::parse(read_order());
  const Acknowledgements supervisor;  // a driver may hang for ever; we end with who asked
  const Backend* const backend = backend_named(order.at("backend").get<std::string>());
  if (backend == nullptr) return 1;
  send_line(answer_of(*backend, order.at("device").get<std::string>(), order.at("measure").get<bool>()));
  return 0;
}

std::unique_ptr<Device> open_device(const std::string& id) {
  const Backend* const backend = backend_named(backend_of(id));
  const auto ordinal = ordinal_of(id);
  if (backend != nullptr && ordinal) {
    if (const Unavailable missing = backend->unavailable())
      throw Error(fmt::format("{} cannot be used: {}", id, missing.why));
    if (*ordinal < backend->count()) return backend->open(*ordinal);
  }
  throw Error(fmt::format("there is no device {}; `warpmark list devices` shows what there is", id));
}

}  // namespace warpmark
