// SPDX-License-Identifier: Apache-2.0
// What callers of the simulated cuDNN have described: a shadow of each of the real library's descriptors, and what
// executing a plan of them means.
#pragma once

#include <cudnn.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "tests/fakes/cudnn/convolution.h"

namespace warpmark::fakes {

struct Shadow {
  cudnnBackendDescriptorType_t type{};
  std::map<int, std::vector<std::byte>> values{};
  std::map<int, std::shared_ptr<const Shadow>> parts{};  // descriptors; they may be gone before this one
  // Of an engine's configuration: what the heuristics named it for, and how fast it is.
  std::shared_ptr<const Shadow> graph{};
  double speed = 1;
  bool uses_matrix_unit = false;
  bool is_coarse = false;
  bool refuses = false;  // when it is executed

  [[nodiscard]] const std::shared_ptr<const Shadow>& part(int name) const { return parts.at(name); }
  template <class T>
  [[nodiscard]] std::vector<T> get(int name) const {
    const std::vector<std::byte>& bytes = values.at(name);
    std::vector<T> all(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(all.data()));
    return all;
  }
};

/// Null where this library did not make it.
[[nodiscard]] std::shared_ptr<Shadow> shadow_of(cudnnBackendDescriptor_t descriptor);
void add_shadow(cudnnBackendDescriptor_t descriptor, cudnnBackendDescriptorType_t type);
void drop_shadow(cudnnBackendDescriptor_t descriptor);

/// Notes down what a caller sets.
void note_attribute(Shadow& of, int name, cudnnBackendAttributeType_t type, std::int64_t count, const void* values);

/// Gives what the heuristics named, in their order, each its speed. Among those of one kind, with the matrix unit or
/// without, the first is not the fastest, the second refuses to run, the third is the fastest. Those that are coarser
/// would win, and are wrong by a hundredth.
void rate_engines(const Shadow& heuristics, const cudnnBackendDescriptor_t* configurations, std::size_t count);

/// Empty where it is no convolution that this library can run; stderr says why.
[[nodiscard]] std::optional<SimulatedConvolution> execution_of(const Shadow& plan, const Shadow& arrays);

}  // namespace warpmark::fakes
