// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/cpu_device.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "harness/backends/cpu/core_clock.h"
#include "harness/backends/cpu/cpu_stream.h"
#include "harness/core/error.h"
#include "harness/core/units.h"
#include "harness/telemetry/cpu_conditions.h"
#include "harness/telemetry/cpu_limits.h"

namespace warpmark {
namespace cpu {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr int ceiling_probes = 40;

/// Of memory from `data` on: what lies in whole huge pages and so may be on some.
std::int64_t in_huge_pages(const void* data, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (start + huge_page_bytes - 1) / huge_page_bytes;
  const std::uintptr_t last = (start + bytes) / huge_page_bytes;
  return last > first ? static_cast<std::int64_t>((last - first) * huge_page_bytes) : 0;
}

// Left free for the rest of the machine: the page tables, the program itself, and whoever else needs memory meanwhile.
std::int64_t reserve_bytes(std::int64_t available) { return available / 10; }

Ceiling unknown_memory_bandwidth() {
  return {
      .value = std::nullopt,
      .unit = "B/s",
      .kind = CeilingKind::unknown,
      .derivation =
          "memory type, clock and channels of this machine cannot be read by a program, so there is no peak to derive"};
}

Ceiling compute_ceiling(ComputeProbe* probe, std::string_view unit, std::size_t threads) {
  const std::string rate_unit(unit_of_arithmetic(unit));
  if (probe == nullptr) return {.unit = rate_unit, .derivation = "this CPU has no instruction for it"};
  double best = 0;
  for (int i = 0; i < ceiling_probes; ++i) best = std::max(best, probe->rate());
  return {.value = best,
          .unit = rate_unit,
          .kind = CeilingKind::measured,
          .derivation = fmt::format("best of {} runs of sums of products on {} registers, {} threads, 2.5 ms each",
                                    ceiling_probes, name_of(probe->isa()), threads)};
}

}  // namespace

CpuDevice::CpuDevice() {
  const CpuLimits limits = cpu_limits();
  cpus_ = limits.cpus;
  info_ = {
      .id = "cpu:0",
      .backend = "cpu",
      .name = limits.model,
      .units = static_cast<std::int64_t>(cpus_.size()),
      .memory_bytes = limits.memory_total,
      .last_level_cache_bytes = limits.last_level_cache_bytes,
      .max_clock_hz = limits.max_clock_hz,
      .ceilings = {{"memory_bandwidth", unknown_memory_bandwidth()}},
      .facts = {{"cpus", cpus_}, {"l1d_bytes_per_core", limits.l1d_bytes}, {"l2_bytes_per_core", limits.l2_bytes}}};
}

CpuDevice::~CpuDevice() = default;

std::int64_t CpuDevice::memory_available() const {
  const std::int64_t available = warpmark::memory_available();
  return available - reserve_bytes(available);
}

Buffer CpuDevice::allocate(std::size_t bytes) {
  const std::int64_t available = memory_available();
  if (static_cast<std::int64_t>(bytes) > available)
    throw Skipped(fmt::format("needs {} more memory, {} is free", format_bytes(static_cast<double>(bytes)),
                              format_bytes(static_cast<double>(available))));
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    throw Skipped(fmt::format("the system refused {} of memory: {}", format_bytes(static_cast<double>(bytes)),
                              std::strerror(errno)));
  if (bytes >= huge_page_bytes) (void)madvise(data, bytes, MADV_HUGEPAGE);  // a wish: the kernel may refuse it
  const std::int64_t huge_bytes = bytes >= huge_page_bytes ? in_huge_pages(data, bytes) : 0;
  *huge_bytes_ += huge_bytes;
  return {data, bytes, [bytes, huge_bytes, all = huge_bytes_](void* p) {
            (void)munmap(p, bytes);
            *all -= huge_bytes;
          }};
}

std::unique_ptr<Stream> CpuDevice::stream() { return std::make_unique<CpuStream>(*this); }

std::optional<double> CpuDevice::probe(std::string_view unit) {
  ComputeProbe* const probe = compute_probes().find(unit);
  return probe == nullptr ? std::nullopt : std::optional(probe->rate());
}

std::optional<double> CpuDevice::clock_hz() { return core_clock_hz(); }

Watch CpuDevice::watch() {
  if (!conditions_) conditions_ = std::make_unique<CpuConditions>(cpus_);
  conditions_->begin();
  return [this] { return conditions_->end(*huge_bytes_); };
}

void CpuDevice::measure_ceilings() {
  for (const std::string_view unit : ComputeProbes::units)
    info_.ceilings[std::string(unit)] = compute_ceiling(compute_probes().find(unit), unit, cpus_.size());
}

ThreadPool& CpuDevice::pool() {
  if (!pool_) pool_ = std::make_unique<ThreadPool>(cpus_);
  return *pool_;
}

ComputeProbes& CpuDevice::compute_probes() {
  if (!compute_probes_) compute_probes_ = std::make_unique<ComputeProbes>(pool());
  return *compute_probes_;
}

}  // namespace cpu

Backend cpu_backend() {
  return {.name = "cpu",
          .unavailable = [] { return Unavailable{}; },
          .count = [] { return std::size_t{1}; },
          .open = [](std::size_t) -> std::unique_ptr<Device> { return std::make_unique<cpu::CpuDevice>(); }};
}

}  // namespace warpmark
