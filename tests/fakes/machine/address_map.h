// SPDX-License-Identifier: Apache-2.0
// The memory that was handed out, by address. It comes from malloc, so that AddressSanitizer sees a kernel that leaves
// its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace warpmark::fakes {

class AddressMap {
 public:
  AddressMap() = default;
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;
  ~AddressMap() { release_all(); }

  /// Filled with bytes that nobody meant: fresh memory is not zero on a device either.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// False where no allocation begins there.
  [[nodiscard]] bool release(void* data);
  void release_all();
  /// Forgets all and frees nothing: LeakSanitizer then tells who allocated what nobody has released.
  void abandon_all();
  /// Whether one allocation holds all these bytes.
  [[nodiscard]] bool holds(const void* data, std::size_t bytes) const;
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t count() const { return sizes_.size(); }

 private:
  std::map<std::uintptr_t, std::size_t> sizes_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace warpmark::fakes
