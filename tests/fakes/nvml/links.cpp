// SPDX-License-Identifier: Apache-2.0
// Functions of NVML: what joins a card to the machine and to other cards, and how MIG divides it.
#include <algorithm>

#include "tests/fakes/nvml/calls.h"

namespace warpmark::fakes::calls {
namespace {

void tell_link(Cards& cards, Device device, unsigned LinkTruth::*which, unsigned* to) {
  need_all(to);
  *to = cards.card(device).truth().link.*which;
}

const NvLinkTruth& nvlink_of(const Cards& cards, Device device, unsigned link) {
  const auto& nvlink = cards.card(device).truth().nvlink;
  if (!nvlink) throw NvmlRefusal{nvml::not_supported};
  if (link >= nvlink->links) throw NvmlRefusal{nvml::invalid_argument};
  return *nvlink;
}

const MigTruth& mig_of(const Cards& cards, Device device) {
  const auto& mig = cards.card(device).truth().mig;
  if (!mig) throw NvmlRefusal{nvml::not_supported};
  return *mig;
}

const MigInstance& need_instance(const Cards& cards, Device device) {
  const MigInstance* const instance = cards.instance(device);
  if (instance == nullptr) throw NvmlRefusal{nvml::not_supported};
  return *instance;
}

}  // namespace

void DeviceGetCurrPcieLinkGeneration(Cards& cards, Device device, unsigned* generation) {
  const bool is_busy = cards.card(device).is_busy();
  tell_link(cards, device, is_busy ? &LinkTruth::generation : &LinkTruth::idle_generation, generation);
}

void DeviceGetMaxPcieLinkGeneration(Cards& cards, Device device, unsigned* generation) {
  tell_link(cards, device, &LinkTruth::max_generation, generation);
}

void DeviceGetGpuMaxPcieLinkGeneration(Cards& cards, Device device, unsigned* generation) {
  tell_link(cards, device, &LinkTruth::gpu_max_generation, generation);
}

void DeviceGetCurrPcieLinkWidth(Cards& cards, Device device, unsigned* lanes) {
  tell_link(cards, device, &LinkTruth::width, lanes);
}

void DeviceGetMaxPcieLinkWidth(Cards& cards, Device device, unsigned* lanes) {
  tell_link(cards, device, &LinkTruth::max_width, lanes);
}

void DeviceGetNvLinkState(Cards& cards, Device device, unsigned link, int* active) {
  need_all(active);
  *active = link < nvlink_of(cards, device, link).active ? 1 : 0;
}

void DeviceGetNvLinkVersion(Cards& cards, Device device, unsigned link, unsigned* version) {
  need_all(version);
  *version = nvlink_of(cards, device, link).version;
}

void DeviceGetTopologyCommonAncestor(Cards& cards, Device device, Device other, int* ancestor) {
  need_all(ancestor);
  const CardTruth& one = cards.card(device).truth();
  const CardTruth& two = cards.card(other).truth();
  constexpr nvml::Ancestor by_depth[] = {nvml::across_nodes, nvml::numa_node, nvml::host_bridge, nvml::several_switches,
                                         nvml::one_switch};
  const auto apart = std::mismatch(one.place.begin(), one.place.end(), two.place.begin(), two.place.end());
  const auto shared = static_cast<std::size_t>(apart.first - one.place.begin());
  *ancestor = one.board_id == two.board_id ? nvml::same_board : by_depth[std::min(shared, std::size(by_depth) - 1)];
}

void DeviceGetNumaNodeId(Cards& cards, Device device, unsigned* node) {
  need_all(node);
  *node = cards.card(device).truth().place.front();
}

void DeviceGetMigMode(Cards& cards, Device device, unsigned* now, unsigned* after_restart) {
  need_all(now, after_restart);
  const MigTruth& mig = mig_of(cards, device);
  *now = mig.on ? 1 : 0;
  *after_restart = mig.after_restart ? 1 : 0;
}

void DeviceGetMaxMigDeviceCount(Cards& cards, Device device, unsigned* count) {
  need_all(count);
  const auto& mig = cards.card(device).truth().mig;
  *count = mig ? mig->most_instances : 0;
}

void DeviceGetMigDeviceHandleByIndex(Cards& cards, Device device, unsigned index, Device* instance) {
  need_all(instance);
  const MigTruth& mig = mig_of(cards, device);
  if (index >= mig.most_instances) throw NvmlRefusal{nvml::invalid_argument};
  for (const MigInstance& each : mig.instances) {
    if (each.at != index) continue;
    *instance = cards.handle(each);
    return;
  }
  throw NvmlRefusal{nvml::not_found};
}

void DeviceGetGpuInstanceId(Cards& cards, Device device, unsigned* id) {
  need_all(id);
  *id = need_instance(cards, device).gpu_instance;
}

void DeviceGetComputeInstanceId(Cards& cards, Device device, unsigned* id) {
  need_all(id);
  *id = need_instance(cards, device).compute_instance;
}

void DeviceGetAttributes_v2(Cards& cards, Device device, DeviceAttributes* attributes) {
  need_all(attributes);
  const MigInstance& instance = need_instance(cards, device);
  *attributes = {};
  attributes->multiprocessors = instance.multiprocessors;
  attributes->copy_engines = 1;
  attributes->gpu_slices = 1;
  attributes->compute_slices = 1;
  attributes->memory_mib = instance.memory_bytes >> 20U;
}

}  // namespace warpmark::fakes::calls
