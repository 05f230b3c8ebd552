// SPDX-License-Identifier: Apache-2.0
#include "reports/render/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/golden.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::array<Document, 1> fixture(const std::string& name = "result.json") { return {read_document(fixture_path(name))}; }

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The page without the scripts at its end: those are Vega's sources, which hold markup and name Vega's home.
std::string without_scripts(const std::string& page) {
  return page.substr(0, page.find("<script>", page.find("</main>")));
}

TEST(MarkdownReport, IsAsLastSeen) {
  const std::string text = markdown_report(fixture(), {.sources = {"result.json"}});
  expect_golden("report.md", text);
}

TEST(MarkdownReport, EscapesWhatWouldBeMarkup) {
  const std::string text = markdown_report(fixture("result_hostile.json"), {});
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("[link](")));
  EXPECT_THAT(text, HasSubstr("&lt;script\\>alert(1)&lt;/script\\>"));
  for (const char steering : {'\x1b', '\x07', '\0'}) EXPECT_EQ(text.find(steering), std::string::npos);
}

TEST(GoogleBenchmarkReport, HasNoNumberWhereNoneFits) {
  Record record = made_record({});
  record.stats->n = record.samples.batch = std::int64_t{1} << 52;
  std::array documents{made_document({record})};
  documents[0].machine["cpu"]["threads"] = 1e300;
  documents[0].devices[0]["max_clock_hz"] = 1e300;
  const json report = json::parse(google_benchmark_report(documents, {}));
  EXPECT_TRUE(report["benchmarks"][0]["iterations"].is_null());
  EXPECT_TRUE(report["context"]["num_cpus"].is_null());
  EXPECT_TRUE(report["context"]["mhz_per_cpu"].is_null());
  EXPECT_THAT(markdown_report(documents, {}), Not(HasSubstr("threads")));
}

TEST(MarkdownReport, EscapesUnits) {
  Record record = made_record({});
  record.metrics[0].unit = "<img>|";
  const std::array documents{made_document({record}), made_document({record})};
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
    const std::string text = markdown_report(std::span(documents).first(count), {});
    EXPECT_THAT(text, HasSubstr("&lt;img\\>\\|"));
    EXPECT_THAT(text, Not(HasSubstr("<img")));
  }
}

TEST(CsvReport, IsAsLastSeen) {
  const std::string text = csv_report(fixture(), {.sources = {"result.json"}});
  expect_golden("report.csv", text);
}

TEST(CsvReport, HasAsManyCellsInEachLineAsInItsHeader) {
  const std::array documents{made_document({made_record({}), made_record({.size = 1, .status = Status::failed})})};
  std::istringstream lines(csv_report(documents, {}));
  std::size_t rows = 0;
  for (std::string line, header; std::getline(lines, line); ++rows) {
    if (header.empty()) header = line;
    EXPECT_EQ(count_of(line, ","), count_of(header, ",")) << line;
  }
  EXPECT_EQ(rows, 3U);
}

TEST(CsvReport, KeepsFormulasFromRunning) {
  Record record = made_record({.status = Status::failed});
  std::array documents{made_document({record})};
  for (const char* formula : {"=1+1", "+1", "-1", "@sum", " =1", "\uFF1D1", "\uFF0B1", "\uFF0D1", "\uFF201"}) {
    documents[0].records[0].why = formula;
    EXPECT_THAT(csv_report(documents, {}), HasSubstr(",'" + std::string(formula))) << formula;
  }
  for (const char* plain : {"a=1", " a", "1-2", "\u2013"}) {
    documents[0].records[0].why = plain;
    EXPECT_THAT(csv_report(documents, {}), HasSubstr("," + std::string(plain) + ",")) << plain;
  }
  documents[0].records[0].why = "a=1, \"b\"";
  EXPECT_THAT(csv_report(documents, {}), HasSubstr(",\"a=1, \"\"b\"\"\","));
}

TEST(CsvReport, IsSafeToLookAtOnATerminal) {
  Record record = made_record({.status = Status::failed});
  record.why = "red\x1b[31m\nforged,line\r\t=1\u009b2J\u202e\x7f";
  std::array documents{made_document({record})};
  documents[0].devices[0]["name"] = "\x1b]0;owned\x07\n=cmd()";
  documents[0].records[0].at.kernel.variant = "\n=1";
  for (const std::string& text :
       {csv_report(documents, {}), markdown_report(documents, {}), google_benchmark_report(documents, {})})
    for (const std::string steering : {"\x1b", "\x07", "\r", "\t", "\x7f", "\u009b", "\u202e"})
      EXPECT_EQ(text.find(steering), std::string::npos) << text;
  const std::string text = csv_report(documents, {});
  EXPECT_EQ(count_of(text, "\n"), 2U) << "the header and one record";
  EXPECT_THAT(text, HasSubstr("\"red\\x1b[31m\\x0aforged,line\\x0d\\x09=1\\xc2\\x9b2J\\xe2\\x80\\xae\\x7f\""));
  EXPECT_THAT(text, HasSubstr(",\\x1b]0;owned\\x07\\x0a=cmd(),")) << "no formula: it begins with a backslash";
}

TEST(CsvReport, LeavesUnknownNumbersEmpty) {
  Record record = made_record({});
  record.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  const std::array documents{made_document({record})};
  EXPECT_THAT(csv_report(documents, {}), HasSubstr(",bandwidth,B/s,,higher,true,,,,"));
}

TEST(GoogleBenchmarkReport, HasOneEntryPerUsableRepeat) {
  const std::array documents{made_document(
      {made_record({}), made_record({.repeat = 1}), made_record({.repeat = 2, .status = Status::failed})})};
  const json report = json::parse(google_benchmark_report(documents, {}));
  ASSERT_EQ(report["benchmarks"].size(), 2U);
  const json& second = report["benchmarks"][1];
  EXPECT_EQ(second["name"], "memory/triad/cpu:0/plain/f64/footprint=16384");
  EXPECT_EQ(second["run_type"], "iteration");
  EXPECT_EQ(second["repetitions"], 2);
  EXPECT_EQ(second["repetition_index"], 1);
  EXPECT_EQ(second["real_time"], 1e9);
  EXPECT_EQ(second["time_unit"], "ns");
  EXPECT_EQ(second["bandwidth"], 1e9);
}

TEST(GoogleBenchmarkReport, TakesSeveralDocumentsForMoreRepeats) {
  const std::array documents{made_document({made_record({})}), made_document({made_record({})})};
  const json report = json::parse(google_benchmark_report(documents, {}));
  ASSERT_EQ(report["benchmarks"].size(), 2U);
  EXPECT_EQ(report["benchmarks"][1]["repetition_index"], 1);
  EXPECT_EQ(report["benchmarks"][0]["family_index"], report["benchmarks"][1]["family_index"]);
}

TEST(HtmlReport, KeepsMarkupOutOfThePage) {
  const std::string page = html_report(fixture("result_hostile.json"), {});
  EXPECT_EQ(count_of(page, "<script"), count_of(html_report(fixture(), {}), "<script"));
  EXPECT_THAT(without_scripts(page), Not(HasSubstr("<img")));
  EXPECT_THAT(without_scripts(page), HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST(HtmlReport, NamesNoOtherPlace) {
  const std::string page = without_scripts(html_report(fixture(), {}));
  EXPECT_EQ(count_of(page, "https://"), count_of(page, R"("$schema":"https://vega.github.io/schema/vega-lite/)"));
  EXPECT_EQ(count_of(page, "http://"), 0U);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(HtmlReport, HoldsEveryNumberOfTheChartsInTables) {
  const std::string page = html_report(fixture(), {});
  const std::string tables = page.substr(0, page.find("<script type"));
  for (const char* number : {"280 GB/s", "279 GB/s", "278 GB/s", "23.2 GB/s", "229 GFLOP/s", "85.4 %"})
    EXPECT_THAT(tables, HasSubstr(number));
}

TEST(HtmlReport, SaysWhyOfEverythingThatWasNotMeasured) {
  const auto documents = fixture();
  const std::string page = without_scripts(html_report(documents, {}));
  for (const Record& record : documents[0].records) {
    if (record.status == Status::skipped) {
      EXPECT_THAT(page, HasSubstr(record.why));
    }
  }
  EXPECT_THAT(page, HasSubstr("8 of 14"));
}

TEST(HtmlReport, StandsWithoutRecordsDevicesOrDocuments) {
  const std::array empty{Document{}};
  for (const std::string& page :
       {html_report(empty, {}), html_report({}, {}), html_report(std::array{made_document({})}, {})}) {
    EXPECT_THAT(page, HasSubstr("Nothing measured"));
    EXPECT_LT(page.size(), 200'000U);  // no chart, no Vega
    EXPECT_THAT(page, HasSubstr("</html>"));
  }
}

TEST(HtmlReport, ShowsSeveralResultsSideBySide) {
  const std::array documents{
      made_document({made_record({.value = 2e9}), made_record({.size = 1})}),
      made_document({made_record({.value = 3e9}), made_record({.size = 2, .status = Status::failed})})};
  const std::string page = without_scripts(html_report(documents, {.sources = {"a.json", "b.json"}}));
  for (const char* part : {"2 results side by side", "a.json", "b.json", "2.00 GB/s", "3.00 GB/s", "1.50× A", "B ÷ A",
                           "not there", "B: why of failed"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(HtmlReport, PutsTheCpuBesideTheGpuOnItsCardAndInTheTableOfSeveral) {
  const Record cpu = made_record({.value = 2e9}), gpu = made_record({.device = "cuda:0", .value = 8e9});
  Document both = made_document({cpu, gpu});
  both.devices.push_back({{"id", "cuda:0"}, {"backend", "cuda"}});
  const std::string card = R"(<p class="beside">4.0× the CPU (8.00 against 2.00 GB/s)</p>)";
  EXPECT_EQ(count_of(html_report(std::array{both}, {}), card), 1U);
  EXPECT_EQ(count_of(html_report(std::array{made_document({gpu})}, {}), "× the CPU"), 0U);
  const std::array apart{made_document({cpu}), made_document({gpu})};
  const std::string cell = R"(<small class="beside">4.0× the CPU of A (8.00 against 2.00 GB/s)</small>)";
  EXPECT_EQ(count_of(html_report(apart, {}), cell), 1U);
  EXPECT_THAT(markdown_report(std::array{both}, {}),
              HasSubstr("\n- cuda:0 memory/triad f64: 4.0× the CPU (8.00 against 2.00 GB/s)\n"));
  EXPECT_THAT(markdown_report(apart, {}), HasSubstr("\n- B cuda:0 memory/triad f64: 4.0× the CPU of A ("));
}

/// Products of f16: a large one that only matrix units can be so fast at, and a small one. The device is called so.
Document with_products(const std::string& device) {
  const auto product = [&device](std::int64_t n, double rate) {
    Record record = made_record({.benchmark = "gemm/square",
                                 .device = device,
                                 .axis = "n",
                                 .size = n,
                                 .value = rate,
                                 .ceiling = 1600e12,
                                 .metric = "flop_rate"});
    record.at.kernel.dtype = DType::f16;
    record.work = {.flops = rate * 1e-4};
    return record;
  };
  Document document = made_document({product(8192, 1200e12), product(64, 16e12)});
  document.devices = json::array(
      {{{"id", device}, {"backend", "cuda"}, {"ceilings", {{"f32_fma", {{"value", 100e12}, {"unit", "FLOP/s"}}}}}}});
  return document;
}

TEST(Reports, SayWhetherTensorCoresWereAtWork) {
  const std::string line =
      "cuda:0: tensor cores: yes; f16 1.20 PFLOP/s at its best (gemm/square n=8192, 75.0 % of the matrix unit)";
  const std::string loss =
      "gemm/square n=64: f16 at 1.00 % of the matrix unit: it is small: the units would be done in 1.00 µs";
  const std::array one{with_products("cuda:0")};
  const std::string page = without_scripts(html_report(one, {}));
  EXPECT_EQ(count_of(page, "<p class=\"about\">" + line + "</p>"), 1U);
  EXPECT_EQ(count_of(page, "<li><p>" + loss + "</p></li>"), 1U);
  EXPECT_THAT(markdown_report(one, {}), HasSubstr("\n- " + line + "\n  - " + loss + "\n"));
  const std::array two{with_products("cuda:0"), with_products("cuda:0")};
  EXPECT_EQ(count_of(html_report(two, {}), "<p class=\"about\">B " + line + "</p>"), 1U);
  EXPECT_EQ(count_of(html_report(std::array{with_products("<b>cuda")}, {}), "<b>cuda"), 0U);
  EXPECT_EQ(count_of(html_report(fixture(), {}), "tensor cores: "), 0U) << "of a CPU";
}

/// A GPU of that name with three numbers at that bandwidth.
Document gpu_at(const std::string& name, double value) {
  std::vector<Record> records;
  for (const char* benchmark : {"memory/copy", "memory/read", "memory/triad"})
    records.push_back(made_record({.benchmark = benchmark, .device = "cuda:0", .size = "memory", .value = value}));
  Document document = made_document(std::move(records));
  document.run["repeats"] = 1;
  document.devices = json::array({{{"id", "cuda:0"}, {"backend", "cuda"}, {"name", name}}});
  return document;
}

TEST(Verdict, StandsFirstUnderTheTitleOfThePage) {
  const std::string kept = without_scripts(html_report(std::array{gpu_at("NVIDIA H200", 4.1e12)}, {}));
  const std::size_t word = kept.find(R"(<strong class="word">KEEP</strong> cuda:0, NVIDIA H200: 3 numbers held)");
  ASSERT_NE(word, std::string::npos);
  EXPECT_LT(kept.find("<h1>"), word);
  EXPECT_LT(word, kept.find(R"(class="outcome">)"));
  EXPECT_EQ(count_of(kept, "<ul><li>memory"), 0U);
  const std::string sent_back = without_scripts(html_report(std::array{gpu_at("NVIDIA H200", 2.1e12)}, {}));
  EXPECT_THAT(sent_back, HasSubstr(R"(<div class="judgement bad"><p><strong class="word">RETURN</strong>)"));
  EXPECT_THAT(sent_back,
              HasSubstr("<ul><li>memory/read f64, footprint=memory: 2.10 TB/s is 41.2 % worse than its band"));
  EXPECT_EQ(count_of(without_scripts(html_report(fixture(), {})), "class=\"judgement"), 0U) << "a CPU has none";
}

TEST(Verdict, IsOfEachResultOfSeveral) {
  const std::array documents{gpu_at("NVIDIA H200", 4.1e12), gpu_at("NVIDIA H200", 2.1e12)};
  const std::string page = without_scripts(html_report(documents, {}));
  EXPECT_EQ(count_of(page, ">KEEP</strong>"), 1U);
  EXPECT_EQ(count_of(page, ">RETURN</strong>"), 1U);
}

TEST(Verdict, IsInMarkdownBeforeTheMachine) {
  const std::string text = markdown_report(std::array{gpu_at("NVIDIA H200", 2.1e12)}, {});
  const std::size_t at =
      text.find("**RETURN**: cuda:0, NVIDIA H200: 3 numbers held against the bands of H200\n\n- memory");
  ASSERT_NE(at, std::string::npos) << text.substr(0, 1000);
  EXPECT_LT(at, text.find("**Device**"));
}

TEST(Verdict, GoesByTheBandsThatTheReportIsGiven) {
  const BandTable none;
  const std::array documents{gpu_at("NVIDIA H200", 4.1e12)};
  EXPECT_THAT(markdown_report(documents, {.bands = &none}),
              HasSubstr("**CANNOT SAY**: cuda:0, NVIDIA H200: there is no"));
}

TEST(Verdict, ShowsAHostileNameAsText) {
  const std::array documents{gpu_at("<script>alert(1)</script>|*x*", 4.1e12)};
  EXPECT_THAT(without_scripts(html_report(documents, {})),
              HasSubstr("cuda:0, &lt;script&gt;alert(1)&lt;/script&gt;|*x*: there is no reference"));
  EXPECT_THAT(markdown_report(documents, {}),
              HasSubstr("cuda:0, &lt;script\\>alert(1)&lt;/script\\>\\|\\*x\\*: there"));
}

TEST(HtmlReport, TellsTheModeOfAKeyNumber) {
  EXPECT_THAT(html_report(std::array{made_document({made_record({})})}, {}),
              HasSubstr("<b>plain, footprint 16 KiB, batch</b>"));
  EXPECT_THAT(html_report(std::array{made_document({made_record({.mode = Mode::isolated})})}, {}),
              HasSubstr("<b>plain, footprint 16 KiB, isolated</b>"));
}

TEST(HtmlReport, IsSmallWithoutItsData) {
  EXPECT_LT(html_report(std::array{made_document({made_record({})})}, {}).size(), 1'000'000U);
}

TEST(MarkdownReport, PutsSeveralResultsSideBySide) {
  std::array<Document, 2> documents{read_document(fixture_path("result.json")),
                                    read_document(fixture_path("result.json"))};
  for (Record& record : documents[1].records)
    for (Metric& metric : record.metrics) {
      metric.value *= 1.1;
      if (metric.of_ceiling) *metric.of_ceiling *= 1.1;
    }
  std::erase_if(documents[1].records, [](const Record& record) { return record.at.kernel.variant == "portable"; });
  const std::string text = markdown_report(documents, {.sources = {"before.json", "after.json"}});
  expect_golden("report.side_by_side.md", text.substr(0, text.find("\n## Run A")));
}

}  // namespace
}  // namespace warpmark
