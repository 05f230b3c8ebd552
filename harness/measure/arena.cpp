// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/arena.h"

#include <utility>

#include "harness/core/error.h"

namespace warpmark {

const void* Arena::random(std::size_t n, DType dtype, std::uint64_t seed) {
  const Content wanted{.n = n, .dtype = dtype, .seed = seed};
  for (Block& block : blocks_) {
    if (block.content == wanted) {
      block.in_use = true;
      return block.buffer.data();
    }
  }
  Block& block = take(n * size_of(dtype));
  stream_.fill_random(block.buffer.data(), n, dtype, seed);
  block.content = wanted;
  return block.buffer.data();
}

void* Arena::poisoned(std::size_t bytes) {
  Block& block = take(bytes);
  block.content.reset();
  stream_.poison(block.buffer.data(), bytes);
  return block.buffer.data();
}

void Arena::poison_again() {
  for (const Block& block : blocks_)
    if (block.in_use && !block.content) stream_.poison(block.buffer.data(), block.buffer.bytes());
  stream_.wait();
}

void Arena::recycle() {
  for (Block& block : blocks_) block.in_use = false;
}

Arena::Block& Arena::take(std::size_t bytes) {
  // Only a block of exactly this size: a larger one would lie on other pages than the partition of this size wants.
  for (Block& block : blocks_) {
    if (!block.in_use && !block.content && block.buffer.bytes() == bytes) {
      block.in_use = true;
      return block;
    }
  }
  return blocks_.emplace_back(Block{.buffer = allocate(bytes), .content = std::nullopt, .in_use = true});
}

Buffer Arena::allocate(std::size_t bytes) {
  try {
    return device_.allocate(bytes);
  } catch (const Skipped&) {
    const std::size_t before = blocks_.size();
    blocks_.remove_if([](const Block& block) { return !block.in_use; });
    if (blocks_.size() == before) throw;
    return device_.allocate(bytes);
  }
}

}  // namespace warpmark
