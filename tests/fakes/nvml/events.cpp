// SPDX-License-Identifier: Apache-2.0
// Functions of NVML: what happens to cards while somebody waits for it.
#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/fakes/nvml/calls.h"
#include "tests/fakes/nvml/entry.h"

namespace warpmark::fakes::calls {
namespace {

/// The first that has come and was not told yet.
bool take_xid(XidWatch& watch, EventData& data) {
  for (XidWatch::Watched& each : watch.watched) {
    const std::vector<XidTruth>& xids = each.card->truth().xids;
    if (each.next >= xids.size() || xids[each.next].at_seconds > each.card->seconds()) continue;
    data = {.device = each.device,
            .type = nvml::event_xid,
            .data = xids[each.next].number,
            .gpu_instance = ~0U,
            .compute_instance = ~0U};
    ++each.next;
    return true;
  }
  return false;
}

void sleep_without_lock(std::chrono::milliseconds time) {
  nvml_lock().unlock();
  std::this_thread::sleep_for(time);
  nvml_lock().lock();
}

}  // namespace

void EventSetCreate(Cards& cards, EventSet* set) {
  need_all(set);
  *set = cards.create_watch();
}

void EventSetFree(Cards& cards, EventSet set) { cards.free_watch(set); }

void DeviceRegisterEvents(Cards& cards, Device device, unsigned long long types, EventSet set) {
  if (types == 0 || (types & ~nvml::event_xid) != 0) throw NvmlRefusal{nvml::not_supported};
  LiveCard& card = cards.card(device);
  const auto is_past = [&card](const XidTruth& xid) { return xid.at_seconds < card.seconds(); };
  const auto past = std::count_if(card.truth().xids.begin(), card.truth().xids.end(), is_past);
  cards.watch(set).watched.push_back({.device = device, .card = &card, .next = static_cast<std::size_t>(past)});
}

void EventSetWait_v2(Cards& cards, EventSet set, EventData* data, unsigned timeout_ms) {
  need_all(data);
  if (take_xid(cards.watch(set), *data)) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (std::chrono::steady_clock::now() < until) {
    sleep_without_lock(std::chrono::milliseconds(1));
    // Others may have shut the library down meanwhile.
    if (take_xid(started_cards().watch(set), *data)) return;
  }
  throw NvmlRefusal{nvml::timed_out};
}

}  // namespace warpmark::fakes::calls
