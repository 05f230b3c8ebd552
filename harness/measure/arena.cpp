// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/arena.h"

#include <utility>

#include "harness/core/error.h"

namespace warpmark {

const void* Arena::random(std::size_t n, DType dtype, std::uint64_t seed) {
  return filled({.n = n, .dtype = dtype, .seed = seed}, n * size_of(dtype));
}

const void* Arena::cycle(std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) {
  return filled({.n = nodes, .dtype = DType::u64, .seed = seed, .stride_bytes = stride_bytes}, nodes * stride_bytes);
}

const void* Arena::filled(const Content& wanted, std::size_t bytes) {
  for (Block& block : blocks_) {
    if (block.content == wanted) {
      block.in_use = true;
      return block.buffer.data();
    }
  }
  Block& block = take(bytes);
  if (wanted.stride_bytes > 0)
    stream_.fill_cycle(block.buffer.data(), wanted.n, wanted.stride_bytes, wanted.seed);
  else
    stream_.fill_random(block.buffer.data(), wanted.n, wanted.dtype, wanted.seed);
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
