// SPDX-License-Identifier: Apache-2.0
// Functions of NVML: memory, its errors, the processes that hold it.
#include "tests/fakes/nvml/calls.h"

namespace warpmark::fakes::calls {
namespace {

struct Use {
  std::uint64_t total = 0;
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
};

Use use_of(const Cards& cards, Device device) {
  if (const MigInstance* const instance = cards.instance(device)) return {.total = instance->memory_bytes};
  const LiveCard& card = cards.card(device);
  return {
      .total = card.device().memory_bytes, .reserved = card.truth().memory_reserved_bytes, .used = card.used_bytes()};
}

const EccTruth& ecc_of(const Cards& cards, Device device) {
  const auto& ecc = cards.card(device).truth().ecc;
  if (!ecc) throw NvmlRefusal{nvml::not_supported};
  return *ecc;
}

}  // namespace

void DeviceGetMemoryInfo_v2(Cards& cards, Device device, MemoryV2* memory) {
  need_all(memory);
  if (memory->version != nvml::memory_v2_version) throw NvmlRefusal{nvml::argument_version_mismatch};
  const Use use = use_of(cards, device);
  memory->total = use.total;
  memory->reserved = use.reserved;
  memory->free = use.total - use.used;
  memory->used = use.used;
}

void DeviceGetMemoryInfo(Cards& cards, Device device, Memory* memory) {
  need_all(memory);
  const Use use = use_of(cards, device);
  *memory = {.total = use.total, .free = use.total - use.used, .used = use.used};
}

void DeviceGetMemoryBusWidth(Cards& cards, Device device, unsigned* bits) {
  need_all(bits);
  *bits = static_cast<unsigned>(cards.card(device).device().memory_bus_bits);
}

void DeviceGetEccMode(Cards& cards, Device device, int* now, int* after_restart) {
  need_all(now, after_restart);
  const EccTruth& ecc = ecc_of(cards, device);
  *now = ecc.on ? 1 : 0;
  *after_restart = ecc.after_restart ? 1 : 0;
}

void DeviceGetTotalEccErrors(Cards& cards, Device device, int type, int counter, unsigned long long* count) {
  need_all(count);
  const EccTruth& ecc = ecc_of(cards, device);
  if (!ecc.on) throw NvmlRefusal{nvml::not_supported};
  if ((type != nvml::ecc_corrected && type != nvml::ecc_uncorrected) ||
      (counter != nvml::ecc_volatile && counter != nvml::ecc_aggregate))
    throw NvmlRefusal{nvml::invalid_argument};
  const bool ever = counter == nvml::ecc_aggregate;
  if (type == nvml::ecc_corrected)
    *count = ever ? ecc.corrected_ever : ecc.corrected;
  else
    *count = ever ? ecc.uncorrected_ever : ecc.uncorrected;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVML's.
void DeviceGetRemappedRows(Cards& cards, Device device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                           unsigned* failed) {
  need_all(corrected, uncorrected, pending, failed);
  const auto& rows = cards.card(device).truth().rows;
  if (!rows) throw NvmlRefusal{nvml::not_supported};
  *corrected = rows->corrected;
  *uncorrected = rows->uncorrected;
  *pending = rows->pending ? 1 : 0;
  *failed = rows->failed ? 1 : 0;
}

void DeviceGetComputeRunningProcesses_v3(Cards& cards, Device device, unsigned* count, ProcessInfo* processes) {
  need_all(count);
  constexpr unsigned no_instance = ~0U;
  const std::vector<Tenant> tenants =
      cards.instance(device) != nullptr ? std::vector<Tenant>{} : cards.card(device).tenants();
  const unsigned room = *count;
  *count = static_cast<unsigned>(tenants.size());
  if (tenants.size() > room) throw NvmlRefusal{nvml::insufficient_size};
  if (tenants.empty()) return;
  need_all(processes);
  for (std::size_t i = 0; i < tenants.size(); ++i)
    processes[i] = {.pid = tenants[i].pid,
                    .used_bytes = tenants[i].used_bytes,
                    .gpu_instance = no_instance,
                    .compute_instance = no_instance};
}

}  // namespace warpmark::fakes::calls
