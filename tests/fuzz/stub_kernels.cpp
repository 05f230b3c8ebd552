// SPDX-License-Identifier: Apache-2.0
// Kernels that compute nothing: a suite is expanded by what kernels are called, and the real ones take long to build.
#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"
#include "kernels/memory/copy.h"
#include "kernels/memory/dot.h"
#include "kernels/memory/read.h"
#include "kernels/memory/scale.h"
#include "kernels/memory/triad.h"
#include "kernels/memory/write.h"

namespace warpmark {
namespace {

template <class Op>
struct Stubs {
  Implements<Op> cpu_f64{{.id = {"cpu", "plain", DType::f64}}};
  Implements<Op> cpu_f32{{.id = {"cpu", "plain", DType::f32}}};
  Implements<Op> cpu_other{{.id = {"cpu", "nt", DType::f64}}};
  Implements<Op> cuda_f32{{.id = {"cuda", "plain", DType::f32}}};
};

const Stubs<ops::Copy> copy{};
const Stubs<ops::Dot> dot{};
const Stubs<ops::Read> read{};
const Stubs<ops::Scale> scale{};
const Stubs<ops::Triad> triad{};
const Stubs<ops::Write> write{};

const Implements<ops::Gemm> f32{{.id = {"cpu", "blocked", DType::f32}}};
const Implements<ops::Gemm> f64{{.id = {"cpu", "openblas", DType::f64}}};
const Implements<ops::Gemm> bf16{{.id = {"cpu", "onednn-packed", DType::bf16}}};
const Implements<ops::Gemm> on_cuda{{.id = {"cuda", "cublaslt", DType::f32}}};
const Implements<ops::Gemm> narrow{{.id = {"cuda", "cublaslt-tn", DType::e4m3}}};
const Implements<ops::Gemm> whole{{.id = {"cuda", "cublaslt-tn", DType::i8}}};

}  // namespace
}  // namespace warpmark
