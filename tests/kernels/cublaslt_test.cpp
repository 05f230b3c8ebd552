// SPDX-License-Identifier: Apache-2.0
// What the product asks of cublasLt, asked of NVIDIA's own library: descriptions need no GPU, and it refuses those that
// are wrong. The simulated one has no say here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/error.h"
#include "harness/dynlib/cuda_libraries.h"
#include "kernels/gemm/cublaslt_recipes_cuda.h"

namespace warpmark::cuda {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Null where it is not installed.
const CublasLt* real_library() {
  static const std::optional<CublasLt> real = []() -> std::optional<CublasLt> {
    std::vector<std::string> files;
    for (const int major : {13, 12})
      for (const std::string& file : cuda_library_candidates("libcublasLt.so." + std::to_string(major)))
        if (file.starts_with('/')) files.push_back(file);
    if (files.empty()) return std::nullopt;
    return open_cublaslt(files, "");
  }();
  return real ? &*real : nullptr;
}

class RealCublasLt : public testing::Test {
 protected:
  void SetUp() override {
    if (real_library() == nullptr) GTEST_SKIP() << "no cublasLt is installed";
  }
};

std::string complaint_of_heuristics(const Recipe& recipe, std::size_t batch, std::size_t alignment_bytes) {
  const ops::Gemm op{.m = 48, .n = 64, .k = 32, .batch = batch};
  try {
    const Matmul matmul(*real_library(), recipe.types, op, recipe.transposed_b);
    // Without a handle, which only a GPU gives: all attributes have been set when this is what it complains of.
    (void)matmul.algorithms({.workspace_bytes = 32 << 20}, alignment_bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(RealCublasLt, TakesEveryAttributeOfEveryType) {
  for (const Recipe* const recipe : recipes)
    for (const std::size_t batch : {1U, 3U})
      for (const std::size_t alignment_bytes : {1U, 16U, 256U})
        EXPECT_THAT(complaint_of_heuristics(*recipe, batch, alignment_bytes),
                    AllOf(HasSubstr("cublasLtMatmulAlgoGetHeuristic"), HasSubstr("CUBLAS_STATUS_NOT_INITIALIZED")))
            << recipe->name;
}

TEST_F(RealCublasLt, RefusesWhatIsWrong) {
  const CublasLt& lt = *real_library();
  cublasLtMatmulDesc_t product = nullptr;
  ASSERT_EQ(lt.MatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  const std::int64_t too_wide = 0;
  EXPECT_EQ(lt.MatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &too_wide, sizeof too_wide),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(lt.MatmulDescDestroy(product), CUBLAS_STATUS_SUCCESS);
}

TEST_F(RealCublasLt, HasAVersionAndNamesItsErrors) {
  EXPECT_THAT(real_library()->version, testing::MatchesRegex("1[23]\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(real_library()->path, HasSubstr("libcublasLt.so.1"));
  EXPECT_THROW(check(*real_library(), CUBLAS_STATUS_NOT_SUPPORTED, "it"), Unsupported);
  EXPECT_THROW(check(*real_library(), CUBLAS_STATUS_ALLOC_FAILED, "it"), Skipped);
  EXPECT_NO_THROW(check(*real_library(), CUBLAS_STATUS_SUCCESS, "it"));
}

/// What a record says of an algorithm, of a library that answers so whether it can emulate.
nlohmann::json can_emulate(decltype(CublasLt::MatmulAlgoCapGetAttribute) answer) {
  CublasLt lt;
  lt.MatmulAlgoCapGetAttribute = answer;
  lt.MatmulAlgoConfigGetAttribute = [](const cublasLtMatmulAlgo_t*, cublasLtMatmulAlgoConfigAttributes_t, void*, size_t,
                                       size_t*) { return CUBLAS_STATUS_INVALID_VALUE; };
  return about(lt, MatmulAlgorithm{}).at("algorithm").at("can_emulate");
}

template <std::int32_t value>
cublasStatus_t answers(const cublasLtMatmulAlgo_t*, cublasLtMatmulAlgoCapAttributes_t which, void* to, size_t bytes,
                       size_t* written) {
  EXPECT_EQ(which, 22) << "CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT";
  EXPECT_EQ(bytes, sizeof(std::int32_t));
  *static_cast<std::int32_t*>(to) = value;
  *written = sizeof(std::int32_t);
  return CUBLAS_STATUS_SUCCESS;
}

TEST(Emulation, IsUnknownWhereTheLibraryDoesNotSay) {
  EXPECT_EQ(can_emulate(answers<0>), false);
  EXPECT_EQ(can_emulate(answers<1>), true);
  EXPECT_EQ(can_emulate([](const cublasLtMatmulAlgo_t*, cublasLtMatmulAlgoCapAttributes_t, void*, size_t, size_t*) {
              return CUBLAS_STATUS_INVALID_VALUE;
            }),
            nullptr);
}

TEST(NoCublasLt, IsUnsupportedAndSaysWhatToDo) {
  try {
    (void)open_cublaslt({"libnone-such.so.13"}, "install it");
    FAIL() << "opened nothing";
  } catch (const Unsupported& missing) {
    EXPECT_THAT(missing.what(), AllOf(HasSubstr("libnone-such.so.13"), HasSubstr("install it")));
  }
}

}  // namespace
}  // namespace warpmark::cuda
