// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/address_map.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/fakes/machine/byte_range.h"

namespace warpmark::fakes {
namespace {

constexpr std::size_t alignment_bytes = 512;  // as the driver aligns
constexpr int never_written = 0xa5;

}  // namespace

void AddressMap::release_all() {
  for (const auto& [address, bytes] : sizes_) std::free(pointer_at(address));
  sizes_.clear();
  bytes_ = 0;
}

void AddressMap::abandon_all() {
  sizes_.clear();
  bytes_ = 0;
}

void* AddressMap::allocate(std::size_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, alignment_bytes, bytes) != 0) throw std::bad_alloc();
  std::memset(data, never_written, bytes);
  sizes_[reinterpret_cast<std::uintptr_t>(data)] = bytes;
  bytes_ += bytes;
  return data;
}

bool AddressMap::release(void* data) {
  const auto found = sizes_.find(reinterpret_cast<std::uintptr_t>(data));
  if (found == sizes_.end()) return false;
  bytes_ -= found->second;
  sizes_.erase(found);
  std::free(data);
  return true;
}

bool AddressMap::holds(const void* data, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  auto next = sizes_.upper_bound(address);
  if (next == sizes_.begin()) return false;
  --next;
  const std::size_t offset = address - next->first;
  return offset <= next->second && bytes <= next->second - offset;
}

}  // namespace warpmark::fakes
