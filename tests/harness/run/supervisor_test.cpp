// SPDX-License-Identifier: Apache-2.0
// A run whose workers are not what they should be: processes that the system does not let go of.
#include "harness/run/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/run/device_json.h"
#include "tests/harness/run/held_processes.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Registered one{{.name = "supervised",
                      .axes = {{.name = "n", .values = {1, 2, 3}}},
                      .kernels = {.ids =
                                      [] {
                                        return std::vector<KernelId>{{"cpu", "plain", DType::f32}};
                                      }},
                      .rate = bandwidth,
                      .work = [](const Case&, const DeviceInfo&) { return Work{}; }}};

class Silent : public RunObserver {
 public:
  void planned(std::size_t /*measurements*/, std::size_t /*done*/) override {}
  void begun(const std::string& /*id*/, int /*repeat*/, bool /*quiet*/) override {}
  void recorded(const Record& record) override { recorded_.push_back(record); }
  void waiting() override {}
  [[nodiscard]] const std::vector<Record>& recorded() const { return recorded_; }

 private:
  std::vector<Record> recorded_{};
};

nlohmann::json head() {
  return {{"run", {{"id", "1234abcd"}, {"device_problem", nullptr}}},
          {"machine", nlohmann::json::object()},
          {"devices", {to_json(DeviceInfo{.id = "cpu:0", .backend = "cpu"})}}};
}

TEST(Supervisor, EndsARunWhoseWorkerCannotBeEnded) {
  const TemporaryFolder folder;
  HeldProcesses held;
  Silent observer;
  const RunRequest request{
      .suite_text = R"({"schema": "warpmark.suite/1", "name": "s", "select": [{"benchmarks": "^supervised$"}]})",
      .repeats = 2,
      .seed = 1,
      .start_timeout = 0.3,
      .document = folder.path() / "result.json"};
  SamplerClient sampler(held, std::chrono::milliseconds(50));
  const RunOutcome outcome = start_run(request, head(), observer, sampler, held);
  ASSERT_EQ(held.started().size(), 2U) << "the sampler, a worker, and no second one on a device that holds the first";
  EXPECT_GE(held.kills(), 2);
  const std::string which = "process " + std::to_string(held.started().back()) + " cannot be ended";
  EXPECT_THAT(outcome.unfinished,
              StartsWith("cpu:0 can no longer be used: a worker that was to open it said nothing for 300 ms"));
  EXPECT_THAT(outcome.unfinished, HasSubstr(which));
  EXPECT_TRUE(outcome.journal_kept);
  EXPECT_EQ(outcome.exit_code, ExitCode::incomplete);
  ASSERT_EQ(outcome.document.records.size(), 6U);
  EXPECT_EQ(outcome.document.records.front().status, Status::timeout);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(outcome.document.records[i].status, Status::skipped);
    EXPECT_THAT(outcome.document.records[i].why, HasSubstr(which));
  }
}

}  // namespace
}  // namespace warpmark
