// SPDX-License-Identifier: Apache-2.0
#include "harness/run/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.h"
#include "tests/harness/run/held_processes.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

TEST(Probe, ThatCannotBeEndedIsNamedAndNotWaitedFor) {
  HeldProcesses held;
  const Probed probed = probe_devices(ProbeScope::every_backend, false, {},
                                      {.processes = held, .longest = std::chrono::milliseconds(200)});
  EXPECT_TRUE(probed.devices.empty());
  ASSERT_EQ(probed.missing.size(), held.started().size());
  EXPECT_GE(held.started().size(), 1U) << "one for each backend, which does not wait for another's";
  for (std::size_t i = 0; i < probed.missing.size(); ++i) {
    EXPECT_TRUE(probed.missing[i].unavailable.broken);
    EXPECT_THAT(probed.missing[i].unavailable.why,
                HasSubstr("did not answer within 200 ms and is still there: process " +
                          std::to_string(held.started()[i]) + " cannot be ended"));
  }
}

TEST(Probe, OfANamedBackendStartsNoOther) {
  HeldProcesses held;
  const Probed probed = probe_devices(ProbeScope::only_named, false, "cpu",
                                      {.processes = held, .longest = std::chrono::milliseconds(10)});
  EXPECT_EQ(held.started().size(), 1U);
  ASSERT_EQ(probed.missing.size(), 1U);
  EXPECT_EQ(probed.missing.front().name, "cpu");
}

TEST(OpenDevice, RefusesWhatIsNoDevice) {
  for (const char* const id :
       {"cpu:1", "cpu", "cpu:", "cpu:x", "cpu:0x", "cpu:-1", "cpu:99999999999999999999", "", "tpu:0"})
    EXPECT_THROW((void)open_device(id), Error) << id;
  EXPECT_EQ(open_device("cpu:0")->info().id, "cpu:0");
}

}  // namespace
}  // namespace warpmark
