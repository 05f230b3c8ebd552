// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/gpu_events.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

/// A counter that fell was cleared meanwhile: then all that it says is new.
unsigned long long growth(unsigned long long before, unsigned long long now) {
  return now >= before ? now - before : now;
}

template <class... Parameters, class... Arguments>
Return call(const Function<Parameters...>& function, Arguments... arguments) {
  return function.call == nullptr ? Return{function_not_found} : function.call(arguments...);
}

}  // namespace

GpuEvents::GpuEvents(const Functions& library, Device device, unsigned own_processes)
    : library_(library), device_(device), last_(count()), own_processes_(own_processes) {
  const auto mig = ask_pair<unsigned>(library_.DeviceGetMigMode, device_);
  is_divided_ = mig.value && mig.value->first != 0;
  if (const Return code = call(library_.EventSetCreate, &events_); code != success) {
    events_ = nullptr;
    no_events_ = why_not(code, library_.EventSetCreate.name);
  } else if (const Return refused = call(library_.DeviceRegisterEvents, device_, event_xid, events_);
             refused != success) {
    (void)call(library_.EventSetFree, events_);
    events_ = nullptr;
    no_events_ = why_not(refused, library_.DeviceRegisterEvents.name);
  }
}

GpuEvents::~GpuEvents() {
  if (events_ != nullptr) (void)call(library_.EventSetFree, events_);
}

json GpuEvents::since_last() {
  denied_.clear();
  json events = json::object();
  const Counts now = count();
  for (const Count* each : {&now.corrected, &now.uncorrected})
    if (!each->value && denied_.empty()) denied_.push_back({.what = "ecc", .why = each->why});
  if (now.corrected.value && now.uncorrected.value)
    events["ecc"] = {
        {"corrected", growth(last_.corrected.value.value_or(*now.corrected.value), *now.corrected.value)},
        {"uncorrected", growth(last_.uncorrected.value.value_or(*now.uncorrected.value), *now.uncorrected.value)}};
  if (now.remapped.value)
    events["remapped_rows"] = growth(last_.remapped.value.value_or(*now.remapped.value), *now.remapped.value);
  else
    denied_.push_back({.what = "remapped_rows", .why = now.remapped.why});
  add_xids(events);
  add_processes(events);
  // One that could not be read this time is told with the next that can.
  if (now.corrected.value) last_.corrected = now.corrected;
  if (now.uncorrected.value) last_.uncorrected = now.uncorrected;
  if (now.remapped.value) last_.remapped = now.remapped;
  return events;
}

GpuEvents::Counts GpuEvents::count() const {
  const auto errors = [this](int type) {
    return ask<unsigned long long>(library_.DeviceGetTotalEccErrors, device_, type, int{ecc_volatile});
  };
  Counts counts{.corrected = errors(ecc_corrected), .uncorrected = errors(ecc_uncorrected)};
  unsigned by_corrected = 0, by_uncorrected = 0, pending = 0, failed = 0;
  const auto& rows = library_.DeviceGetRemappedRows;
  const Return code = call(rows, device_, &by_corrected, &by_uncorrected, &pending, &failed);
  if (code == success)
    counts.remapped.value = 0ULL + by_corrected + by_uncorrected;
  else
    counts.remapped.why = why_not(code, rows.name);
  return counts;
}

/// Their number alone: numbers of processes are those of the host, which a container does not know.
void GpuEvents::add_processes(json& to) {
  const auto deny = [this](std::string why) {
    denied_.push_back({.what = "foreign_processes", .why = std::move(why)});
  };
  if (is_divided_) return deny("the GPU is divided by MIG: those of the other instances are not ours to count");
  const auto& function = library_.DeviceGetComputeRunningProcesses_v3;
  unsigned count = 0;
  const Return code = call(function, device_, &count, nullptr);
  if (code != success && code != insufficient_size) return deny(why_not(code, function.name));
  if (count < own_processes_)
    return deny("NVML lists no process, not even ours: a container does not see those of its host");
  to["foreign_processes"] = count - own_processes_;
}

void GpuEvents::add_xids(json& to) {
  const auto& wait = library_.EventSetWait_v2;
  if (events_ == nullptr || wait.call == nullptr) {
    denied_.push_back(
        {.what = "xids", .why = events_ == nullptr ? no_events_ : why_not(function_not_found, wait.name)});
    return;
  }
  constexpr std::size_t most = 100;  // one that storms would keep us here
  json all = json::array();
  EventData event{};
  Return code = success;
  while (all.size() < most && (code = wait.call(events_, &event, 0)) == success)
    if (event.type == event_xid) all.push_back(event.data);
  const bool is_told = code == success || code == timed_out;  // a time that ran out: there is none
  if (!is_told) denied_.push_back({.what = "xids", .why = why_not(code, wait.name)});
  if (is_told || !all.empty()) to["xids"] = std::move(all);
}

}  // namespace warpmark::nvml
