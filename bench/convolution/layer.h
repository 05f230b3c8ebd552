// SPDX-License-Identifier: Apache-2.0
// What benchmarks of convolution layers share: a layer's work, operands, check and ceiling.
#pragma once

#include <string>

#include "harness/core/benchmark.h"
#include "harness/measure/setup.h"
#include "kernels/convolution/convolution.h"

namespace warpmark {

/// 2 n k p q c r s FLOP in every pass, what a direct convolution multiplies and adds, products with the zeros beyond
/// the edges included; each array moved once.
[[nodiscard]] Work convolution_work(ops::ConvolutionPass pass, const ops::ConvolutionShape& shape, DType dtype);

[[nodiscard]] Job convolution_job(Setup& setup, ops::ConvolutionPass pass, const ops::ConvolutionShape& shape);

/// The unit that the kernel names.
[[nodiscard]] CeilingRule convolution_ceiling(const Case& at, const DeviceInfo& device);

}  // namespace warpmark
