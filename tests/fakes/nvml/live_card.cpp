// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/nvml/live_card.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fakes/machine/activity_log.h"

namespace warpmark::fakes {
namespace {

double seconds_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

/// One that has ended and was not reaped yet holds no device any more.
bool is_alive(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');  // the state comes after the name, which may hold anything
  return name_end != std::string::npos && text.size() > name_end + 2 && text[name_end + 2] != 'Z';
}

}  // namespace

MachineTime::MachineTime() {
  const auto ask = reinterpret_cast<decltype(&simulated_clock)>(dlsym(RTLD_DEFAULT, "simulated_clock"));
  if (ask != nullptr) shared_ = ask();
}

double MachineTime::seconds() const {
  if (shared_ != nullptr) return seconds_of(*shared_);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

LiveCard::LiveCard(const DeviceTruth& device, int ordinal, const MachineTime& time)
    : device_(device),
      ordinal_(ordinal),
      time_(time),
      activity_(machine_activity(ordinal)),
      stale_(device.card.stale_readings) {}

bool LiveCard::is_busy() const {
  if (truth().always_busy) return true;
  const std::int64_t until = activity_ == nullptr ? 0 : activity_->busy_until_ns.load();
  return until != 0 && seconds() < seconds_of(until) + truth().idle_after_seconds;
}

bool LiveCard::looks_busy() {
  if (is_busy()) return true;
  if (stale_ == 0) return false;
  --stale_;
  return true;
}

unsigned LiveCard::sm_mhz() const {
  if (!is_busy()) return truth().clocks.sm_idle_mhz;
  const double factor = seconds() >= device_.throttle.at_seconds ? device_.throttle.factor : 1;
  return static_cast<unsigned>(std::lround(truth().clocks.sm_mhz * std::min(factor, 1000.0)));
}

unsigned long long LiveCard::reasons() const {
  if (!is_busy()) return nvml::reason_idle;
  unsigned long long bits = 0;
  for (const HeldDown& held : truth().held_down)
    if (seconds() >= held.from_seconds && seconds() < held.until_seconds) bits |= bits_of_reason(held.reason);
  return bits;
}

double LiveCard::busy_seconds() const {
  const double now = seconds();
  if (truth().always_busy) return now;
  if (activity_ == nullptr) return 0;
  const double in_all = seconds_of(activity_->busy_ns);  // before the moment: their order is that of activity_log.cpp
  return std::max(in_all - std::max(seconds_of(activity_->busy_until_ns) - now, 0.0), 0.0);
}

unsigned long long LiveCard::energy_mj() {
  const PowerTruth& power = truth().power;
  const double now =
      truth().energy_before_j + power.idle_w * seconds() + (power.load_w - power.idle_w) * busy_seconds();
  energy_j_ = std::max(energy_j_, now);
  return static_cast<unsigned long long>(std::min(energy_j_ * 1e3, 1e18));
}

unsigned long long LiveCard::held_ns(std::size_t counter) {
  const double now = seconds();
  double held = activity_ == nullptr ? 0 : seconds_of(activity_->held_ns[counter]);
  const double until = activity_ == nullptr ? 0 : seconds_of(activity_->busy_until_ns);
  for (const HeldDown& each : truth().held_down) {
    if (counter_of(each.reason) != counter) continue;
    if (truth().always_busy) held += held_seconds(each, 0, now);
    if (until > now) held -= held_seconds(each, now, until);
  }
  held_seconds_[counter] = std::max(held_seconds_[counter], truth().held_down_before_seconds[counter] + held);
  return static_cast<unsigned long long>(std::llround(std::min(held_seconds_[counter] * 1e9, 1e18)));
}

unsigned long long LiveCard::sent_bytes() const {
  constexpr unsigned long long before = 5'000'000'000;  // since the driver was loaded
  return before + (activity_ == nullptr ? 0 : static_cast<unsigned long long>(activity_->sent_bytes));
}

unsigned long long LiveCard::received_bytes() const {
  constexpr unsigned long long before = 7'000'000'000;
  return before + (activity_ == nullptr ? 0 : static_cast<unsigned long long>(activity_->received_bytes));
}

unsigned LiveCard::worker() const {
  const std::int64_t pid = activity_ == nullptr ? 0 : activity_->process.load();
  return pid != 0 && is_alive(pid) ? static_cast<unsigned>(pid) : 0;
}

std::uint64_t LiveCard::used_bytes() const {
  const std::uint64_t others = device_.memory_bytes - device_.memory_free_bytes;
  return others + (worker() == 0 ? 0 : static_cast<std::uint64_t>(activity_->memory_bytes));
}

std::vector<Tenant> LiveCard::tenants() const {
  constexpr unsigned long long not_known = ~0ULL;
  std::vector<Tenant> all;
  for (const ProcessTruth& each : truth().processes)
    all.push_back({.pid = each.pid, .used_bytes = each.used_bytes.value_or(not_known)});
  if (const unsigned pid = worker(); pid != 0)
    all.push_back({.pid = pid, .used_bytes = static_cast<unsigned long long>(activity_->memory_bytes)});
  return all;
}

}  // namespace warpmark::fakes
