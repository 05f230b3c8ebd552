// SPDX-License-Identifier: Apache-2.0
// The buffers of one worker on one device: kept from case to case, so that memory is mapped once and filled once per
// content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>

#include "harness/device/device.h"

namespace warpmark {

class Arena {
 public:
  Arena(Device& device, Stream& stream) : device_(device), stream_(stream) {}

  /// Filled by Stream::fill_random; the same arguments give the same memory again, so nobody may write to it.
  [[nodiscard]] const void* random(std::size_t n, DType dtype, std::uint64_t seed);
  /// Filled by Stream::fill_cycle; otherwise the same.
  [[nodiscard]] const void* cycle(std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed);
  /// Bytes of 0xff, not shared.
  [[nodiscard]] void* poisoned(std::size_t bytes);
  /// Bytes of 0xff once more in all that poisoned() handed out for this case: what is right afterwards was written
  /// afterwards.
  void poison_again();
  /// Ends a case: everything handed out may be reused.
  void recycle();

 private:
  struct Content {
    std::size_t n = 0;
    DType dtype = DType::f32;
    std::uint64_t seed = 0;
    std::size_t stride_bytes = 0;  // of a cycle; 0: numbers side by side
    friend bool operator==(const Content&, const Content&) = default;
  };
  struct Block {
    Buffer buffer;
    std::optional<Content> content{};
    bool in_use = false;
  };

  const void* filled(const Content& wanted, std::size_t bytes);
  Block& take(std::size_t bytes);
  Buffer allocate(std::size_t bytes);

  Device& device_;
  Stream& stream_;
  std::list<Block> blocks_{};
};

}  // namespace warpmark
