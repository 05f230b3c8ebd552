// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/convolution.h"

#include "embedded/convolution_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/check_cuda.h"

namespace warpmark::cuda {
namespace {

/// Device memory and blocks of a check, made once.
struct Plan {
  Plan(Stream& stream, const ops::ConvolutionCheck& op)
      : product(ops::product_of(op.op.pass, op.op.shape)),
        columns(op.columns == 0 ? product.columns : op.columns),
        slices((product.columns + columns - 1) / columns),
        projection_blocks(blocks_for(stream, slices * product.depth)),
        row_blocks(op.op.pass == ops::ConvolutionPass::filter_gradient
                       ? persistent_blocks(stream, slices * product.rows / op.op.shape.c * groups_of(op.op.shape.c))
                       : blocks_for(stream, slices * product.rows)),
        projections(stream.device().allocate(slices * product.depth * convolution_vectors * sizeof(double))),
        scratch(stream, row_blocks) {}

  [[nodiscard]] ConvolutionCheckParameters parameters(const ops::ConvolutionCheck& op) const {
    return {.op = op,
            .product = product,
            .columns = columns,
            .slices = slices,
            .projections = static_cast<double*>(projections.data()),
            .fold = scratch.place()};
  }

  ops::ConvolutionProduct product;
  std::size_t columns;
  std::size_t slices;
  unsigned projection_blocks;
  unsigned row_blocks;
  Buffer projections;
  FoldScratch scratch;

 private:
  static unsigned blocks_for(Stream& stream, std::size_t threads) {
    return persistent_blocks(stream, (threads + fold_threads - 1) / fold_threads);
  }
  static std::size_t groups_of(std::size_t channels) {
    return (channels + convolution_channels - 1) / convolution_channels;
  }
};

template <DType dtype>
Bound bind(Stream& stream, const ops::ConvolutionCheck& op) {
  static const DeviceCode code(embedded::convolution_cuda_code());
  const bool is_of_filters = op.op.pass == ops::ConvolutionPass::filter_gradient;
  const LoadedKernel projections = check_kernel(code, stream, "convolution_projections", dtype);
  const LoadedKernel rows =
      check_kernel(code, stream, is_of_filters ? "convolution_filters" : "convolution_pixels", dtype);
  const auto plan = std::make_shared<Plan>(stream, op);
  return {.launch = [projections, rows, plan, op](Stream& s) {
    const ConvolutionCheckParameters parameters = plan->parameters(op);
    cuda_stream(s).launch(projections, {.blocks = plan->projection_blocks, .threads = fold_threads}, parameters);
    cuda_stream(s).launch(rows, {.blocks = plan->row_blocks, .threads = fold_threads}, parameters);
  }};
}

const Implements<ops::ConvolutionCheck> f32{{.id = {"cuda", "check", DType::f32}, .bind = bind<DType::f32>}};
const Implements<ops::ConvolutionCheck> f16{{.id = {"cuda", "check", DType::f16}, .bind = bind<DType::f16>}};
const Implements<ops::ConvolutionCheck> bf16{{.id = {"cuda", "check", DType::bf16}, .bind = bind<DType::bf16>}};

}  // namespace
}  // namespace warpmark::cuda
