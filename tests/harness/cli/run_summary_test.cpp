// SPDX-License-Identifier: Apache-2.0
// What stands on the terminal when a run has ended.
#include "harness/cli/run_summary.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "harness/cli/case_label.h"
#include "harness/cli/progress_console.h"
#include "tests/golden.h"
#include "tests/harness/cli/ran.h"
#include "tests/harness/summary/sampled_document.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Three repeats, `apart` of their median between the least and the most.
void add(std::vector<Record>& records, Made made, double apart = 0.01) {
  for (const double part : {-0.5, 0.0, 0.5}) {
    Made one = made;
    one.value = made.value * (1 + part * apart);
    records.push_back(made_record(one));
    ++made.repeat;
  }
}

Made triad(const std::string& variant, AxisValue size, double value) {
  return {.variant = variant, .size = std::move(size), .value = value};
}

Made gemm(const std::string& variant, std::int64_t n, double value) {
  return {.benchmark = "gemm/square",
          .variant = variant,
          .axis = "n",
          .size = n,
          .value = value,
          .ceiling = 2.4e11,
          .metric = "flop_rate"};
}

/// Memory bandwidth and matrix products, all well.
std::vector<Record> good_records() {
  std::vector<Record> records;
  add(records, triad("plain", std::int64_t{16384}, 490e9));
  add(records, triad("plain", std::int64_t{4194304}, 178e9));
  add(records, triad("plain", "memory", 49.2e9));
  add(records, triad("nt", "memory", 71.7e9));
  add(records, gemm("onednn", 1024, 201e9));
  add(records, gemm("onednn-packed", 1024, 214e9));
  return records;
}

Document good() { return made_document(good_records()); }

/// Something of everything that may go wrong.
Document bad() {
  std::vector<Record> records = good_records();
  records[0].status = Status::not_converged;
  records[0].why = "after 10 samples the median is known to +-5 %, +-2 % is asked for";
  add(records, triad("plain", std::int64_t{65536}, 325e9), 0.3);
  for (const Status status : {Status::crashed, Status::unsupported}) {
    Made made = gemm(std::string(name_of(status)), 512, 1e9);
    made.status = status;
    add(records, made);
  }
  records[9].status = Status::failed;
  records[9].why = "wrong result after the samples";
  Document document = made_document(std::move(records));
  document.run["device_problem"] = "An NVIDIA device is there.";
  return document;
}

Document interrupted() {
  std::vector<Record> records = good_records();
  for (std::size_t i = 7; i < records.size(); ++i) {
    records[i].status = Status::skipped;
    records[i].why = "the run was interrupted before it; --resume measures it";
    records[i].started_at.clear();
    records[i].metrics.clear();
  }
  Document document = made_document(std::move(records));
  document.run["interrupted"] = true;
  return document;
}

Document many() {
  std::vector<Record> records = good_records();
  for (std::int64_t bytes = 1 << 20; bytes < 1 << 25; bytes += 1 << 20)
    add(records, triad("plain-1core", bytes, 30e9 - static_cast<double>(bytes)));
  return made_document(std::move(records));
}

std::string summary(const Document& document, std::size_t columns = std::string::npos, bool all = false) {
  return run_summary(document, {.all = all, .columns = columns, .report = "warpmark report r.json"}, Terminal(stdout));
}

TEST(RunSummaryReadings, AreALineOfEachDeviceInAscii) {
  const std::string text = summary(sampled_run(3, 3, held_by("sw_power_cap", 0.83)));
  EXPECT_THAT(text, HasSubstr("cuda:0: clock 1.71 GHz (86.4 % of its highest), 612 W of 700 W and 71 C at most; its "
                              "power limit held it down 83.0 % of the time\n"));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  EXPECT_THAT(summary(good()), Not(HasSubstr("at most")));
}

/// Two GPUs, one that is well by its derived ceilings and one that got hot and is slow.
Document two_gpus() {
  std::vector<Record> records;
  for (const char* device : {"cuda:0", "cuda:1"}) {
    const bool slow = std::string(device) == "cuda:1";
    for (const char* benchmark : {"memory/copy", "memory/read", "memory/triad"}) {
      records.push_back(made_record({.benchmark = benchmark,
                                     .device = device,
                                     .size = "memory",
                                     .value = slow ? 2.1e12 : 4.1e12,
                                     .ceiling = 4.8e12}));
      records.back().telemetry = {{"sampled", slow ? held_by("sw_thermal", 0.4) : quiet_sampled()}};
    }
  }
  Document document = made_document(std::move(records));
  document.run["repeats"] = 1;
  document.devices = nlohmann::json::array({{{"id", "cuda:0"}, {"backend", "cuda"}, {"name", "NVIDIA H200"}},
                                            {{"id", "cuda:1"}, {"backend", "cuda"}, {"name", "NVIDIA Unknown"}}});
  return document;
}

TEST(RunSummaryVerdict, IsALineOfEachGpuWithTheReasonsBelow) {
  expect_golden("run_table_verdict.txt", summary(two_gpus(), 100));
  EXPECT_THAT(summary(two_gpus()), HasSubstr("\nKEEP: cuda:0, NVIDIA H200: 3 numbers held against the bands of H200\n"
                                             "RETURN: cuda:1, NVIDIA Unknown: there is no reference"));
  EXPECT_THAT(summary(good()), Not(HasSubstr("KEEP"))) << "a CPU has none";
}

TEST(RunSummaryVerdict, GoesByTheBandsThatItIsGiven) {
  const BandTable none;
  const std::string text = run_summary(two_gpus(), {.bands = &none}, Terminal(stdout));
  EXPECT_THAT(text, HasSubstr("\nKEEP: cuda:0, NVIDIA H200: there is no reference for this model, 3 numbers against"));
}

TEST(RunSummaryVerdict, ShowsAHostileNameAsText) {
  Document document = two_gpus();
  document.devices[0]["name"] = "\x1b[2J" + std::string(1000, 'x');
  const std::string text = summary(document);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("KEEP: cuda:0, \\x1b[2Jxxx"));
  EXPECT_THAT(text, HasSubstr(": there is no reference for this model, 3 numbers")) << "the name leaves room";
}

class RunSummaryTest : public CommandTest {
 protected:
  // CommandTest clears WARPMARK_* for the commands that it runs: this asks before.
  static void SetUpTestSuite() { (void)approving(); }
};

TEST_F(RunSummaryTest, is_what_was_approved) {
  expect_golden("run_table.txt", summary(good()));
  expect_golden("run_table_bad.txt", summary(bad(), 100));
  expect_golden("run_table_interrupted.txt", summary(interrupted(), 100));
  expect_golden("run_table_many.txt", summary(many(), 100));
  expect_golden("run_table_80.txt", summary(bad(), 80));
  expect_golden("run_table_40.txt", summary(bad(), 40));
}

TEST_F(RunSummaryTest, fits_the_terminal) {
  for (const std::size_t columns : {100U, 80U, 60U, 40U})
    for (const Document& document : {good(), bad(), interrupted(), many(), two_gpus()})
      EXPECT_THAT(lines_of(summary(document, columns)),
                  Each(testing::Property(&std::string::size, testing::Le(columns))));
}

TEST_F(RunSummaryTest, ends_well_only_where_all_is_well) {
  EXPECT_THAT(summary(good()), testing::EndsWith("6 of 6 cases measured and verified in every repeat\n"));
  for (const Document& document : {bad(), interrupted()})
    EXPECT_THAT(summary(document), Not(testing::EndsWith("in every repeat\n")));
}

TEST_F(RunSummaryTest, says_what_is_not_well_and_what_to_do) {
  const std::string text = summary(bad());
  EXPECT_THAT(text, HasSubstr("1 of 9 failed, 1 crashed, 1 unsupported, 1 not converged, 1 with repeats that differ"));
  EXPECT_THAT(text, HasSubstr("doubts: see the report"));
  EXPECT_THAT(
      text, HasSubstr("what to do: warpmark explain failed (or crashed, unsupported, not_converged, spread, doubts)"));
  EXPECT_THAT(text, HasSubstr("every doubt, with its case: warpmark report r.json"));
  EXPECT_THAT(text, HasSubstr("failed: wrong result after the samples"));
}

TEST_F(RunSummaryTest, marks_a_row_whose_repeats_differ) {
  std::vector<Record> records;
  add(records, triad("plain", std::int64_t{65536}, 325e9), 0.3);
  choose_colour(Colour::always);
  const std::string apart = summary(made_document(records));
  EXPECT_THAT(apart, HasSubstr("\x1b[33mrepeats differ"));
  EXPECT_THAT(apart, Not(HasSubstr("\x1b[32m"))) << "nothing of it is green";
  const std::string well = summary(good());
  EXPECT_THAT(well, HasSubstr("\x1b[32mok"));
  EXPECT_THAT(well, Not(HasSubstr("\x1b[33m")));
  choose_colour(Colour::automatic);
}

TEST_F(RunSummaryTest, shows_a_unit_as_text) {
  std::vector<Record> records = good_records();
  for (Record& record : records) record.metrics[0].unit = "\x1b[2J";
  EXPECT_THAT(summary(made_document(records)), HasSubstr("490 G\\x1b[2J"));
}

TEST_F(RunSummaryTest, has_no_spread_of_one_repeat) {
  const std::string one = summary(made_document({made_record(triad("plain", "memory", 50e9))}));
  EXPECT_THAT(one, HasSubstr("50.0 GB/s       -        -"));
  EXPECT_THAT(one, HasSubstr("1 of 1 case measured"));
}

TEST_F(RunSummaryTest, folds_what_was_not_reached) {
  const std::string text = summary(interrupted());
  EXPECT_THAT(text, HasSubstr("\n3 cases not reached\n"));
  EXPECT_THAT(text, HasSubstr("1 of 3 repeats"));
  EXPECT_THAT(text, Not(HasSubstr("  skipped"))) << "beside a number that would contradict it";
}

TEST_F(RunSummaryTest, shows_all_of_few_cases_and_of_many_when_asked) {
  EXPECT_THAT(summary(many()), Not(HasSubstr("30 MiB")));
  EXPECT_THAT(summary(many()), HasSubstr("37 cases in all; each is in the report (warpmark report r.json)"));
  EXPECT_THAT(summary(many(), std::string::npos, true), HasSubstr("30 MiB"));
  EXPECT_THAT(summary(good()), HasSubstr("4 MiB"));
}

TEST_F(RunSummaryTest, names_the_best_kernel_and_how_much_better_it_is) {
  EXPECT_THAT(summary(good()), HasSubstr("nt (1.46 x plain)"));
  EXPECT_THAT(summary(good()), HasSubstr("onednn-packed (1.06 x onednn)"));
}

TEST_F(RunSummaryTest, takes_no_other_mode_for_a_rival) {
  std::vector<Record> records = good_records();
  Made batch = gemm("onednn-packed", 1024, 213e9), isolated = batch;
  isolated.mode = Mode::isolated;
  isolated.value = 220e9;
  add(records, isolated);
  EXPECT_THAT(summary(made_document(records)), HasSubstr("onednn-packed isolated  "))
      << "nothing beside it in its mode";
  isolated.variant = "onednn";
  isolated.value = 200e9;
  add(records, isolated);
  EXPECT_THAT(summary(made_document(records)), HasSubstr("onednn-packed isolated (1.10 x onednn isolated)"));
}

TEST_F(RunSummaryTest, says_how_many_times_the_cpu_a_gpu_is) {
  EXPECT_THAT(summary(good()), Not(HasSubstr("the CPU")));
  std::vector<Record> records = good_records();
  Made gpu = triad("vector", "memory", 3.9e12);
  gpu.device = "cuda:0";
  add(records, gpu);
  Document both = made_document(records);
  both.devices.push_back({{"id", "cuda:0"}, {"backend", "cuda"}});
  EXPECT_THAT(summary(both),
              HasSubstr("cuda:0 memory/triad f64 memory vector: 54 x the CPU (3.90 TB/s against 71.7 GB/s)\n"));
  for (const std::size_t columns : {80U, 40U})
    EXPECT_THAT(lines_of(summary(both, columns)), Each(testing::Property(&std::string::size, testing::Le(columns))));
}

TEST_F(RunSummaryTest, names_the_device_only_where_there_are_several) {
  EXPECT_THAT(summary(good()), Not(HasSubstr("cpu:0")));
  Document two = good();
  two.devices.push_back(two.devices.front());
  EXPECT_THAT(summary(two), HasSubstr("memory/triad on cpu:0"));
}

TEST(label_of, has_sizes_in_binary_units) {
  EXPECT_EQ(label_of(made_record({.size = std::int64_t{1} << 24})).text(), "memory/triad f64 16 MiB plain");
  EXPECT_EQ(label_of(made_record({.size = "memory"})).at, "memory");
  EXPECT_EQ(label_of(made_record({.axis = "n", .size = std::int64_t{512}})).at, "n=512");
}

TEST(shortened, keeps_both_ends) {
  EXPECT_EQ(shortened("memory/triad", 12), "memory/triad");
  EXPECT_EQ(shortened("memory/triad", 9), "mem...iad");
  EXPECT_EQ(shortened("memory/triad", 3), "mem");
}

TEST(progress_line, has_case_elapsed_and_time_left_as_far_as_they_fit) {
  const Progress progress{.done = 12,
                          .total = 42,
                          .elapsed_seconds = 19,
                          .left_seconds = 67.9,
                          .id = "memory/triad/cpu:0/plain-1core/f64/footprint=67108864",
                          .repeat = 1};
  EXPECT_EQ(progress_line(progress, 120),
            "[#####...............] 12/42  0:19 elapsed, 1:07 left  "
            "memory/triad/cpu:0/plain-1core/f64/footprint=67108864 repeat 2");
  EXPECT_EQ(progress_line(progress, 99),
            "[#####...............] 12/42  0:19 elapsed, 1:07 left  memory/triad/cpu...otprint=67108864 repeat 2");
  EXPECT_EQ(progress_line(progress, 79),
            "12/42  0:19 elapsed, 1:07 left  memory/triad/cpu:...footprint=67108864 repeat 2");
  EXPECT_THAT(progress_line(progress, 39), StartsWith("12/42  0:19 elapsed, 1:07 left"));
  for (std::size_t columns = 1; columns < 130; ++columns) EXPECT_LE(progress_line(progress, columns).size(), columns);
}

TEST(progress_line, guesses_no_time_left_before_the_first_measurement) {
  EXPECT_EQ(progress_line({.done = 0, .total = 3, .elapsed_seconds = 1, .id = "x/y"}, 99),
            "[....................] 0/3  0:01 elapsed  x/y repeat 1");
}

}  // namespace
}  // namespace warpmark
