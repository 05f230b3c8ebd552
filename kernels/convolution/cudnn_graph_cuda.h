// SPDX-License-Identifier: Apache-2.0
// One convolution as cuDNN's backend interface describes it: tensors, a graph of one operation, the engines that the
// heuristics name for it, and plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/backends/cuda/cudnn.h"
#include "kernels/convolution/convolution.h"

namespace warpmark::cuda {

/// A descriptor of the library's: attributes are set, then it is finalized, then others may refer to it.
class CudnnDescriptor {
 public:
  CudnnDescriptor(const Cudnn& dnn, cudnnBackendDescriptorType_t type);

  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t count, const void* values);
  void set(cudnnBackendAttributeName_t name, std::int64_t value) { set(name, CUDNN_TYPE_INT64, 1, &value); }
  void set(cudnnBackendAttributeName_t name, const CudnnDescriptor& value);
  void finalize();
  /// What finalizing it says, for those that may be refused.
  [[nodiscard]] cudnnStatus_t try_to_finalize();

  /// Up to `most` values; how many it has.
  std::size_t get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t most,
                  void* values) const;
  [[nodiscard]] std::int64_t integer(cudnnBackendAttributeName_t name) const;
  [[nodiscard]] cudnnBackendDescriptor_t handle() const { return owned_.get(); }

 private:
  const Cudnn* dnn_;
  std::unique_ptr<void, cudnnStatus_t (*)(cudnnBackendDescriptor_t)> owned_;
};

/// A way to compute that the heuristics name.
struct CudnnEngine {
  std::shared_ptr<CudnnDescriptor> configuration{};
  std::int64_t id = -1;
  std::vector<cudnnBackendNumericalNote_t> notes{};
  std::vector<cudnnBackendBehaviorNote_t> behavior{};
  int rank = 0;              // among what was named, from 1
  int of = 0;                // how many were
  bool is_fallback = false;  // named by the second, simple list

  [[nodiscard]] bool has(cudnnBackendNumericalNote_t note) const;
};

/// Whether it multiplies f32 as f32: no matrix unit, no narrower operands or sums.
[[nodiscard]] bool is_plain_f32(const CudnnEngine& engine);

/// Whether it does the multiplications that are counted, and sums at least in f32: no Winograd or Fourier transform,
/// which do fewer, nothing that is narrowed on the way.
[[nodiscard]] bool is_direct(const CudnnEngine& engine);

/// Its number and notes, for a record.
[[nodiscard]] nlohmann::json about(const CudnnEngine& engine);

/// A pass over a layer in one type. Channels last: dimensions are told as n, c, h, w, strides say how they lie.
class CudnnConvolution {
 public:
  CudnnConvolution(const Cudnn& dnn, cudnnHandle_t handle, const ops::Convolution& op, cudnnDataType_t type);

  /// In the library's own order: what its model of the chip says, then its simple list.
  [[nodiscard]] std::vector<CudnnEngine> engines() const;
  /// Null where the library refuses the engine after all; `why` then says so.
  [[nodiscard]] std::shared_ptr<CudnnDescriptor> plan(const CudnnEngine& engine, std::string& why) const;
  /// The arrays of an operation as this graph names them, ready to execute.
  [[nodiscard]] std::shared_ptr<CudnnDescriptor> arrays(const ops::Convolution& op, void* workspace) const;

 private:
  [[nodiscard]] CudnnDescriptor operation(const ops::Convolution& op, cudnnDataType_t type) const;
  void add_engines(cudnnBackendHeurMode_t mode, std::vector<CudnnEngine>& all) const;

  const Cudnn& dnn_;
  cudnnHandle_t handle_;
  CudnnDescriptor operation_;
  CudnnDescriptor graph_;
};

}  // namespace warpmark::cuda
