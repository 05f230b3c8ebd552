// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/nvml/cards.h"

#include <algorithm>
#include <array>

namespace warpmark::fakes {
namespace {

struct Release {
  int driver_version = 0;
  const char* text = "";
};

/// One that serves that version of CUDA, for scenarios that name none.
constexpr std::array releases{Release{11000, "450.51.06"},  Release{11020, "460.32.03"},  Release{11040, "470.57.02"},
                              Release{11060, "510.47.03"},  Release{11070, "515.65.01"},  Release{11080, "520.61.05"},
                              Release{12000, "525.147.05"}, Release{12010, "530.30.02"},  Release{12020, "535.183.01"},
                              Release{12030, "545.23.08"},  Release{12040, "550.127.05"}, Release{12050, "555.42.06"},
                              Release{12060, "560.35.05"},  Release{12070, "565.57.01"},  Release{12080, "570.133.20"},
                              Release{12090, "575.57.08"},  Release{13000, "580.82.07"},  Release{13010, "590.44.01"}};

}  // namespace

Cards::Cards(Scenario scenario) : scenario_(std::move(scenario)), faults_(scenario_.faults, scenario_.path) {
  for (std::size_t i = 0; i < scenario_.devices.size(); ++i)
    cards_.push_back(std::make_unique<LiveCard>(scenario_.devices[i], static_cast<int>(i), time_));
  std::stable_sort(cards_.begin(), cards_.end(),
                   [](const auto& a, const auto& b) { return a->device().pci < b->device().pci; });
}

std::string Cards::release_text() const {
  if (!scenario_.driver_release.empty()) return scenario_.driver_release;
  const char* text = releases.front().text;
  for (const Release& each : releases)
    if (each.driver_version <= scenario_.driver_version) text = each.text;
  return text;
}

int Cards::release() const { return std::stoi(release_text()); }

nvml::Device Cards::handle(const LiveCard& card) const {
  return reinterpret_cast<nvml::Device>(const_cast<LiveCard*>(&card));
}

nvml::Device Cards::handle(const MigInstance& instance) const {
  return reinterpret_cast<nvml::Device>(const_cast<MigInstance*>(&instance));
}

LiveCard& Cards::card(nvml::Device handle_of) const {
  for (const auto& card : cards_) {
    if (handle(*card) == handle_of) return *card;
    if (!card->truth().mig) continue;
    for (const MigInstance& instance : card->truth().mig->instances)
      if (handle(instance) == handle_of) return *card;
  }
  throw NvmlRefusal{nvml::invalid_argument};
}

const MigInstance* Cards::instance(nvml::Device handle_of) const {
  const LiveCard& whole = card(handle_of);
  return handle(whole) == handle_of ? nullptr : reinterpret_cast<const MigInstance*>(handle_of);
}

nvml::EventSet Cards::create_watch() { return reinterpret_cast<nvml::EventSet>(&watches_.emplace_back()); }

XidWatch& Cards::watch(nvml::EventSet set) {
  for (XidWatch& each : watches_)
    if (reinterpret_cast<nvml::EventSet>(&each) == set) return each;
  throw NvmlRefusal{nvml::invalid_argument};
}

void Cards::free_watch(nvml::EventSet set) {
  XidWatch& freed = watch(set);
  watches_.remove_if([&freed](const XidWatch& each) { return &each == &freed; });
}

}  // namespace warpmark::fakes
