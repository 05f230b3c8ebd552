// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/same_bytes.h"

#include <numeric>
#include <vector>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"

namespace warpmark::cpu {
namespace {

double differences(ThreadPool& pool, const ops::SameBytesCheck& op) {
  const auto* const got = static_cast<const unsigned char*>(op.got);
  const auto* const wanted = static_cast<const unsigned char*>(op.wanted);
  std::vector<double> counts(pool.size(), 0);
  pool.run([&](std::size_t index, std::size_t count) {
    const Part part = part_of(op.n, 1, index, count);
    std::size_t mine = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) mine += got[i] == wanted[i] ? 0 : 1;
    counts[index] = static_cast<double>(mine);
  });
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

Bound bind(Stream&, const ops::SameBytesCheck& op) {
  return {.launch = [op](Stream& s) { *op.out = differences(pool_of(s), op); }};
}

const Implements<ops::SameBytesCheck> check{{.id = {"cpu", "check", DType::u8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
