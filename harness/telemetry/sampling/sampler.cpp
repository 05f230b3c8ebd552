// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/sampler.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

#include "harness/core/instant.h"
#include "harness/telemetry/nvml/devices.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::int64_t stuck_ms = 1000;

/// Never steps, and goes on as it does in the world also where a test has the monotonic clock simulated.
std::int64_t boot_ms() {
  timespec now{};
  (void)clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

json denied_json(const std::vector<Denied>& denied) {
  json all = json::array();
  for (const auto& [what, why] : denied) all.push_back({{"what", what}, {"why", why}});
  return all;
}

json nothing_sampled(const std::string& why) {
  return {{"readings", 0}, {"denied", json::array({{{"what", "sampled"}, {"why", why}}})}};
}

/// The extremes of what is counted; nothing where it was never read.
void move_range(json& sampled, const char* from, json& to, const char* name) {
  const auto found = sampled.find(from);
  if (found == sampled.end()) return;
  to[name] = {{"min", found->at("min").get<int>()}, {"max", found->at("max").get<int>()}};
  sampled.erase(found);
}

void move_number(json& sampled, const char* from, json& to, const char* name) {
  const auto found = sampled.find(from);
  if (found == sampled.end()) return;
  to[name] = *found;
  sampled.erase(from);
}

/// All that is said of the link in one place.
void gather_link(json& sampled, const std::optional<unsigned>& most_generation,
                 const std::optional<unsigned>& most_width) {
  json pcie = json::object();
  move_range(sampled, "link_generation", pcie, "generation");
  move_range(sampled, "link_width", pcie, "width");
  move_number(sampled, "pcie_sent_bytes", pcie, "sent_bytes");
  move_number(sampled, "pcie_received_bytes", pcie, "received_bytes");
  if (pcie.empty()) return;
  if (most_generation) pcie["max_generation"] = *most_generation;
  if (most_width) pcie["max_width"] = *most_width;
  sampled["pcie"] = std::move(pcie);
}

}  // namespace

Sampler::Gpu::Gpu(const nvml::Functions& library, nvml::Device device, std::string address, unsigned own_processes)
    : pci(std::move(address)),
      sampler(library, device),
      events(library, device, own_processes),
      max_link_generation(nvml::ask<unsigned>(library.DeviceGetMaxPcieLinkGeneration, device)),
      max_link_width(nvml::ask<unsigned>(library.DeviceGetMaxPcieLinkWidth, device)) {}

void Sampler::run() {
  auto next = std::chrono::steady_clock::now();
  for (;;) {
    std::chrono::duration<double> period{0};
    {
      std::unique_lock lock(mutex_);
      const bool has_waited = period_seconds_ <= 0 || paused_;
      changed_.wait(lock, [this] { return period_seconds_ > 0 && !paused_; });
      if (has_waited) next = std::chrono::steady_clock::now();
      period = std::chrono::duration<double>(period_seconds_);
      reading_since_ms_ = boot_ms();
    }
    take_readings();
    reading_since_ms_ = 0;
    next += std::chrono::duration_cast<std::chrono::steady_clock::duration>(period);
    next = std::max(next, std::chrono::steady_clock::now());  // a slow driver is not asked the more
    std::this_thread::sleep_until(next);
  }
}

void Sampler::begin(const SampleOrder& order) {
  const std::lock_guard lock(mutex_);
  if (period_seconds_ > 0) return;
  open_gpus(order);
  cpu_.emplace(order.cpus);
  period_seconds_ = order.period_seconds;
  changed_.notify_all();
}

void Sampler::open_gpus(const SampleOrder& order) {
  const nvml::Functions& library = nvml_.functions;
  if (!nvml_.problem.empty() || order.gpus.empty()) return;
  const nvml::Devices all = nvml::devices(library);
  why_not_opened_ = all.why_none;
  for (const auto& handle : all.handles) {
    const auto pci = handle.value ? nvml::address_of(library, *handle.value)
                                  : nvml::Answer<std::string>{.value = std::nullopt, .why = handle.why};
    if (!pci.value) {
      if (why_not_opened_.empty()) why_not_opened_ = pci.why;
    } else if (std::find(order.gpus.begin(), order.gpus.end(), *pci.value) != order.gpus.end()) {
      gpus_.push_back(std::make_unique<Gpu>(library, *handle.value, *pci.value, order.own_processes));
    }
  }
}

void Sampler::take_readings() {
  for (const auto& gpu : gpus_) {
    const Reading reading = gpu->sampler.read();
    const std::lock_guard lock(mutex_);
    gpu->readings.add(reading);
    gpu->denied = gpu->sampler.denied();
  }
  const Reading host = cpu_->read();
  const std::lock_guard lock(mutex_);
  cpu_readings_.add(host);
}

void Sampler::pause(bool is_paused) {
  {
    const std::lock_guard lock(mutex_);
    if (paused_ != is_paused) (is_paused ? paused_at_ : resumed_at_) = monotonic_seconds();
    paused_ = is_paused;
    changed_.notify_all();
  }
  constexpr int look_ms = 1;
  while (is_paused && reading_since_ms_ != 0 && !is_stuck()) (void)poll(nullptr, 0, look_ms);
}

bool Sampler::is_stuck() const {
  const std::int64_t since = reading_since_ms_;
  return since != 0 && boot_ms() - since > stuck_ms;
}

bool Sampler::was_off(double begin_seconds, double end_seconds) const {
  if (paused_at_ == 0 || paused_at_ >= end_seconds) return false;
  return paused_ || resumed_at_ > begin_seconds;
}

json Sampler::window(double begin_seconds, double end_seconds, const std::string& gpu) {
  // What happened is asked of the driver here; one that holds the sampling thread would hold this one too.
  const bool stuck = is_stuck();
  const std::lock_guard lock(mutex_);
  json host = cpu_readings_.between(begin_seconds, end_seconds);
  host["denied"] = denied_json(cpu_ ? cpu_->denied() : std::vector<Denied>{});
  json sampled;
  if (gpu.empty()) {
    sampled = std::move(host);
  } else {
    sampled = of_gpu(begin_seconds, end_seconds, gpu, stuck);
    host.erase("series");
    sampled["host"] = std::move(host);
  }
  sampled["period_seconds"] = period_seconds_;
  sampled["off"] = was_off(begin_seconds, end_seconds);
  return sampled;
}

json Sampler::of_gpu(double begin_seconds, double end_seconds, const std::string& pci, bool stuck) {
  const auto found = std::find_if(gpus_.begin(), gpus_.end(), [&pci](const auto& each) { return each->pci == pci; });
  if (found == gpus_.end())
    return nothing_sampled(!nvml_.problem.empty()     ? nvml_.problem
                           : !why_not_opened_.empty() ? why_not_opened_
                                                      : "NVML shows no GPU at " + pci);
  Gpu& gpu = **found;
  json sampled = gpu.readings.between(begin_seconds, end_seconds);
  gather_link(sampled, gpu.max_link_generation.value, gpu.max_link_width.value);
  if (stuck) {
    sampled["denied"] = nothing_sampled("the driver does not answer NVML any more").at("denied");
    return sampled;
  }
  sampled.update(gpu.events.since_last());
  sampled["denied"] = denied_json(gpu.denied);
  for (const json& each : denied_json(gpu.events.denied())) sampled["denied"].push_back(each);
  for (const auto& [most, name] :
       {std::pair{&gpu.max_link_generation, "pcie.max_generation"}, std::pair{&gpu.max_link_width, "pcie.max_width"}})
    if (!most->value) sampled["denied"].push_back({{"what", name}, {"why", most->why}});
  return sampled;
}

void Sampler::forget_before(double seconds) {
  const std::lock_guard lock(mutex_);
  for (const auto& gpu : gpus_) gpu->readings.forget_before(seconds);
  cpu_readings_.forget_before(seconds);
}

}  // namespace warpmark
