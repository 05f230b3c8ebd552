// SPDX-License-Identifier: Apache-2.0
// Functions of NVML: starting it, what it is, which cards there are and what they are called.
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/fakes/nvml/calls.h"
#include "tests/fakes/nvml/entry.h"

namespace warpmark::fakes::calls {
namespace {

void copy_text(const std::string& from, char* to, unsigned room) {
  need_all(to);
  if (from.size() >= room) throw NvmlRefusal{nvml::insufficient_size};
  std::memcpy(to, from.c_str(), from.size() + 1);
}

unsigned hex(const std::string& text, std::size_t from, std::size_t digits) {
  return static_cast<unsigned>(std::stoul(text.substr(from, digits), nullptr, 16));
}

/// Of one SM, by the white papers.
unsigned cores_of_sm(const DeviceTruth& device) {
  if (device.major == 7 || (device.major == 8 && device.minor == 0)) return 64;
  return 128;
}

}  // namespace

void Init_v2(Cards& /*cards*/) { start_nvml(); }

void Shutdown(Cards& /*cards*/) { shut_nvml_down(); }

void SystemGetDriverVersion(Cards& cards, char* text, unsigned room) { copy_text(cards.release_text(), text, room); }

void SystemGetNVMLVersion(Cards& cards, char* text, unsigned room) {
  copy_text(std::to_string(cards.scenario().driver_version / 1000) + "." + cards.release_text(), text, room);
}

void SystemGetCudaDriverVersion_v2(Cards& cards, int* version) {
  need_all(version);
  *version = cards.scenario().driver_version;
}

void DeviceGetCount_v2(Cards& cards, unsigned* count) {
  need_all(count);
  *count = static_cast<unsigned>(cards.all().size());
}

void DeviceGetHandleByIndex_v2(Cards& cards, unsigned index, Device* device) {
  need_all(device);
  if (index >= cards.all().size()) throw NvmlRefusal{nvml::invalid_argument};
  const LiveCard& card = *cards.all()[index];
  if (cards.faults().is_lost(card.ordinal())) throw NvmlRefusal{nvml::gpu_is_lost};
  *device = cards.handle(card);
}

void DeviceGetName(Cards& cards, Device device, char* text, unsigned room) {
  copy_text(cards.card(device).device().name, text, room);
}

void DeviceGetUUID(Cards& cards, Device device, char* text, unsigned room) {
  const MigInstance* const instance = cards.instance(device);
  copy_text(instance != nullptr ? instance->uuid : cards.card(device).device().uuid, text, room);
}

void DeviceGetPciInfo_v3(Cards& cards, Device device, PciInfo* info) {
  need_all(info);
  const LiveCard& card = cards.card(device);
  const std::string& address = card.device().pci;  // "0000:1B:00.0"
  *info = {};
  info->domain = hex(address, 0, 4);
  info->bus = hex(address, 5, 2);
  info->device = hex(address, 8, 2);
  info->device_id = card.truth().pci_device_id;
  info->subsystem_id = card.truth().pci_subsystem_id;
  copy_text(address, info->bus_id_legacy, sizeof info->bus_id_legacy);
  copy_text("0000" + address, info->bus_id, sizeof info->bus_id);
}

void DeviceGetVbiosVersion(Cards& cards, Device device, char* text, unsigned room) {
  copy_text(cards.card(device).truth().vbios, text, room);
}

void DeviceGetBoardPartNumber(Cards& cards, Device device, char* text, unsigned room) {
  copy_text(cards.card(device).truth().part_number, text, room);
}

void DeviceGetBoardId(Cards& cards, Device device, unsigned* id) {
  need_all(id);
  *id = cards.card(device).truth().board_id;
}

void DeviceGetCudaComputeCapability(Cards& cards, Device device, int* major, int* minor) {
  need_all(major, minor);
  *major = cards.card(device).device().major;
  *minor = cards.card(device).device().minor;
}

void DeviceGetNumGpuCores(Cards& cards, Device device, unsigned* cores) {
  need_all(cores);
  const DeviceTruth& truth = cards.card(device).device();
  *cores = static_cast<unsigned>(truth.sms) * cores_of_sm(truth);
}

void DeviceGetVirtualizationMode(Cards& cards, Device device, int* mode) {
  need_all(mode);
  *mode = cards.card(device).truth().virtualization;
}

void DeviceGetPersistenceMode(Cards& cards, Device device, int* on) {
  need_all(on);
  *on = cards.card(device).truth().persistence ? 1 : 0;
}

void DeviceGetComputeMode(Cards& cards, Device device, int* mode) {
  need_all(mode);
  *mode = cards.card(device).truth().compute_mode;
}

}  // namespace warpmark::fakes::calls
