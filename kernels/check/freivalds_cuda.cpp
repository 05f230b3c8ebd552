// SPDX-License-Identifier: Apache-2.0
#include "embedded/freivalds_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/check_cuda.h"

namespace warpmark::cuda {
namespace {

/// Device memory and blocks of a check, made once.
struct Plan {
  Plan(Stream& stream, const ops::Freivalds& op)
      : columns(op.columns == 0 ? op.n : op.columns),
        slices((op.n + columns - 1) / columns),
        product_blocks(blocks_of(stream, op, op.k)),
        row_blocks(blocks_of(stream, op, op.m)),
        products(stream.device().allocate(op.batch * slices * freivalds_vectors * op.k * sizeof(double))),
        scratch(stream, row_blocks) {}

  [[nodiscard]] FreivaldsParameters parameters(const ops::Freivalds& op) const {
    return {.op = op,
            .columns = columns,
            .slices = slices,
            .products = static_cast<double*>(products.data()),
            .fold = scratch.place()};
  }

  std::size_t columns;
  std::size_t slices;
  unsigned product_blocks;
  unsigned row_blocks;
  Buffer products;
  FoldScratch scratch;

 private:
  [[nodiscard]] unsigned blocks_of(Stream& stream, const ops::Freivalds& op, std::size_t rows) const {
    const std::size_t groups = (rows + freivalds_rows_of_block - 1) / freivalds_rows_of_block;
    return persistent_blocks(stream, groups * slices * op.batch);
  }
};

template <DType dtype>
Bound bind(Stream& stream, const ops::Freivalds& op) {
  static const DeviceCode code(embedded::freivalds_cuda_code());
  const LoadedKernel products = check_kernel(code, stream, "freivalds_products", dtype);
  const LoadedKernel rows = check_kernel(code, stream, "freivalds_rows", dtype);
  const auto plan = std::make_shared<Plan>(stream, op);
  return {.launch = [products, rows, plan, op](Stream& s) {
    const FreivaldsParameters parameters = plan->parameters(op);
    cuda_stream(s).launch(products, {.blocks = plan->product_blocks, .threads = fold_threads}, parameters);
    cuda_stream(s).launch(rows, {.blocks = plan->row_blocks, .threads = fold_threads}, parameters);
  }};
}

const Implements<ops::Freivalds> f64{{.id = {"cuda", "check", DType::f64}, .bind = bind<DType::f64>}};
const Implements<ops::Freivalds> f32{{.id = {"cuda", "check", DType::f32}, .bind = bind<DType::f32>}};
const Implements<ops::Freivalds> f16{{.id = {"cuda", "check", DType::f16}, .bind = bind<DType::f16>}};
const Implements<ops::Freivalds> bf16{{.id = {"cuda", "check", DType::bf16}, .bind = bind<DType::bf16>}};
const Implements<ops::Freivalds> e4m3{{.id = {"cuda", "check", DType::e4m3}, .bind = bind<DType::e4m3>}};
const Implements<ops::Freivalds> i8{{.id = {"cuda", "check", DType::i8}, .bind = bind<DType::i8>}};

}  // namespace
}  // namespace warpmark::cuda
