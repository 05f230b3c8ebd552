// SPDX-License-Identifier: Apache-2.0
#include "bench/convolution/layer.h"

#include "bench/gemm/product.h"
#include "kernels/check/convolution.h"

namespace warpmark {
namespace {

using ops::ConvolutionPass;
using ops::ConvolutionShape;

/// The pass as the product of matrices that it is: its sums round as that one's do, and a wrong element hides in them
/// as well.
GemmShape product_shape(ConvolutionPass pass, const ConvolutionShape& shape) {
  const ops::ConvolutionProduct product = ops::product_of(pass, shape);
  return {.m = product.rows, .n = product.columns, .k = product.depth};
}

Turn convolution_turn(Setup& s, ConvolutionPass pass, const ConvolutionShape& shape) {
  ops::Convolution op{.pass = pass, .shape = shape};
  op.result = s.poisoned(ops::result_elements(pass, shape));
  if (pass != ConvolutionPass::data_gradient) op.x = s.random(shape.x_elements(), 1);
  if (pass != ConvolutionPass::filter_gradient) op.filters = s.random(shape.filter_elements(), 2);
  if (pass != ConvolutionPass::forward) op.y = s.random(shape.y_elements(), 3);
  const Rounding rounding = kernel_of<ops::Convolution>(s.at().kernel).rounding;
  const GemmShape product = product_shape(pass, shape);
  const Bound bound = s.bound(op);
  return {.launch = bound.launch, .verify = [op, bound, product, rounding](Verifier& v) {
            ops::ConvolutionCheck check{
                .op = op, .columns = gemm_columns_checked(product, v.dtype(), rounding), .seed = 7};
            check.op.result = const_cast<void*>(v.plain(bound, op.result));  // a check only reads it
            return Verdict{.error = v.run(check), .allowed = gemm_allowed_error(product, v.dtype(), rounding)};
          }};
}

}  // namespace

Work convolution_work(ConvolutionPass pass, const ConvolutionShape& shape, DType dtype) {
  const auto bytes = [dtype](std::size_t elements) {
    return static_cast<double>(elements) * static_cast<double>(size_of(dtype));
  };
  const double written = bytes(ops::result_elements(pass, shape));
  const double all = bytes(shape.x_elements()) + bytes(shape.filter_elements()) + bytes(shape.y_elements());
  return {.bytes_read = all - written,
          .bytes_written = written,
          .flops = 2 * static_cast<double>(shape.y_elements()) * static_cast<double>(shape.c * shape.r * shape.s)};
}

Job convolution_job(Setup& setup, ConvolutionPass pass, const ConvolutionShape& shape) {
  const Work work = convolution_work(pass, shape, setup.at().kernel.dtype);
  return {.turns = setup.rotate(static_cast<std::size_t>(work.bytes()),
                                [&](Setup& s) { return convolution_turn(s, pass, shape); })};
}

CeilingRule convolution_ceiling(const Case& at, const DeviceInfo&) {
  return {.name = table_of<ops::Convolution>().unit(at.kernel)};
}

}  // namespace warpmark
