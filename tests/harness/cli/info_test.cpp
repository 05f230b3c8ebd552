// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class InfoTest : public CommandTest {};

std::string copied(const std::string& name) { return WARPMARK_SOURCE_DIR "/tests/fixtures/roots/" + name; }

TEST_F(InfoTest, has_of_a_copied_tree_what_the_drivers_files_say) {
  const Ran ran = run_here({"info", "--root", copied("dual_socket"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json nvidia = json::parse(ran.out)["machine"]["nvidia"];
  EXPECT_EQ(nvidia["gpus"][0]["name"], "NVIDIA RTX A6000");
  EXPECT_EQ(nvidia["gpus"][0]["memory"], nullptr);
  EXPECT_EQ(nvidia["nvml"]["why"], "a copied tree has no driver to ask");
}

TEST_F(InfoTest, shows_a_block_for_a_gpu_and_none_without) {
  EXPECT_THAT(run_here({"info", "--root", copied("dual_socket")}).out,
              HasSubstr("\nGPU at 0000:17:00.0: NVIDIA RTX A6000\n"));
  EXPECT_THAT(run_here({"info", "--root", copied("nothing_readable")}).out, Not(HasSubstr("\nGPU at")));
}

TEST_F(InfoTest, asks_nvml_of_the_machine_itself) {
  const Ran ran = run_program({"info", "--json"});
  const json nvml = json::parse(ran.out)["machine"]["nvidia"]["nvml"];
  EXPECT_TRUE(nvml["why"].is_string() != nvml["driver_version"].is_string()) << nvml;
}

}  // namespace
}  // namespace warpmark
