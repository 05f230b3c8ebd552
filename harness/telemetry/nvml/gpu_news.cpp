// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvml/gpu_news.h"

#include <algorithm>

namespace warpmark::nvml {
namespace {

using nlohmann::json;

/// A counter that fell was cleared meanwhile: then all that it says is new.
std::optional<unsigned long long> growth(const std::optional<unsigned long long>& before,
                                         const std::optional<unsigned long long>& now) {
  if (!before || !now) return std::nullopt;
  return *now >= *before ? *now - *before : *now;
}

}  // namespace

GpuNews::GpuNews(const Functions& library, Device device) : library_(library), device_(device), last_(count()) {
  if (library_.EventSetCreate.call == nullptr || library_.DeviceRegisterEvents.call == nullptr) return;
  if (library_.EventSetCreate.call(&events_) != success) events_ = nullptr;
  if (events_ == nullptr || library_.DeviceRegisterEvents.call(device_, event_xid, events_) == success) return;
  if (library_.EventSetFree.call != nullptr) (void)library_.EventSetFree.call(events_);
  events_ = nullptr;
}

GpuNews::~GpuNews() {
  if (events_ != nullptr && library_.EventSetFree.call != nullptr) (void)library_.EventSetFree.call(events_);
}

json GpuNews::since_last() {
  const Counts now = count();
  json news = json::object();
  const auto corrected = growth(last_.corrected, now.corrected),
             uncorrected = growth(last_.uncorrected, now.uncorrected);
  if (corrected && uncorrected) news["ecc"] = {{"corrected", *corrected}, {"uncorrected", *uncorrected}};
  if (const auto rows = growth(last_.remapped, now.remapped)) news["remapped_rows"] = *rows;
  if (events_ != nullptr) news["xids"] = xids();
  if (const auto all = processes()) news["foreign_processes"] = *all > 0 ? *all - 1 : 0;
  last_ = now;
  return news;
}

GpuNews::Counts GpuNews::count() const {
  Counts counts{.corrected = ask<unsigned long long>(library_.DeviceGetTotalEccErrors, device_, int{ecc_corrected},
                                                     int{ecc_volatile})
                                 .value,
                .uncorrected = ask<unsigned long long>(library_.DeviceGetTotalEccErrors, device_, int{ecc_uncorrected},
                                                       int{ecc_volatile})
                                   .value};
  unsigned by_corrected = 0, by_uncorrected = 0, pending = 0, failed = 0;
  const auto& rows = library_.DeviceGetRemappedRows;
  if (rows.call != nullptr && rows.call(device_, &by_corrected, &by_uncorrected, &pending, &failed) == success)
    counts.remapped = 0ULL + by_corrected + by_uncorrected;
  return counts;
}

/// Their number alone: numbers of processes are those of the host, which a container does not know.
std::optional<unsigned> GpuNews::processes() const {
  const auto& function = library_.DeviceGetComputeRunningProcesses_v3;
  if (function.call == nullptr) return std::nullopt;
  unsigned count = 0;
  const Return code = function.call(device_, &count, nullptr);
  if (code == success || code == insufficient_size) return count;
  return std::nullopt;
}

json GpuNews::xids() const {
  json all = json::array();
  if (library_.EventSetWait_v2.call == nullptr) return all;
  constexpr std::size_t most = 100;  // one that storms would keep us here
  EventData event{};
  while (all.size() < most && library_.EventSetWait_v2.call(events_, &event, 0) == success)
    if (event.type == event_xid) all.push_back(event.data);
  return all;
}

}  // namespace warpmark::nvml
