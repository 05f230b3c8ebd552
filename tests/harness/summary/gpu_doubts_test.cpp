// SPDX-License-Identifier: Apache-2.0
// What speaks against the numbers of a GPU, and what must not be taken for it: each false alarm would be one if the
// rule were naive.
#include "harness/summary/gpu_doubts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/summary/gpu_card.h"
#include "harness/summary/summary.h"
#include "tests/harness/summary/sampled_document.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> doubts(const Document& document) { return summarise(document).doubts; }
std::vector<std::string> doubts(const json& sampled) { return doubts(sampled_run(5, 5, sampled)); }
std::vector<std::string> notes(const json& sampled) { return summarise(sampled_run(5, 5, sampled)).notes; }
std::vector<std::string> first_case(const Document& document) { return summarise(document).cases.at(0).doubts; }

json& card_of(Document& document) { return document.machine["nvidia"]["gpus"][0]; }

TEST(GpuDoubts, AreNoneOfAQuietRun) {
  const RunSummary summary = summarise(sampled_run(5, 0, {}));
  EXPECT_EQ(summary.doubt_count(), 0U);
  EXPECT_THAT(summary.notes, IsEmpty());
  EXPECT_EQ(outcome_of({summary}), Outcome::clean);
}

TEST(HeldDown, NamesReasonShareAndWhatToDo) {
  EXPECT_THAT(
      first_case(sampled_run(40, 2, held_by("hw_thermal", 0.4))),
      ElementsAre("heat (the GPU's own thermal slowdown) held its clock down in 40.0 % of the readings: improve "
                  "its cooling (fans, dust, air flow), or ask the provider of a rented machine for another"));
  EXPECT_THAT(
      doubts(held_by("hw_power_brake", 0.4)),
      ElementsAre("The clock of the GPU was held down in 5 of 5 cases, at worst by the power brake, a signal of "
                  "the power supply or the chassis, in 40.0 % of the readings: those numbers are lower than the "
                  "card's; check the power supply and its cables, or ask the provider of a rented machine for "
                  "another, and run again."));
  for (const char* reason : {"sw_thermal", "hw_slowdown"})
    EXPECT_THAT(doubts(held_by(reason, 0.02)), ElementsAre(HasSubstr("held down in 5 of 5 cases"))) << reason;
  EXPECT_THAT(doubts(held_by("sw_thermal", 0.01)), IsEmpty());
}

TEST(HeldDown, IsSaidOfTheWorstCase) {
  Document document = sampled_run(5, 3, held_by("sw_thermal", 0.1));
  document.records[1].telemetry["sampled"] = held_by("hw_thermal", 0.7);
  EXPECT_THAT(doubts(document), ElementsAre(HasSubstr("in 3 of 5 cases, at worst by heat (the GPU's own thermal "
                                                      "slowdown) in 70.0 % of the readings")));
}

TEST(HeldDown, CountsReadingsNotRecords) {
  Document document = sampled_run(2, 1, held_by("sw_thermal", 1));
  document.records[1] = document.records[0];
  document.records[1].repeat = 1;
  document.run["repeats"] = 2;
  document.records[0].telemetry["sampled"]["readings"] = 10;
  document.records[1].telemetry["sampled"] = sampled_with({{"/readings", 90}});
  EXPECT_THAT(first_case(document), ElementsAre(HasSubstr("in 10.0 % of the readings")));
}

TEST(HeldDown, DoesNotDropTheNumber) {
  const RunSummary summary = summarise(sampled_run(5, 5, held_by("hw_thermal", 1)));
  EXPECT_EQ(summary.complete, 5U);
  EXPECT_EQ(outcome_of({summary}), Outcome::doubtful);
}

TEST(FalseAlarms, AreNotMadeOfThePowerLimitUnderLoad) {
  EXPECT_THAT(doubts(held_by("sw_power_cap", 1)), IsEmpty());
  EXPECT_THAT(notes(held_by("sw_power_cap", 0.83)),
              ElementsAre("cuda:0 was at its power limit of 700 W in 83.0 % of the readings, which is normal under "
                          "sustained load."));
  EXPECT_THAT(notes(held_by("sw_power_cap", 0.5)), IsEmpty());
}

TEST(FalseAlarms, AreNotMadeOfIdlingAndChosenClocks) {
  for (const char* reason : {"idle", "application_clocks", "sync_boost", "display_clock"}) {
    EXPECT_THAT(doubts(held_by(reason, 1)), IsEmpty()) << reason;
    EXPECT_THAT(notes(held_by(reason, 1)), IsEmpty()) << reason;
  }
}

TEST(FalseAlarms, AreNotMadeOfCountersSinceTheMachineStarted) {
  Document document = sampled_run(5, 5, quiet_sampled());
  card_of(document)["ecc"] = {{"on", true}, {"corrected", 12}, {"corrected_ever", 4711}, {"uncorrected_ever", 2}};
  card_of(document)["remapped_rows"] = {{"corrected", 3}, {"uncorrected", 1}, {"pending", false}, {"failed", false}};
  EXPECT_THAT(doubts(document), IsEmpty());
}

TEST(FalseAlarms, AreNotMadeOfALinkAtRest) {
  json idle = sampled_with({{"/pcie/generation", {{"min", 1}, {"max", 1}}}, {"/utilization/median", 0.0}});
  EXPECT_THAT(doubts(idle), IsEmpty());
  idle["utilization"]["median"] = 0.9;
  EXPECT_THAT(doubts(idle), ElementsAre(HasSubstr("PCIe 1 x16 under load"))) << "the same at work is one";
  Document one_at_work = sampled_run(5, 4, sampled_with({{"/pcie/generation/max", 1}}));
  EXPECT_THAT(doubts(one_at_work), IsEmpty()) << "one case raised it";
  idle.erase("utilization");
  EXPECT_THAT(doubts(idle), IsEmpty()) << "of MIG nobody knows whether it is at work";
}

TEST(FalseAlarms, AreNotMadeOfAHostThatCanMoreThanTheCard) {
  Document document = sampled_run(5, 5, sampled_with({{"/pcie/generation/max", 4}, {"/pcie/max_generation", 4}}));
  card_of(document)["link"] = {{"generation", 1}, {"max_generation", 5}, {"gpu_max_generation", 4}};
  EXPECT_THAT(doubts(document), IsEmpty());
}

TEST(FalseAlarms, AreNotMadeOfAHostThatIsNotKnown) {
  for (const char* member : {"/pcie/max_generation", "/pcie/max_width"})
    EXPECT_THAT(doubts(sampled_with({{member, nullptr}, {"/pcie/width/max", 8}, {"/pcie/max_width", nullptr}})),
                IsEmpty())
        << member;
}

TEST(FalseAlarms, AreNotMadeOfHalfALinkInAVirtualMachine) {
  const json half = sampled_with({{"/pcie/width/max", 8}});
  Document document = sampled_run(5, 5, half);
  EXPECT_THAT(
      doubts(document),
      ElementsAre("The link of cuda:0 ran at PCIe 5 x8 under load, where card and slot can do PCIe 5 x16: copies "
                  "to and from the host are slower than they could be; look at the seat of the card, a riser, "
                  "and the slot's setting in the firmware."))
      << "on bare metal it is one";
  for (const json& machine : {json{{"virtualization", "passthrough"}}, json{{"virtualization", "vgpu"}}}) {
    card_of(document).update(machine);
    EXPECT_THAT(doubts(document), IsEmpty());
    EXPECT_THAT(summarise(document).notes, ElementsAre(HasSubstr("PCIe 5 x8 under load")));
  }
  card_of(document)["virtualization"] = nullptr;
  EXPECT_THAT(doubts(document), ElementsAre(HasSubstr("x8"))) << "nothing says that this is a guest";
  document.machine["hypervisor"]["kind"] = "kvm";
  EXPECT_THAT(doubts(document), IsEmpty());
}

TEST(FalseAlarms, AreNotMadeOfEccThatTheOwnerSwitchedOff) {
  Document document = sampled_run(5, 5, sampled_with({{"/ecc", nullptr}}));
  card_of(document)["ecc"] = {{"on", false}, {"corrected", nullptr}};
  EXPECT_THAT(doubts(document), IsEmpty());
}

TEST(FalseAlarms, AreNotMadeOfProcessesInTheCard) {
  Document document = sampled_run(5, 5, quiet_sampled());
  card_of(document)["processes"] = {{"count", 1}, {"used_bytes", 1 << 30}};
  EXPECT_THAT(doubts(document), IsEmpty()) << "it may be the run's own";
}

TEST(HeldDown, IsAlsoWhatTheDriverCountedBetweenTwoReadings) {
  json between = held_by("hw_power_brake", 0);
  between["held_down"][0]["seconds"] = 0.05;  // of a window of a second
  EXPECT_THAT(doubts(between), ElementsAre(HasSubstr("power brake")));
  between["held_down"][0]["seconds"] = 0.005;
  EXPECT_THAT(doubts(between), IsEmpty());
}

TEST(Memory, ThatIsWornBeforeTheRunIsADoubt) {
  Document document = sampled_run(5, 5, quiet_sampled());
  card_of(document)["remapped_rows"] = {{"pending", true}, {"failed", false}};
  EXPECT_THAT(doubts(document), ElementsAre(HasSubstr("waits to be remapped")));
  card_of(document)["remapped_rows"]["failed"] = true;
  EXPECT_THAT(doubts(document), ElementsAre(HasSubstr("return the card")));
  card_of(document)["remapped_rows"] = nullptr;
  card_of(document)["ecc"] = {{"uncorrected", 2}};
  EXPECT_THAT(doubts(document), ElementsAre(HasSubstr("uncorrected memory errors since its driver was loaded")));
  card_of(document)["ecc"] = {{"uncorrected", 0}, {"uncorrected_ever", 7}, {"corrected", 1000}};
  EXPECT_THAT(doubts(document), IsEmpty());
}

TEST(PowerLimit, IsAlsoWhatChassisOrFirmwareEnforce) {
  Document document = sampled_run(5, 5, quiet_sampled());
  card_of(document)["power"] = {{"limit_w", 700}, {"default_limit_w", 700}, {"enforced_limit_w", 500}};
  EXPECT_THAT(doubts(document),
              ElementsAre(HasSubstr("was held by chassis or firmware at 500 W, 71.4 % of the default 700 W")));
  card_of(document)["power"]["enforced_limit_w"] = 699;
  EXPECT_THAT(doubts(document), IsEmpty());
}

TEST(FalseAlarms, AreNotMadeOfMembersThatADriverDoesNotHave) {
  for (const char* member : {"/ecc", "/remapped_rows", "/xids", "/foreign_processes", "/pcie", "/held_down",
                             "/utilization", "/power_w", "/temperature_c"}) {
    const json without = sampled_with(
        {{member, nullptr}, {"/denied", json::array({{{"what", member}, {"why", "NVML: not supported"}}})}});
    EXPECT_THAT(doubts(without), IsEmpty()) << member;
  }
}

TEST(FalseAlarms, AreNotMadeOfXidsThatInform) {
  for (const int xid : {14, 43, 63, 92, 121}) EXPECT_THAT(doubts(sampled_with({{"/xids", {xid}}})), IsEmpty()) << xid;
}

TEST(Xids, AreSaidWithTheCaseAndWhatNvidiaAdvises) {
  Document document = sampled_run(5, 0, {});
  document.records[2].telemetry["sampled"]["xids"] = {43, 79, 79};
  document.records[3].telemetry["sampled"]["xids"] = {119};
  EXPECT_THAT(doubts(document),
              ElementsAre(StartsWith("The driver reported an error of cuda:0 while " + document.records[2].id +
                                     " was measured. Xid 79 (the GPU fell off the bus): restart the machine")));
  EXPECT_THAT(doubts(document)[0], HasSubstr("; Xid 119 (the GPU's system processor does not answer): reset the GPU"));
}

TEST(Xids, OfACaseThatBrokeAreSaidToo) {
  Document document = sampled_run(5, 1, sampled_with({{"/xids", {79}}}));
  document.records[0].status = Status::failed;
  document.records[0].metrics.clear();
  EXPECT_THAT(doubts(document), ElementsAre(HasSubstr("Xid 79")));
}

TEST(MemoryErrors, ThatAreNewAreSaid) {
  EXPECT_THAT(doubts(sampled_run(5, 1, sampled_with({{"/ecc/corrected", 12}}))),
              ElementsAre("The memory of cuda:0 had 12 corrected ECC errors during the run: the results are right, but "
                          "the memory wears; `nvidia-smi -q -d ECC` counts on."));
  EXPECT_THAT(doubts(sampled_run(5, 1, sampled_with({{"/ecc/uncorrected", 1}, {"/remapped_rows", 2}}))),
              ElementsAre("The memory of cuda:0 had 1 uncorrected ECC error and 2 remapped rows during the run: reset "
                          "the GPU, and when they come again have it changed."));
}

TEST(PowerLimit, BelowTheDefaultIsSaidOnceOfAllThatHaveIt) {
  Document document = sampled_run(5, 0, {});
  card_of(document)["power"]["limit_w"] = 350;
  EXPECT_THAT(
      doubts(document),
      ElementsAre("The power limit of cuda:0 was set to 350 W, 50.0 % of the default 700 W: `nvidia-smi -pl 700` "
                  "sets it back, where that is allowed, or ask the provider of a rented machine."));
  document.devices.push_back(document.devices[0]);
  document.devices[1]["id"] = "cuda:1";
  EXPECT_THAT(doubts(document), ElementsAre(StartsWith("The power limit of cuda:0, cuda:1 was set to 350 W")));
  for (const json& limit : {json(700), json(695), json(750), json(nullptr), json("x")}) {
    card_of(document)["power"]["limit_w"] = limit;
    EXPECT_THAT(doubts(document), IsEmpty()) << limit;
  }
}

TEST(PowerLimit, OfAGpuThatMeasuredNothingIsNoDoubt) {
  Document document = sampled_run(5, 0, {});
  json other = card_of(document);
  other.update({{"pci", "0000:2b:00.0"}, {"uuid", "GPU-2"}, {"power", {{"limit_w", 1}, {"default_limit_w", 700}}}});
  json& gpus = document.machine["nvidia"]["gpus"];
  gpus.insert(gpus.begin(), other);
  EXPECT_THAT(doubts(document), IsEmpty()) << "a device is matched by address, not by place";
}

TEST(GpuCard, IsMatchedByAddressThenByUuid) {
  const json machine = json::parse(R"({"nvidia": {"gpus": [{"pci": "0000:1b:00.0", "uuid": "GPU-1", "name": "a"},
    {"pci": "0000:2b:00.0", "uuid": "GPU-2", "name": "b"}, 7, null]}})");
  const auto name = [&](const json& facts) { return gpu_card_of(machine, {{"facts", facts}}).value("name", ""); };
  EXPECT_EQ(name({{"pci", "0000:2B:00.0"}, {"uuid", "GPU-1"}}), "b");
  EXPECT_EQ(name({{"pci", "0000:3b:00.0"}, {"uuid", "gpu-1"}}), "a");
  for (const json& facts : {json(), json::object(), json{{"pci", ""}, {"uuid", 7}}, json{{"pci", "0000:3b:00.0"}}})
    EXPECT_TRUE(gpu_card_of(machine, {{"facts", facts}}).is_null()) << facts;
  EXPECT_TRUE(gpu_card_of(json(), json()).is_null());
}

TEST(SharedGpu, IsSaid) {
  EXPECT_THAT(doubts(sampled_with({{"/foreign_processes", 2}})),
              ElementsAre("In 5 of 5 cases 2 other processes were on the GPU: stop what else uses it and run again; "
                          "`nvidia-smi` lists them, or another container or guest has the same card."));
  EXPECT_THAT(first_case(sampled_run(5, 1, sampled_with({{"/foreign_processes", 1}}))),
              ElementsAre(StartsWith("another process was on its GPU: stop")));
}

TEST(Telemetry, ThatIsMissingIsOneLine) {
  const json dead = {{"readings", 0},
                     {"denied", json::array({{{"what", "sampled"}, {"why", "the sampler died by signal 9"}}})}};
  EXPECT_THAT(doubts(sampled_run(5, 2, dead)),
              ElementsAre("Nobody read clock, power and temperature of cuda:0 in 2 of 5 records (the sampler died by "
                          "signal 9): whether something held it down there is not known."));
  EXPECT_THAT(doubts(sampled_run(5, 2, {{"readings", 0}})), IsEmpty()) << "a short window has none";
  EXPECT_THAT(doubts(made_document({made_record({})})), Not(testing::Contains(HasSubstr("Nobody read"))))
      << "a document of a version before the sampler";
}

TEST(FalseAlarms, AreNotMadeOfACpuThatTellsNothing) {
  Document document = sampled_run(
      5, 5, {{"readings", 0}, {"denied", json::array({{{"what", "clock_hz"}, {"why", "no cpufreq in this guest"}}})}});
  EXPECT_THAT(doubts(document), ElementsAre(StartsWith("Nobody read"))) << "of a GPU it is one";
  document.devices[0]["backend"] = "cpu";
  EXPECT_THAT(doubts(document), IsEmpty());
}

json low_clock(const json& sampled) {
  return {{"clock_hz", {{"median", 9e8}, {"p5", 9e8}, {"p95", 9e8}}}, {"clock_max_hz", 1.98e9}, {"sampled", sampled}};
}

TEST(LowClock, HasItsReasonFromTheReadings) {
  const auto reason = [](const json& sampled) {
    Document document = sampled_run(3, 3, sampled);
    for (Record& record : document.records) record.telemetry = low_clock(sampled);
    return doubts(document).back();
  };
  EXPECT_THAT(reason(held_by("sw_power_cap", 0.9)),
              HasSubstr("of it: its power limit held it down in 90.0 % of the readings: `nvidia-smi -q -d POWER`"));
  EXPECT_THAT(reason(held_by("application_clocks", 1)), HasSubstr("`nvidia-smi -rac` takes them back"));
  EXPECT_THAT(reason(held_by("sw_thermal", 0.2)),
              HasSubstr("of it: heat (the driver's thermal slowdown) held it down"));
  EXPECT_THAT(reason(sampled_with({{"/held_down", json::array()}})), HasSubstr("PERFORMANCE,CLOCK` says which"));
}

TEST(MovingClock, IsNotBlamedOnHeatAtThePowerLimit) {
  const auto remedy = [](const json& sampled) {
    Document document = sampled_run(3, 3, sampled);
    for (Record& record : document.records)
      record.telemetry["clock_hz"] = {{"median", 1.7e9}, {"p5", 1.5e9}, {"p95", 1.8e9}};
    return doubts(document).back();
  };
  EXPECT_THAT(remedy(held_by("sw_power_cap", 0.9)), HasSubstr("its power limit moves it"));
  EXPECT_THAT(remedy(quiet_sampled()), HasSubstr("let the machine cool down"));
}

}  // namespace
}  // namespace warpmark
