// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::int64_t stuck_ms = 1000;

std::int64_t date_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

json denied_json(const std::vector<Denied>& denied) {
  json all = json::array();
  for (const auto& [what, why] : denied) all.push_back({{"what", what}, {"why", why}});
  return all;
}

/// Moves the extremes of a quantity that is counted into `to`; nothing where it was never read.
void move_range(json& sampled, const char* from, json& to, const char* name) {
  const auto found = sampled.find(from);
  if (found == sampled.end()) return;
  to[name] = {{"min", found->at("min").get<int>()}, {"max", found->at("max").get<int>()}};
  sampled.erase(found);
}

}  // namespace

std::string pci_address(const nvml::PciInfo& info) {
  return fmt::format("{:04x}:{:02x}:{:02x}.0", info.domain, info.bus, info.device);
}

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
      reading_since_ms_ = date_ms();
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
  open_gpus(order.gpus);
  cpu_.emplace(order.cpus);
  period_seconds_ = order.period_seconds;
  changed_.notify_all();
}

void Sampler::open_gpus(const std::vector<std::string>& addresses) {
  const nvml::Functions& library = nvml_.functions;
  if (!nvml_.problem.empty() || addresses.empty()) return;
  const unsigned count = nvml::ask<unsigned>(library.DeviceGetCount_v2).value.value_or(0);
  for (unsigned i = 0; i < count; ++i) {
    const auto device = nvml::ask<nvml::Device>(library.DeviceGetHandleByIndex_v2, i);
    if (!device.value) continue;
    const auto pci = nvml::ask<nvml::PciInfo>(library.DeviceGetPciInfo_v3, *device.value);
    if (!pci.value) continue;
    std::string address = pci_address(*pci.value);
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) continue;
    gpus_.push_back(std::make_unique<Gpu>(library, *device.value, std::move(address)));
  }
}

void Sampler::take_readings() {
  for (const auto& gpu : gpus_) {
    const Reading reading = gpu->sampler.read();
    const std::lock_guard lock(mutex_);
    gpu->readings.add(reading);
    if (gpu->denied.size() != gpu->sampler.denied().size()) gpu->denied = gpu->sampler.denied();
  }
  const Reading host = cpu_->read();
  const std::lock_guard lock(mutex_);
  cpu_readings_.add(host);
}

void Sampler::pause(bool is_paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = is_paused;
    off_ = off_ || is_paused;
    changed_.notify_all();
  }
  while (is_paused && reading_since_ms_ != 0 && !is_stuck()) std::this_thread::yield();
}

bool Sampler::is_stuck() const {
  const std::int64_t since = reading_since_ms_;
  return since != 0 && date_ms() - since > stuck_ms;
}

json Sampler::between(double begin_seconds, double end_seconds, const std::string& gpu) {
  // What happened is asked of the driver here; one that holds the sampling thread would hold this one too.
  const bool stuck = is_stuck();
  const std::lock_guard lock(mutex_);
  json host = cpu_readings_.between(begin_seconds, end_seconds);
  cpu_readings_.forget_before(end_seconds);
  json sampled;
  if (gpu.empty()) {
    sampled = std::move(host);
    sampled["denied"] = denied_json(cpu_ ? cpu_->denied() : std::vector<Denied>{});
  } else {
    const auto found = std::find_if(gpus_.begin(), gpus_.end(), [&gpu](const auto& each) { return each->pci == gpu; });
    if (found == gpus_.end()) {
      sampled = {
          {"readings", 0},
          {"denied", json::array({{{"what", "sampled"},
                                   {"why", nvml_.problem.empty() ? "NVML shows no GPU at " + gpu : nvml_.problem}}})}};
    } else if (stuck) {
      sampled = (*found)->readings.between(begin_seconds, end_seconds);
      sampled["denied"] = json::array({{{"what", "sampled"}, {"why", "the driver does not answer NVML any more"}}});
    } else {
      sampled = gpu_between(begin_seconds, end_seconds, **found);
    }
    for (const char* const series : {"series", "denied"}) host.erase(series);
    sampled["host"] = std::move(host);
  }
  sampled["period_seconds"] = period_seconds_;
  sampled["off"] = std::exchange(off_, paused_);
  return sampled;
}

json Sampler::gpu_between(double begin_seconds, double end_seconds, Gpu& gpu) {
  json sampled = gpu.readings.between(begin_seconds, end_seconds);
  gpu.readings.forget_before(end_seconds);
  if (json link = gpu.link(sampled); !link.empty()) sampled["pcie"] = std::move(link);
  sampled.update(gpu.news.since_last());
  sampled["denied"] = denied_json(gpu.denied);
  return sampled;
}

json Sampler::Gpu::link(json& sampled) const {
  json pcie = json::object();
  move_range(sampled, "link_generation", pcie, "generation");
  move_range(sampled, "link_width", pcie, "width");
  if (pcie.empty()) return pcie;
  const auto generation = nvml::ask<unsigned>(library_.DeviceGetMaxPcieLinkGeneration, device_);
  const auto width = nvml::ask<unsigned>(library_.DeviceGetMaxPcieLinkWidth, device_);
  if (generation.value) pcie["max_generation"] = *generation.value;
  if (width.value) pcie["max_width"] = *width.value;
  return pcie;
}

}  // namespace warpmark
