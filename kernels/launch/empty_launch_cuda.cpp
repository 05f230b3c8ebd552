// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/empty_launch_cuda.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <limits>

#include "embedded/empty_cuda_code.h"
#include "kernels/launch/empty_cuda.h"

namespace warpmark::cuda {
namespace {

constexpr std::array<std::size_t, 4> sizes{0, 64, 1024, 4096};

LoadedKernel load(Stream& stream, const std::string& name) {
  static const DeviceCode code(embedded::empty_cuda_code());
  return code.kernel(cuda_stream(stream).cuda_device(), name.c_str());
}

void keep_on(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  (void)sched_setaffinity(0, sizeof set, &set);  // refused, it stays as it was: slower, and the samples show it
}

}  // namespace

PinnedHost::PinnedHost() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) before_.push_back(cpu);
  cpu_ = sched_getcpu();
  if (cpu_ >= 0) keep_on({cpu_});
}

PinnedHost::~PinnedHost() {
  if (cpu_ >= 0) keep_on(before_);
}

EmptyLaunch::EmptyLaunch(Stream& stream, const ops::Empty& op, std::size_t launches)
    : op_(op),
      kernel_(load(stream, fmt::format("launch_empty_{}", op.argument_bytes))),
      tell_(load(stream, "launch_tell")),
      bytes_(op.argument_bytes * launches) {
  if (!bytes_.empty()) stream.copy_out(bytes_.data(), op.arguments, bytes_.size());
  CudaStream& s = cuda_stream(stream);
  submit(s);
  write_down(s);  // what a launch that was given up may have left
  s.wait();
}

void EmptyLaunch::tell(CudaStream& stream) {
  stream.launch_bytes(kernel_, telling_grid(), arguments(0));
  write_down(stream);
}

void EmptyLaunch::write_down(CudaStream& stream) const { stream.launch(tell_, {}, TellParameters{.to = op_.launched}); }

Grid EmptyLaunch::timed_grid() const { return {.blocks = static_cast<unsigned>(op_.blocks), .threads = empty_threads}; }

Grid EmptyLaunch::telling_grid() const {
  return {.blocks = static_cast<unsigned>(op_.blocks), .threads = telling_threads};
}

void* EmptyLaunch::arguments(std::size_t launch) {
  return bytes_.empty() ? nullptr : bytes_.data() + launch * op_.argument_bytes;
}

nlohmann::json EmptyLaunch::about() const {
  nlohmann::json about{{"threads", empty_threads}, {"jit", kernel_.jit}};
  if (host_.cpu() >= 0) about["host_cpu"] = host_.cpu();
  return about;
}

std::string no_empty_launch(const Case& at) {
  const std::int64_t bytes = at.integer("arguments");
  if (std::find(sizes.begin(), sizes.end(), static_cast<std::size_t>(bytes)) == sizes.end())
    return fmt::format("there are empty kernels with 0, 64, 1024 and 4096 bytes of arguments, and none with {}", bytes);
  if (at.integer("blocks") > std::numeric_limits<int>::max()) return "a grid has at most 2147483647 blocks";
  return {};
}

}  // namespace warpmark::cuda
