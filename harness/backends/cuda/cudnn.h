// SPDX-License-Identifier: Apache-2.0
// cuDNN 9 by its backend interface, whose graphs and plans reach every engine that it has; opened at need, nothing here
// is linked.
#pragma once

#include <cudnn.h>

#include <string>
#include <string_view>
#include <vector>

// Names without "cudnn".
#define WARPMARK_CUDNN_FUNCTIONS(X) \
  X(Create)                         \
  X(Destroy)                        \
  X(SetStream)                      \
  X(GetVersion)                     \
  X(GetCudartVersion)               \
  X(GetErrorString)                 \
  X(GetLastErrorString)             \
  X(BackendCreateDescriptor)        \
  X(BackendDestroyDescriptor)       \
  X(BackendFinalize)                \
  X(BackendSetAttribute)            \
  X(BackendGetAttribute)            \
  X(BackendExecute)

namespace warpmark::cuda {

struct Cudnn {
#define WARPMARK_DECLARE(name) decltype(&cudnn##name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  WARPMARK_CUDNN_FUNCTIONS(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
  std::string version{};  // "9.19.0"
  int cuda_major = 0;     // of the CUDA that it was built for
  std::string path{};     // the file that was loaded, the home folder as ~
};

/// Opens the library at the first call in a process, and what its engines need beside it. Throws Unsupported where
/// there is none, or one for a newer CUDA than the driver's, with what to install.
[[nodiscard]] const Cudnn& cudnn();

/// The first of these files, or sonames, that the loader finds. Throws Unsupported with `advice`.
[[nodiscard]] Cudnn open_cudnn(const std::vector<std::string>& candidates, std::string_view advice);

/// Whether the status says that the library does not have something, as opposed to a failure.
[[nodiscard]] bool is_refusal(cudnnStatus_t status);

/// Whether it may be the fault of the one engine that was asked: a refusal, or that its code could not be made.
[[nodiscard]] bool is_of_one_engine(cudnnStatus_t status);

/// The status and what the library last said about it.
[[nodiscard]] std::string text_of(const Cudnn& dnn, cudnnStatus_t status);

/// Throws for any status but success: Unsupported for what the library does not have, Skipped when memory ran out, else
/// Error. The text names the status, the call and `what` it was about.
void check(const Cudnn& dnn, cudnnStatus_t status, std::string_view call, std::string_view what = {});

}  // namespace warpmark::cuda
