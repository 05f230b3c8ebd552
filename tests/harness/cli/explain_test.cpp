// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "harness/cli/explanations.h"
#include "harness/core/status.h"
#include "tests/harness/cli/ran.h"
#include "tests/harness/store/refusal.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Every exit code; a new one does not compile without a place here.
std::vector<ExitCode> all_exit_codes() {
  std::vector<ExitCode> codes;
  for (int number = 0; number <= 255; ++number) {
    switch (static_cast<ExitCode>(number)) {
      case ExitCode::done:
      case ExitCode::judged_bad:
      case ExitCode::usage:
      case ExitCode::device:
      case ExitCode::incomplete:
      case ExitCode::not_judged:
      case ExitCode::interrupted: codes.push_back(static_cast<ExitCode>(number));
    }
  }
  return codes;
}

std::set<std::string> explained() {
  std::set<std::string> ids;
  for (const Explanation& explanation : explanations())
    EXPECT_TRUE(ids.insert(explanation.id).second) << explanation.id;
  return ids;
}

/// Words of tables and reports, and every kernel and mode.
constexpr const char* words = R"(
doubts exit-codes statuses ceiling spread best batch isolated footprint plain nt 1core memory
gemm blocked onednn openblas regime gate repeat onednn-packed cs cublaslt cublaslt-first
cublaslt-tf32 cublaslt-acc16 cublaslt-tn tiled mma wgmma e4m3 jit low-clock throttling telemetry xid
verdict bands gemv w16 w16-cublaslt w8 w4 tensor_cores cudnn cudnn-first cudnn-tf32 onednn-nhwc
fma dot amx latency convolution launch pool empty steady locked once
transfer pageable pinned registered write-combined warm cold locked huge
)";

std::set<std::string> to_explain() {
  std::istringstream each(words);
  std::set<std::string> ids{std::istream_iterator<std::string>(each), {}};
  for (const Status status : all_statuses()) ids.emplace(name_of(status));
  for (const ExitCode code : all_exit_codes()) ids.insert("exit-" + std::to_string(static_cast<int>(code)));
  return ids;
}

TEST(explanations, know_every_status_and_every_exit_code_and_nothing_else) { EXPECT_EQ(explained(), to_explain()); }

TEST(explanations, are_more_than_a_first_sentence) {
  for (const Explanation& explanation : explanations()) {
    ASSERT_FALSE(explanation.blocks.empty()) << explanation.id;
    EXPECT_GT(explanation.blocks.front().text.size() + 40 * (explanation.blocks.size() - 1), 80U) << explanation.id;
    EXPECT_LT(first_sentence(explanation.blocks).size(), 110U)
        << explanation.id << ": the list shows the first sentence";
  }
}

TEST(explanations, of_failures_name_their_exit_code) {
  for (const Status status : all_statuses()) {
    const ExitCode code = exit_code_of(status);
    std::string text;
    for (const Block& block : explanation_of(std::string(name_of(status))).blocks) text += block.text;
    if (code != ExitCode::done) {
      EXPECT_THAT(text, HasSubstr("exit code is " + std::to_string(static_cast<int>(code))));
    }
  }
}

TEST(explanation_of, takes_an_exit_code_by_its_number) { EXPECT_EQ(explanation_of("130").id, "exit-130"); }

TEST(explanation_of, names_the_nearest) {
  EXPECT_THAT(refusal([] { (void)explanation_of("not_convergd"); }), HasSubstr("did you mean not_converged?"));
  EXPECT_THAT(refusal([] { (void)explanation_of("exit-33"); }), HasSubstr("did you mean exit-3?"));
  EXPECT_THAT(refusal([] { (void)explanation_of("x\x1b[2J"); }), HasSubstr("about x\\x1b[2J;"));
  EXPECT_THAT(refusal([] { (void)explanation_of(""); }), HasSubstr("about ''; `warpmark explain` lists"));
  EXPECT_THAT(refusal([] { (void)explanation_of("banana"); }), testing::Not(HasSubstr("did you mean")));
}

using ExplainCommand = CommandTest;

TEST_F(ExplainCommand, explains_one) {
  const Ran ran = run_here({"explain", "4"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, StartsWith("exit-4:\n  Incomplete: some case failed"));
}

TEST_F(ExplainCommand, has_the_formula_of_the_spread) {
  EXPECT_THAT(run_here({"explain", "spread"}).out, HasSubstr("the highest of their numbers less"));
}

TEST_F(ExplainCommand, refuses_an_empty_word) { EXPECT_EQ(run_here({"explain", ""}).code, 2); }

TEST_F(ExplainCommand, lists_all_without_a_word) {
  const Ran ran = run_here({"explain"});
  EXPECT_EQ(ran.code, 0);
  for (const std::string& id : to_explain()) EXPECT_THAT(ran.out, HasSubstr(id + " ")) << id;
}

TEST_F(ExplainCommand, knows_benchmarks_families_and_kernels_by_what_the_program_has) {
  const Ran benchmark = run_program({"explain", "memory/triad"});
  EXPECT_EQ(benchmark.code, 0) << benchmark.err;
  EXPECT_THAT(benchmark.out, HasSubstr("`footprint`: "));
  EXPECT_THAT(benchmark.out, HasSubstr("`cpu nt`: "));
  EXPECT_THAT(run_program({"explain", "compute"}).out, HasSubstr("`compute/fma`: "));
  EXPECT_THAT(run_program({"explain", "avx2"}).out, HasSubstr("`compute/fma` on cpu, f32"));
  EXPECT_THAT(run_program({"explain", "memory/traid"}).err, HasSubstr("did you mean memory/triad?"));
}

TEST_F(ExplainCommand, refuses_what_it_does_not_know) {
  const Ran ran = run_here({"explain", "okay"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("did you mean ok?"));
}

}  // namespace
}  // namespace warpmark
