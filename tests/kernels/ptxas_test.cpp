// SPDX-License-Identifier: Apache-2.0
// What ptxas said of every kernel for every chip: a kernel that spills registers measures its own memory traffic.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Chips by kernel, and what is wrong.
struct Report {
  std::map<std::string, std::set<std::string>> chips{};
  std::vector<std::string> complaints{};
};

Report report_of(const std::string& printed) {
  static const std::regex entry("Compiling entry function '(\\w+)' for 'sm_(\\w+)'");
  static const std::regex memory("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  Report report;
  std::istringstream lines(printed);
  std::string which, line;
  bool is_told = true;  // of the last kernel
  const auto end_kernel = [&] {
    if (!is_told) report.complaints.push_back(which + "nothing is said about its memory");
  };
  while (std::getline(lines, line)) {
    std::smatch found;
    if (line.find("instructions are serialized") != std::string::npos) report.complaints.push_back(line);
    if (std::regex_search(line, found, entry)) {
      end_kernel();
      which = fmt::format("{} for {}: ", found.str(1), found.str(2));
      report.chips[found[1]].insert(found[2]);
      is_told = false;
    } else if (std::regex_search(line, found, memory)) {
      is_told = true;
      if (found[1] != "0" || found[2] != "0" || found[3] != "0") report.complaints.push_back(which + found.str());
    }
  }
  end_kernel();
  return report;
}

std::set<std::string> targets() {
  std::istringstream words(WARPMARK_CUDA_TARGETS);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::map<std::string, Report> reports() {
  std::map<std::string, Report> all;
  for (const auto& file : std::filesystem::directory_iterator(WARPMARK_DEVICE_CODE_DIR)) {
    const std::string name = file.path().filename();
    if (!name.ends_with(".ptxas.txt")) continue;
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    all[name] = report_of(text.str());
  }
  return all;
}

TEST(Ptxas, KeepsEveryKernelInRegistersOnEveryChip) {
  for (const auto& [name, report] : reports()) {
    EXPECT_THAT(report.complaints, IsEmpty()) << name;
    EXPECT_FALSE(report.chips.empty()) << name << " names no kernel";
    for (const auto& [kernel, chips] : report.chips)
      EXPECT_EQ(chips, kernel.find("wgmma") == std::string::npos ? targets() : std::set<std::string>{"90a"}) << kernel;
  }
}

TEST(Ptxas, WasAskedAboutOurKernels) {
  std::set<std::string> kernels;
  for (const auto& [name, report] : reports())
    for (const auto& [kernel, chips] : report.chips) kernels.insert(kernel);
  for (const char* kernel :
       {"memory_triad_f64_plain", "memory_read_f32_plain", "check_dot_f64", "check_linear_f32",
        "check_freivalds_rows_i8", "gemm_tiled_f64", "gemm_mma_bf16", "gemv_w4_f16", "latency_chase", "compute_fma_f64",
        "compute_fma_f16", "check_turned_bf16", "compute_matrix_f64", "compute_matrix_e4m3", "compute_matrix_wgmma_i8",
        "check_matrix_sums_f32"})
    EXPECT_EQ(kernels.count(kernel), 1U) << kernel;
}

constexpr const char* clean = R"(ptxas info    : Compiling entry function 'one' for 'sm_90'
ptxas info    : Function properties for one
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, 400 bytes cmem[0]
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = clean;
  return text.replace(text.find(from), from.size(), to);
}

TEST(PtxasReport, HasNothingToSayOfAKernelInRegisters) {
  const Report report = report_of(clean);
  EXPECT_THAT(report.complaints, IsEmpty());
  EXPECT_EQ(report.chips, (std::map<std::string, std::set<std::string>>{{"one", {"90"}}}));
}

TEST(PtxasReport, NamesWhatSpills) {
  for (const auto& text :
       {with("0 bytes stack", "8 bytes stack"), with("0 bytes spill stores", "12 bytes spill stores"),
        with("0 bytes spill loads", "4 bytes spill loads"), clean + with("0 bytes st", "16 bytes st")})
    EXPECT_THAT(report_of(text).complaints, ElementsAre(HasSubstr("one for 90"))) << text;
}

TEST(PtxasReport, NamesProductsThatWaitForEachOther) {
  const std::string waiting =
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ...\n";
  EXPECT_THAT(report_of(clean + waiting).complaints, ElementsAre(HasSubstr("serialized")));
}

TEST(PtxasReport, TakesNoSilenceForZero) {
  const std::string silent = with("    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", "");
  EXPECT_THAT(report_of(silent).complaints, ElementsAre(HasSubstr("nothing is said")));
  EXPECT_THAT(report_of(silent + clean).complaints, ElementsAre(HasSubstr("nothing is said")));
}

}  // namespace
}  // namespace warpmark
