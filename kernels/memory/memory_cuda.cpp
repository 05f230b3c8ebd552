// SPDX-License-Identifier: Apache-2.0
// The memory kernels of the cuda backend. Variants: plain, and cs, whose stores are the first to leave the caches.
#include "kernels/memory/memory_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "embedded/memory_cuda_code.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/backends/cuda/fold_scratch.h"
#include "harness/core/kernel.h"

namespace warpmark::cuda {
namespace {

template <class T>
constexpr DType dtype_of = sizeof(T) == sizeof(double) ? DType::f64 : DType::f32;

enum class Stores : std::uint8_t { plain, streaming };
constexpr std::string_view name_of(Stores stores) { return stores == Stores::plain ? "plain" : "cs"; }

constexpr std::string_view name_of(const ops::Write&) { return "write"; }
constexpr std::string_view name_of(const ops::Copy&) { return "copy"; }
constexpr std::string_view name_of(const ops::Scale&) { return "scale"; }
constexpr std::string_view name_of(const ops::Triad&) { return "triad"; }
constexpr std::string_view name_of(const ops::Read&) { return "read"; }
constexpr std::string_view name_of(const ops::Dot&) { return "dot"; }

template <class Op>
LoadedKernel load(Stream& stream, const Op& op, DType dtype, Stores stores) {
  static const DeviceCode code(embedded::memory_cuda_code());
  const std::string name = fmt::format("memory_{}_{}_{}", name_of(op), name_of(dtype), name_of(stores));
  return code.kernel(cuda_stream(stream).cuda_device(), name.c_str());
}

nlohmann::json about(const LoadedKernel& kernel) {
  return {{"vector_bytes", memory_vector_bytes},
          {"unroll", memory_unroll},
          {"block_threads", memory_block_threads},
          {"jit", kernel.jit}};
}

template <class T>
std::size_t tiles(std::size_t n) {
  return std::max<std::size_t>((n + memory_tile<T> - 1) / memory_tile<T>, 1);
}

/// Passes go along y, which takes no more than 65535, and z. The last blocks may have none.
Grid grid_of(std::size_t blocks, std::size_t passes) {
  constexpr std::size_t most = 65535;
  const std::size_t along_z = std::max<std::size_t>((passes + most - 1) / most, 1);
  return {.blocks = static_cast<unsigned>(blocks),
          .threads = memory_block_threads,
          .blocks_y = static_cast<unsigned>((passes + along_z - 1) / along_z),
          .blocks_z = static_cast<unsigned>(along_z)};
}

template <class Op, class T, Stores stores>
Bound bind_map(Stream& stream, const Op& op) {
  const LoadedKernel kernel = load(stream, op, dtype_of<T>, stores);
  const Grid grid = grid_of(tiles<T>(op.n), op.passes);
  return {.launch = [kernel, grid, all = operands(op)](Stream& s) { cuda_stream(s).launch(kernel, grid, all); },
          .about = about(kernel)};
}

template <class Op, class T>
Bound bind_sum(Stream& stream, const Op& op) {
  const LoadedKernel kernel = load(stream, op, dtype_of<T>, Stores::plain);
  const unsigned blocks = persistent_blocks(stream, tiles<T>(op.n));
  const auto scratch = std::make_shared<FoldScratch>(stream, blocks);
  const Grid grid = grid_of(blocks, op.passes);
  return {
      .launch = [kernel, grid, scratch, op](
                    Stream& s) { cuda_stream(s).launch(kernel, grid, Folded<Op>{.op = op, .fold = scratch->place()}); },
      .about = about(kernel)};
}

/// The variants of a map, for one type.
template <class Op, class T>
struct Maps {
  Implements<Op> plain{{.id = {"cuda", "plain", dtype_of<T>}, .bind = bind_map<Op, T, Stores::plain>}};
  Implements<Op> cs{{.id = {"cuda", "cs", dtype_of<T>}, .bind = bind_map<Op, T, Stores::streaming>}};
};

template <class T>
struct OfType {
  Maps<ops::Write, T> write{};
  Maps<ops::Copy, T> copy{};
  Maps<ops::Scale, T> scale{};
  Maps<ops::Triad, T> triad{};
  Implements<ops::Read> read{{.id = {"cuda", "plain", dtype_of<T>}, .bind = bind_sum<ops::Read, T>}};
  Implements<ops::Dot> dot{{.id = {"cuda", "plain", dtype_of<T>}, .bind = bind_sum<ops::Dot, T>}};
};

const OfType<double> f64;
const OfType<float> f32;

}  // namespace
}  // namespace warpmark::cuda
