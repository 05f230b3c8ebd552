// SPDX-License-Identifier: Apache-2.0
// Parts of the card of NVML: memory and its errors.
#include <algorithm>

#include "harness/telemetry/nvml/card_parts.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

/// Drivers before R510 have no second version, and do not tell what they keep for themselves.
void put_sizes(const Asked& gpu, Members& members) {
  const auto second = ask_from(MemoryV2{.version = memory_v2_version, .total = 0, .reserved = 0, .free = 0, .used = 0},
                               gpu.functions.DeviceGetMemoryInfo_v2, gpu.device);
  if (second.value) {
    const MemoryV2& sizes = *second.value;
    members.known("total_bytes", sizes.total);
    members.known("reserved_bytes", sizes.reserved);
    members.known("used_bytes", sizes.used);
    members.known("usable_bytes", sizes.total - std::min(sizes.reserved, sizes.total));
    return;
  }
  const auto first = ask<Memory>(gpu.functions.DeviceGetMemoryInfo, gpu.device);
  members.put("total_bytes", first, [](const Memory& sizes) { return sizes.total; });
  members.unknown("reserved_bytes", second.why, second.code);
  members.put("used_bytes", first, [](const Memory& sizes) { return sizes.used; });
  members.unknown("usable_bytes", second.why, second.code);
}

struct Rows {
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
};

Answer<Rows> ask_rows(const Asked& gpu) {
  const auto& function = gpu.functions.DeviceGetRemappedRows;
  Rows rows;
  const Return code = function.call == nullptr
                          ? Return{function_not_found}
                          : function.call(gpu.device, &rows.corrected, &rows.uncorrected, &rows.pending, &rows.failed);
  if (code == success) return {.value = rows};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

}  // namespace

json memory(const Asked& gpu) {
  Members members(gpu.what + ".memory", gpu.denied);
  put_sizes(gpu, members);
  members.put("bus_bits", ask<unsigned>(gpu.functions.DeviceGetMemoryBusWidth, gpu.device));
  return members.section();
}

json ecc(const Asked& gpu) {
  Members members(gpu.what + ".ecc", gpu.denied);
  const auto is_on = [](int mode) { return mode != 0; };
  const Answer<Pair<int>> modes = ask_pair<int>(gpu.functions.DeviceGetEccMode, gpu.device);
  members.put("on", first_of(modes), is_on);
  members.put("after_restart", second_of(modes), is_on);
  const auto put_count = [&](const char* name, EccType type, EccCounter counter) {
    members.put(name, ask<unsigned long long>(gpu.functions.DeviceGetTotalEccErrors, gpu.device, type, counter));
  };
  put_count("corrected", ecc_corrected, ecc_volatile);
  put_count("uncorrected", ecc_uncorrected, ecc_volatile);
  put_count("corrected_ever", ecc_corrected, ecc_aggregate);
  put_count("uncorrected_ever", ecc_uncorrected, ecc_aggregate);
  return members.section();
}

json remapped_rows(const Asked& gpu) {
  Members members(gpu.what + ".remapped_rows", gpu.denied);
  const Answer<Rows> rows = ask_rows(gpu);
  members.put("corrected", rows, [](const Rows& r) { return r.corrected; });
  members.put("uncorrected", rows, [](const Rows& r) { return r.uncorrected; });
  members.put("pending", rows, [](const Rows& r) { return r.pending != 0; });
  members.put("failed", rows, [](const Rows& r) { return r.failed != 0; });
  return members.section();
}

}  // namespace warpmark::nvml
