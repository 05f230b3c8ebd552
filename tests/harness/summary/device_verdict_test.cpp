// SPDX-License-Identifier: Apache-2.0
// KEEP, CHECK or RETURN: each rule on both sides of its boundary, and what may not be taken for a reason.
#include "harness/summary/device_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/summary/judged_numbers.h"
#include "tests/harness/summary/sampled_document.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// 100 to 200 GB/s for every benchmark of memory of an "NVIDIA X", and 10 to 20 us for a latency.
const BandTable& bands() {
  static const BandTable table = bands_with(R"(schema = "warpmark.bands/1"
[[gpu]]
model = "X"
names = ["NVIDIA X", "A CPU with bands"]
[[gpu.band]]
benchmarks = "memory/.*"
metric = "bandwidth"
unit = "GB/s"
low = 100
high = 200
source = "a paper"
date = "2026-08"
[[gpu.band]]
benchmarks = "latency/.*"
metric = "latency"
unit = "us"
low = 10
high = 20
source = "a paper"
date = "2026-08"
)",
                                            "x.toml");
  return table;
}

/// A GPU with one number of memory bandwidth per benchmark, in GB/s, beside a quiet sampler.
Document card(const std::vector<double>& values, const std::string& name = "NVIDIA X", const json& sampled = {}) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < values.size(); ++i) {
    records.push_back(made_record({.benchmark = "memory/" + std::string(1, static_cast<char>('a' + i)),
                                   .device = "cuda:0",
                                   .size = "memory",
                                   .value = values[i] * 1e9}));
    records.back().telemetry = {{"sampled", sampled.is_null() ? quiet_sampled() : sampled}};
  }
  Document document = sampled_run(0, 0, {});
  document.records = std::move(records);
  document.devices[0]["name"] = name;
  return document;
}

DeviceVerdict verdict(const Document& document) {
  const std::vector<DeviceVerdict> all = device_verdicts(document, summarise(document), bands());
  EXPECT_THAT(all, SizeIs(1));
  return all.empty() ? DeviceVerdict{} : all.front();
}

std::string_view word(const Document& document) { return name_of(verdict(document).judgement); }
std::string_view word_of(const std::vector<double>& values) { return word(card(values)); }

TEST(Verdict, KeepsACardWhoseNumbersLieInTheirBands) {
  const DeviceVerdict well = verdict(card({100, 150, 200}));
  EXPECT_EQ(well.judgement, Judgement::keep);
  EXPECT_THAT(well.reasons, IsEmpty());
  EXPECT_EQ(verdict_line(well), "cuda:0, NVIDIA X: 3 numbers held against the bands of X in x.toml");
}

TEST(Verdict, HoldsNothingAgainstBandsThatIsNotABurst) {
  EXPECT_EQ(word_of({10, 10, 10}), "RETURN");
  Document warm = card({10, 10, 10});
  for (Record& record : warm.records) record.regime = "steady";
  EXPECT_EQ(word(warm), "CANNOT SAY");
  Document courses = card({10, 10, 10});
  for (Record& record : courses.records) record.course.emplace();
  EXPECT_EQ(word(courses), "CANNOT SAY");
}

TEST(Verdict, ChecksACardWithOneNumberALittleBelow) {
  const DeviceVerdict low = verdict(card({99.9, 150, 150}));
  EXPECT_EQ(low.judgement, Judgement::check);
  EXPECT_THAT(low.reasons, ElementsAre("memory/a f64, footprint=memory: 99.9 GB/s is 0.1 % worse than its band (100 "
                                       "GB/s to 200 GB/s, a paper, 2026-08)"));
  EXPECT_EQ(word_of({80, 150, 150}), "CHECK") << "20 % below";
  EXPECT_EQ(word_of({79.9, 150, 150}), "RETURN") << "more than that";
}

TEST(Verdict, ReturnsACardWithManyNumbersWellBelow) {
  EXPECT_EQ(word_of({89, 89, 89, 150, 150, 150}), "RETURN");
  EXPECT_EQ(word_of({90, 90, 90, 150, 150, 150}), "CHECK") << "no more than 10 % below";
  EXPECT_EQ(word_of({89, 89, 150, 150}), "CHECK") << "two are not many";
  EXPECT_EQ(word_of({89, 89, 89, 150, 150, 150, 150}), "CHECK") << "less than half";
}

TEST(Verdict, NamesTheWorstFirstAndCountsTheRest) {
  const DeviceVerdict low = verdict(card({95, 60, 80, 70, 99, 150}));
  EXPECT_EQ(low.judgement, Judgement::give_back);
  EXPECT_THAT(low.reasons, ElementsAre(StartsWith("memory/b "), StartsWith("memory/d "), StartsWith("memory/c "),
                                       "2 numbers more below what is usual"));
}

TEST(Verdict, ChecksACardThatIsTooGood) {
  const DeviceVerdict high = verdict(card({150, 210, 150}));
  EXPECT_EQ(high.judgement, Judgement::check);
  EXPECT_THAT(high.reasons, ElementsAre(AllOf(StartsWith("memory/b f64, footprint=memory: 210 GB/s is 5.00 % better "),
                                              HasSubstr("another card than its name says, or the band is old"))));
}

TEST(Verdict, CannotSayOfFewNumbers) {
  EXPECT_EQ(word_of({150, 150, 150}), "KEEP");
  const DeviceVerdict few = verdict(card({150, 150}));
  EXPECT_EQ(few.judgement, Judgement::cannot_say);
  EXPECT_THAT(few.reasons, ElementsAre("only 2 numbers can be held against something, and 3 are needed: measure more, "
                                       "such as the suite standard"));
  EXPECT_EQ(word_of({50, 150}), "CHECK") << "what is wrong is said of few, too, but nothing is sent back for it";
  EXPECT_EQ(word_of({}), "CANNOT SAY");
}

TEST(Verdict, CannotSayWhereMostCasesHaveNoNumber) {
  const auto with_failed = [](std::size_t failed, Status status) {
    Document document = card({150, 150, 150});
    for (std::size_t i = 0; i < failed; ++i)
      document.records.push_back(
          made_record({.benchmark = "gemm/" + std::to_string(i), .device = "cuda:0", .status = status}));
    return verdict(document);
  };
  EXPECT_EQ(with_failed(3, Status::timeout).judgement, Judgement::keep);
  const DeviceVerdict most = with_failed(4, Status::timeout);
  EXPECT_EQ(most.judgement, Judgement::cannot_say);
  EXPECT_THAT(most.reasons, ElementsAre("only 3 of 7 cases have a number that may be used"));
  EXPECT_EQ(with_failed(9, Status::unsupported).judgement, Judgement::keep) << "the card cannot do them at all";
}

TEST(Verdict, TakesTheBestOfTheCasesThatAnswerOneQuestion) {
  Document document = card({150, 150, 150});
  document.records.push_back(
      made_record({.benchmark = "memory/a", .device = "cuda:0", .variant = "slow", .size = "memory", .value = 1e9}));
  EXPECT_EQ(word(document), "KEEP");
  document.records.back().benchmark = "memory/other";
  EXPECT_EQ(word(document), "RETURN") << "a question of its own";
}

TEST(Verdict, OfATimeIsBadAboveItsBand) {
  const auto with_latency = [](double seconds) {
    Document document = card({150, 150, 150});
    Record record = made_record({.benchmark = "latency/x", .device = "cuda:0"});
    record.metrics = {Metric{.name = "latency", .unit = "s", .value = seconds, .better = Better::lower, .gate = true}};
    document.records.push_back(record);
    return word(document);
  };
  EXPECT_EQ(with_latency(20e-6), "KEEP");
  EXPECT_EQ(with_latency(20.1e-6), "CHECK");
  EXPECT_EQ(with_latency(24.9e-6), "CHECK");
  EXPECT_EQ(with_latency(25.1e-6), "RETURN");
  EXPECT_EQ(with_latency(9.9e-6), "CHECK") << "too good";
}

TEST(Verdict, CountsErrorsOfTheCard) {
  const auto with = [](const std::string& pointer, const json& value) {
    return verdict(card({150, 150, 150}, "NVIDIA X", sampled_with({{pointer, value}})));
  };
  for (const int xid : {48, 64, 74, 79, 95, 119, 120})
    EXPECT_EQ(with("/xids", json::array({xid})).judgement, Judgement::give_back) << xid;
  for (const int xid : {13, 31, 62, 63, 92, 94})
    EXPECT_EQ(with("/xids", json::array({xid})).judgement, Judgement::check) << xid;
  for (const int xid : {43, 44, 66}) EXPECT_EQ(with("/xids", json::array({xid})).judgement, Judgement::keep) << xid;
  EXPECT_THAT(with("/xids", json::array({79})).reasons,
              ElementsAre(StartsWith("Xid 79 (the GPU fell off the bus): restart the machine")));
  EXPECT_EQ(with("/ecc/uncorrected", 1).judgement, Judgement::give_back);
  EXPECT_EQ(with("/ecc/corrected", 1).judgement, Judgement::check);
  EXPECT_THAT(with("/ecc/corrected", 0).reasons, IsEmpty());
  EXPECT_EQ(with("/remapped_rows", 1).judgement, Judgement::check);
}

/// A card in its bands, of which NVML says this too.
std::string_view word_with(const char* member, const json& value) {
  Document document = card({150, 150, 150});
  document.machine["nvidia"]["gpus"][0][member] = value;
  return word(document);
}

TEST(Verdict, CountsWhatTheCardSaysOfItsMemory) {
  EXPECT_EQ(word_with("remapped_rows", {{"failed", true}, {"pending", false}}), "RETURN");
  EXPECT_EQ(word_with("remapped_rows", {{"failed", false}, {"pending", true}}), "CHECK");
  EXPECT_EQ(word_with("remapped_rows", {{"failed", false}, {"pending", false}, {"uncorrected", 3}}), "KEEP");
  EXPECT_EQ(word_with("ecc", {{"uncorrected", 3}}), "CHECK");
  EXPECT_EQ(word_with("ecc", {{"uncorrected", 0}, {"uncorrected_ever", 3}, {"corrected", 9}}), "KEEP");
}

TEST(Verdict, CountsHowTheCardIsJoinedToTheMachine) {
  EXPECT_EQ(word_with("nvlink", {{"links", 18}, {"active", 12}}), "CHECK");
  EXPECT_EQ(word_with("nvlink", {{"links", 18}, {"active", 18}}), "KEEP");
  const json narrow = sampled_with({{"/pcie/width", {{"min", 4}, {"max", 4}}}});
  EXPECT_EQ(word(card({150, 150, 150}, "NVIDIA X", narrow)), "CHECK");
  Document guest = card({150, 150, 150}, "NVIDIA X", narrow);
  guest.machine["nvidia"]["gpus"][0]["virtualization"] = "passthrough";
  EXPECT_EQ(word(guest), "KEEP") << "in a guest that may be how the host is built";
}

TEST(Verdict, CountsHeatAndThePowerBrakeButNotThePowerLimit) {
  const auto held = [](const char* reason, double share) {
    return word(card({150, 150, 150}, "NVIDIA X", held_by(reason, share)));
  };
  for (const char* reason : {"sw_thermal", "hw_thermal", "hw_power_brake", "hw_slowdown"}) {
    EXPECT_EQ(held(reason, 0.011), "CHECK") << reason;
    EXPECT_EQ(held(reason, 0.009), "KEEP") << reason;
  }
  EXPECT_EQ(held("sw_power_cap", 1), "KEEP");
  EXPECT_EQ(held("idle", 1), "KEEP");
}

TEST(Verdict, SendsNothingBackForWhatSomebodyElseDid) {
  const DeviceVerdict shared = verdict(card({10, 10, 10}, "NVIDIA X", sampled_with({{"/foreign_processes", 1}})));
  EXPECT_EQ(shared.judgement, Judgement::check);
  EXPECT_EQ(shared.reasons.front(), "other processes were on the GPU: stop them and run again");
  EXPECT_EQ(word_of({10, 10, 10}), "RETURN") << "without them";
  Document limited = card({10, 10, 10});
  limited.machine["nvidia"]["gpus"][0]["power"]["limit_w"] = 692;  // 98.9 %
  EXPECT_EQ(word(limited), "CHECK");
  EXPECT_THAT(verdict(limited).reasons.front(), StartsWith("its power limit was set to 98.9 % of the default"));
  limited.machine["nvidia"]["gpus"][0]["power"]["limit_w"] = 694;  // a driver rounds
  EXPECT_EQ(word(limited), "RETURN");
}

TEST(Verdict, ChecksACardWithAWrongResult) {
  Document document = card({150, 150, 150, 150});
  document.records[3].status = Status::failed;
  document.records[3].verification = Verdict{.error = 1, .allowed = 1e-6};
  EXPECT_EQ(word(document), "CHECK");
  EXPECT_THAT(verdict(document).reasons, ElementsAre(StartsWith("1 of its results is wrong: run again")));
  document.records[3].verification = Verdict{.error = 0, .allowed = 1e-6};
  EXPECT_EQ(word(document), "KEEP") << "it failed for another reason";
  document.records[3].status = Status::invalid;
  EXPECT_THAT(verdict(document).reasons, ElementsAre(StartsWith("1 of its numbers cannot be right")));
}

TEST(Verdict, HasReasonsInTheOrderOfTheirWeight) {
  Document document =
      card({150, 210, 99, 150}, "NVIDIA X", sampled_with({{"/xids", json::array({13, 79})}, {"/ecc/corrected", 3}}));
  EXPECT_THAT(verdict(document).reasons,
              ElementsAre(StartsWith("Xid 79"), StartsWith("Xid 13"), HasSubstr("12 corrected ECC errors"),
                          StartsWith("memory/c"), StartsWith("memory/b")));
}

/// Numbers with shares of a derived ceiling of 1000 GB/s; work as large as a launch has it.
Document unknown(const std::vector<double>& values, const std::string& kind = "derived") {
  Document document = card(values, "NVIDIA Unknown");
  for (Record& record : document.records) {
    Metric& metric = record.metrics.front();
    metric.ceiling = 1e12;
    metric.ceiling_source = kind + ": by hand";
    metric.of_ceiling = metric.value / 1e12;
  }
  return document;
}

TEST(UnknownModels, AreHeldAgainstTheirDerivedCeilings) {
  const DeviceVerdict well = verdict(unknown({700, 800, 1000}));
  EXPECT_EQ(well.judgement, Judgement::keep);
  EXPECT_EQ(well.basis,
            "there is no reference for this model, 3 numbers against the usual share of the derived ceiling (70 % of "
            "memory's, 55 % of arithmetic's)");
  const DeviceVerdict low = verdict(unknown({699, 800, 800}));
  EXPECT_EQ(low.judgement, Judgement::check);
  EXPECT_THAT(low.reasons, ElementsAre("memory/a f64, footprint=memory: 699 GB/s is 69.9 % of its derived ceiling; "
                                       "70.0 % and more is usual"));
}

TEST(UnknownModels, AreNotSentBackForOneShare) {
  EXPECT_EQ(word(unknown({100, 800, 800})), "CHECK") << "a share is a rule of thumb";
  EXPECT_EQ(word(unknown({600, 600, 600})), "RETURN") << "three are more than that";
  EXPECT_EQ(word(unknown({640, 640, 640})), "CHECK") << "of 700 no more than 10 % below";
}

TEST(UnknownModels, HaveNothingToBeHeldAgainstWithoutADerivedCeiling) {
  const DeviceVerdict none = verdict(unknown({10, 10, 10}, "measured"));
  EXPECT_EQ(none.judgement, Judgement::cannot_say);
  EXPECT_EQ(none.basis, "there is no reference for this model, no number could be held against anything");
}

TEST(UnknownModels, AreHeldAgainstArithmeticWhereItIsWhatTakesTheTime) {
  const auto with_product = [](double flops, double bytes, double share, const char* benchmark = "gemm/square") {
    Document document = unknown({800, 800, 800});
    document.devices[0]["ceilings"] = {{"memory", {{"value", 1e12}, {"unit", "B/s"}, {"kind", "derived"}}}};
    Record record = made_record({.benchmark = benchmark,
                                 .device = "cuda:0",
                                 .axis = "n",
                                 .value = share * 1e14,
                                 .ceiling = 1e14,
                                 .metric = "flop_rate"});
    record.work = {.bytes_read = bytes, .flops = flops};
    document.records.push_back(record);
    return word(document);
  };
  EXPECT_EQ(with_product(1e11, 100e6, 0.55), "KEEP");
  EXPECT_EQ(with_product(1e11, 100e6, 0.54), "CHECK");
  EXPECT_EQ(with_product(1e11, 260e6, 0.10), "KEEP") << "its matrices take more than a quarter of its time";
  EXPECT_EQ(with_product(4.9e9, 1e6, 0.10), "KEEP") << "49 us are over before the card is full";
  EXPECT_EQ(with_product(5.1e9, 1e6, 0.10), "CHECK");
  for (const char* other : {"compute/matrix", "convolution/resnet50"})
    EXPECT_EQ(with_product(1e11, 100e6, 0.10, other), "KEEP") << other << ": nobody knows what is usual";
}

TEST(UnknownModels, AreNotHeldAgainstMemoryWhereArithmeticMayBeWhatItWaitsFor) {
  const auto with_flops = [](double flops) {
    Document document = unknown({300, 800, 800, 800});
    document.records.front().work = {.bytes_read = 2e9, .flops = flops};
    return word(document);
  };
  EXPECT_EQ(with_flops(1e9), "CHECK");
  EXPECT_EQ(with_flops(1.01e9), "KEEP") << "more than half a FLOP for a byte";
}

TEST(Slices, AreNotTheWholeCard) {
  Document document = unknown({10, 10, 10});
  document.devices[0]["name"] = "NVIDIA X MIG 1g.10gb";
  const DeviceVerdict slice = verdict(document);
  EXPECT_EQ(slice.judgement, Judgement::cannot_say);
  EXPECT_THAT(slice.basis, StartsWith("a slice of a card, for which there is no reference"));
  EXPECT_THAT(slice.reasons, ElementsAre(HasSubstr("a slice of a card needs bands of its own")));
  document.devices[0]["name"] = "NVIDIA X";
  EXPECT_EQ(word(document), "RETURN") << "the whole card";
  document.machine["nvidia"]["gpus"][0]["mig"] = {{"on", true}};
  EXPECT_EQ(word(document), "CANNOT SAY") << "its name does not say so";
  document.machine["nvidia"]["gpus"][0].erase("mig");
  document.machine["nvidia"]["gpus"][0]["virtualization"] = "vgpu";
  document.devices[0]["name"] = "NVIDIA X-12Q";
  EXPECT_EQ(word(document), "CANNOT SAY");
}

TEST(TwoDevices, HaveAVerdictEach) {
  Document document = card({150, 150, 150});
  Document other = card({50, 50, 50});
  for (Record& record : other.records) {
    record.device = "cuda:1";
    record.id += "/other";
    document.records.push_back(record);
  }
  document.devices.push_back({{"id", "cuda:1"}, {"backend", "cuda"}, {"name", "NVIDIA X"}});
  document.devices.push_back({{"id", "cpu:0"}, {"backend", "cpu"}, {"name", "A CPU"}});
  const std::vector<DeviceVerdict> all = device_verdicts(document, summarise(document), bands());
  ASSERT_THAT(all, SizeIs(2)) << "none of the CPU";
  EXPECT_EQ(all[0].judgement, Judgement::keep);
  EXPECT_EQ(all[1].device, "cuda:1");
  EXPECT_EQ(all[1].judgement, Judgement::give_back);
}

TEST(Cpus, HaveAVerdictWhereBandsNameThem) {
  Document document = card({150, 150, 150});
  document.devices[0]["backend"] = "cpu";
  EXPECT_THAT(device_verdicts(document, summarise(document), bands()), SizeIs(1));
  EXPECT_THAT(device_verdicts(document, summarise(document), own_bands()), IsEmpty());
}

TEST(Verdict, IsMadeOfWhateverADocumentHolds) {
  Document document = card({150, 150, 150});
  for (const json& devices : {json(nullptr), json::array({1, nullptr, json::array()}), json("x")}) {
    document.devices = devices;
    (void)device_verdicts(document, summarise(document), bands());
  }
  document = card({150, 150, 150}, "NVIDIA X");
  document.devices[0]["ceilings"] = json::array({1, {{"unit", "B/s"}, {"kind", "derived"}, {"value", "x"}}});
  EXPECT_EQ(word(document), "KEEP");
}

TEST(Words, AreThoseOfTheManual) {
  EXPECT_EQ(name_of(Judgement::keep), "KEEP");
  EXPECT_EQ(name_of(Judgement::check), "CHECK");
  EXPECT_EQ(name_of(Judgement::give_back), "RETURN");
  EXPECT_EQ(name_of(Judgement::cannot_say), "CANNOT SAY");
}

}  // namespace
}  // namespace warpmark
