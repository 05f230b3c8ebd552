// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/cublaslt.h"

#include <fmt/format.h>

#include <array>
#include <type_traits>

#include "harness/backends/cuda/driver.h"
#include "harness/core/error.h"
#include "harness/dynlib/cuda_libraries.h"
#include "harness/dynlib/library.h"
#include "harness/telemetry/machine.h"

namespace warpmark::cuda {
namespace {

std::string soname_of(int major) { return fmt::format("libcublasLt.so.{}", major); }

/// A driver for CUDA 13 serves cuBLAS 12 too, which is what many Python environments have.
std::vector<std::string> candidates(int newest_major) {
  std::vector<std::string> all;
  for (int major = newest_major; major >= 12; --major)
    for (const std::string& each : cuda_library_candidates(soname_of(major))) all.push_back(each);
  return all;
}

std::string advice(int major) {
  return fmt::format("install cuBLAS {} (with the CUDA toolkit, or `pip install {}`); {}", major,
                     major >= 13 ? "nvidia-cublas" : "nvidia-cublas-cu12", cuda_library_places);
}

struct Word {
  std::uint64_t flag = 0;
  std::string_view text{};
};

constexpr std::array<Word, 4> instructions{{{CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA, "FMA"},
                                            {CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA, "HMMA"},
                                            {CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA, "IMMA"},
                                            {CUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA, "DMMA"}}};
constexpr std::array<Word, 4> sums{{{CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F, "f16"},
                                    {CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F, "f32"},
                                    {CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F, "f64"},
                                    {CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I, "int32"}}};
constexpr std::array<Word, 8> inputs{{{CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F, "f16"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF, "bf16"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32, "tf32"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F, "f32"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F, "f64"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I, "int8"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3, "e4m3"},
                                      {CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2, "e5m2"}}};

template <std::size_t n>
std::string words_of(const std::array<Word, n>& words, std::uint64_t flags) {
  std::vector<std::string_view> all;
  for (const Word& word : words)
    if ((flags & word.flag) != 0) all.push_back(word.text);
  return all.empty() ? "unknown" : fmt::format("{}", fmt::join(all, " or "));
}

}  // namespace

CublasLt open_cublaslt(const std::vector<std::string>& from, std::string_view advice) {
  const Library library = Library::open(from, advice);
  CublasLt lt;
#define WARPMARK_GET(name) lt.name = library.function<std::remove_pointer_t<decltype(lt.name)>>("cublasLt" #name);
  WARPMARK_CUBLASLT_FUNCTIONS(WARPMARK_GET)
#undef WARPMARK_GET
  const std::size_t version = lt.GetVersion();
  lt.version = fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  lt.path = without_home(library.path());
  return lt;
}

const CublasLt& cublaslt() {
  static const CublasLt opened = [] {
    const int major = cublaslt_major(driver().version);
    return open_cublaslt(candidates(major), advice(major));
  }();
  return opened;
}

int cublaslt_major(int driver_version) { return driver_version >= 13000 ? 13 : 12; }

void check(const CublasLt& lt, cublasStatus_t status, std::string_view call, std::string_view what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text =
      fmt::format("{}{}{}: {} ({} {}); CUBLASLT_LOG_LEVEL=2 has the library say why", call, what.empty() ? "" : " for ",
                  what, lt.GetStatusString(status), lt.GetStatusName(status), static_cast<int>(status));
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH) throw Unsupported(text);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw Skipped(text);
  throw Error(text);
}

std::string numerics_text(std::uint64_t flags) {
  return fmt::format("{}, {} sums of {}", words_of(instructions, flags), words_of(sums, flags),
                     words_of(inputs, flags));
}

bool is_plain_f32(std::uint64_t flags) {
  return (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_TENSOR_OP_MASK) == 0 &&
         (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_OP_INPUT_TYPE_MASK) == CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
}

}  // namespace warpmark::cuda
