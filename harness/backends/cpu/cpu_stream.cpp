// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/cpu_stream.h"

#include <chrono>
#include <cmath>
#include <cstring>

#include "harness/core/bf16.h"
#include "harness/core/error.h"
#include "harness/core/f16.h"
#include "harness/core/shuffle.h"
#include "harness/core/uniform.h"

namespace warpmark::cpu {
namespace {

/// Up to here the other threads are left asleep: on a busy machine waking them takes longer than the work.
constexpr std::size_t small_bytes = 65536;

/// Calls part(begin, end) for parts that make up all n elements.
template <class Of>
void in_parts(ThreadPool& pool, std::size_t n, std::size_t element_bytes, const Of& part_work) {
  if (n * element_bytes <= small_bytes) return part_work(0, n);
  pool.run([&](std::size_t index, std::size_t count) {
    const Part part = part_of(n, element_bytes, index, count);
    part_work(part.begin, part.end);
  });
}

/// `unit` is in [-1, 1). Of int8 every value is as likely as any other.
template <class T>
T as(double unit) {
  return static_cast<T>(unit);
}
template <>
std::int8_t as<std::int8_t>(double unit) {
  return static_cast<std::int8_t>(std::floor(unit * 128));
}

template <class T>
void fill(ThreadPool& pool, void* to, std::size_t n, std::uint64_t seed) {
  auto* const values = static_cast<T*>(to);
  in_parts(pool, n, sizeof(T), [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) values[i] = as<T>(uniform(seed, i));
  });
}

}  // namespace

void CpuStream::copy_in(void* device_to, const void* host_from, std::size_t bytes) {
  std::memcpy(device_to, host_from, bytes);
}

void CpuStream::copy_out(void* host_to, const void* device_from, std::size_t bytes) {
  std::memcpy(host_to, device_from, bytes);
}

void CpuStream::fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) {
  switch (dtype) {
    case DType::f64: return fill<double>(pool(), device_to, n, seed);
    case DType::f32: return fill<float>(pool(), device_to, n, seed);
    case DType::f16: return fill<F16>(pool(), device_to, n, seed);
    case DType::bf16: return fill<Bf16>(pool(), device_to, n, seed);
    case DType::u8:  // a byte of an integer that may be any
    case DType::i8: return fill<std::int8_t>(pool(), device_to, n, seed);
    default: throw Unsupported("the cpu backend does not fill arrays of " + std::string(name_of(dtype)));
  }
}

void CpuStream::fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) {
  ThreadPool& threads = pool();  // made first: with it this thread is pinned, and stays near what it touches
  auto* const first = static_cast<std::byte*>(device_to);
  // By the one thread that will walk here, so that all of it lies near that core.
  constexpr std::size_t page_bytes = 4096;
  for (std::size_t at = 0; at < nodes * stride_bytes; at += page_bytes) first[at] = std::byte{};
  const Shuffle order(seed, nodes);
  const auto node = [&](std::size_t place) { return first + order(place % nodes) * stride_bytes; };
  threads.run([&](std::size_t index, std::size_t count) {
    const Part part = part_of(nodes, sizeof(void*), index, count);
    for (std::size_t place = part.begin; place < part.end; ++place) {
      const void* const next = node(place + 1);
      std::memcpy(node(place), &next, sizeof next);
    }
  });
}

void CpuStream::poison(void* device_to, std::size_t bytes) {
  auto* const to = static_cast<unsigned char*>(device_to);
  in_parts(pool(), bytes, 1, [=](std::size_t begin, std::size_t end) { std::memset(to + begin, 0xff, end - begin); });
}

double CpuStream::time(const std::function<void(Stream&)>& submit) {
  const auto start = std::chrono::steady_clock::now();
  submit(*this);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ThreadPool& pool_of(Stream& stream) { return static_cast<CpuStream&>(stream).pool(); }

}  // namespace warpmark::cpu
