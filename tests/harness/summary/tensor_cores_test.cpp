// SPDX-License-Identifier: Apache-2.0
// Of a card with 100 TFLOP/s of f32, 200 of packed f16, 1600 in its matrix units and 4 TB/s of memory.
#include "harness/summary/tensor_cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr double tera = 1e12;

struct Product {
  DType dtype = DType::f16;
  std::string arithmetic{};  // where the type does not tell it
  double teraflops = 0;
  std::int64_t n = 8192;
  std::string benchmark = "gemm/square";
  double bytes = 0;  // 0: those of a square product of f16
};

Record record_of(const Product& product) {
  const auto n = static_cast<double>(product.n);
  Record record = made_record({.benchmark = product.benchmark,
                               .device = "cuda:0",
                               .variant = product.arithmetic + std::string(name_of(product.dtype)),
                               .axis = "n",
                               .size = product.n,
                               .mode = Mode::isolated,
                               .value = product.teraflops * tera,
                               .ceiling = (product.dtype == DType::f32 ? 100 : 1600) * tera,
                               .metric = "flop_rate"});
  record.at.kernel.dtype = product.dtype;
  record.work = {.bytes_read = product.bytes > 0 ? product.bytes : 6 * n * n, .flops = 2 * n * n * n};
  if (!product.arithmetic.empty()) record.about = {{"arithmetic", product.arithmetic}};
  return record;
}

Document document_of(const std::vector<Product>& products, const nlohmann::json& ceilings) {
  std::vector<Record> records;
  for (const Product& product : products) records.push_back(record_of(product));
  Document document = made_document(std::move(records));
  document.devices = {{{"id", "cuda:0"}, {"backend", "cuda"}, {"name", "Card"}, {"ceilings", ceilings}}};
  return document;
}

nlohmann::json of(double value) { return {{"value", value}}; }

nlohmann::json card() {
  return {{"f32_fma", of(100 * tera)}, {"f16_fma", of(200 * tera)}, {"memory_bandwidth", of(4 * tera)}};
}

std::vector<std::string> lines_of(const Document& document) {
  std::vector<std::string> lines;
  const RunSummary run = summarise(document);
  for (const TensorCores& cores : tensor_cores(document, run)) {
    lines.push_back(tensor_cores_text(cores, " x "));
    for (const std::string& loss : tensor_core_losses(cores, " x ")) lines.push_back(loss);
  }
  return lines;
}

TEST(TensorCores, AreAtWorkWhereF16IsBeyondWhatMultiplyAddUnitsDo) {
  EXPECT_THAT(lines_of(document_of({{.teraflops = 1200},
                                    {.dtype = DType::f32, .teraflops = 80},
                                    {.dtype = DType::f32, .arithmetic = "tf32", .teraflops = 600}},
                                   card())),
              ElementsAre("cuda:0: tensor cores: yes; f16 1.20 PFLOP/s at its best, 15 x f32 and 2.0 x TF32 "
                          "(gemm/square n=8192, 75.0 % of the matrix unit)"));
}

TEST(TensorCores, AreNotWhereF16IsNoFasterThanMultiplyAddUnits) {
  EXPECT_THAT(
      lines_of(document_of({{.teraflops = 199}, {.dtype = DType::f32, .teraflops = 90}}, card())),
      ElementsAre("cuda:0: tensor cores: no; f16 is no faster than multiply-add units are; f16 199 TFLOP/s at "
                  "its best, 2.2 x f32 (gemm/square n=8192, 12.4 % of the matrix unit)",
                  "gemm/square n=8192: f16 2.2 x f32, at 12.4 % of the matrix unit: its shape does not tell why"));
}

TEST(TensorCores, AreNotToldByTheirOwnInstructions) {
  const Product own{.teraflops = 1500, .benchmark = "compute/matrix"};
  EXPECT_THAT(lines_of(document_of({{.teraflops = 150}, own}, card())).front(),
              StartsWith("cuda:0: tensor cores: no; f16 is no faster than multiply-add units are; f16 150 TFLOP/s"));
  EXPECT_THAT(lines_of(document_of({own}, card())), IsEmpty());
}

TEST(TensorCores, ArePartlyAtWorkWhereSomeShapesThatTellAreNot) {
  const auto lines = lines_of(document_of({{.teraflops = 1200}, {.teraflops = 150, .n = 4100}}, card()));
  EXPECT_THAT(lines, ElementsAre("cuda:0: tensor cores: partly, in 1 of 2 products that are large enough to tell; f16 "
                                 "1.20 PFLOP/s at its best (gemm/square n=8192, 75.0 % of the matrix unit)",
                                 "gemm/square n=4100: f16 at 9.38 % of the matrix unit: n 4100 is no multiple of 8"));
}

TEST(TensorCores, AreNotJudgedByWhatMemoryBoundsOrWhatIsSmall) {
  // 2 x 4096^3 in 86 us at 1600 TFLOP/s; 1 GB in 250 us.
  const Product moving{.teraflops = 150, .n = 4096, .benchmark = "gemm/skinny", .bytes = 1e9};
  const Product small{.teraflops = 20, .n = 512};  // 0.17 us
  EXPECT_THAT(lines_of(document_of({moving, small}, card())), IsEmpty()) << "nothing tells";
  const auto lines = lines_of(document_of({{.teraflops = 1200}, moving, small}, card()));
  EXPECT_THAT(lines,
              ElementsAre("cuda:0: tensor cores: yes; f16 1.20 PFLOP/s at its best (gemm/square n=8192, 75.0 % "
                          "of the matrix unit)",
                          "gemm/square n=512: f16 at 1.25 % of the matrix unit: memory bounds it: its operands take "
                          "393 ns to move, the units would be done in 168 ns",
                          "gemm/skinny n=4096: f16 at 9.38 % of the matrix unit: memory bounds it: its operands "
                          "take 250 µs to move, the units would be done in 85.9 µs"));
}

TEST(TensorCores, TakeTheBestKernelOfAType) {
  Record slow = record_of({.teraflops = 100});
  slow.id += "/slow";
  Document document = document_of({{.teraflops = 1200}}, card());
  document.records.push_back(slow);
  EXPECT_THAT(lines_of(document), ElementsAre(testing::HasSubstr("tensor cores: yes; f16 1.20 PFLOP/s")));
}

TEST(TensorCores, AreToldByBf16WhereThereIsNoF16) {
  EXPECT_THAT(lines_of(document_of({{.dtype = DType::bf16, .teraflops = 1000}}, card())),
              ElementsAre(testing::HasSubstr("tensor cores: yes; bf16 1.00 PFLOP/s")));
}

TEST(TensorCores, AreHeldAgainstTwiceF32WhereTheRateOfPackedF16IsNotStated) {
  nlohmann::json older = card();
  older.erase("f16_fma");
  EXPECT_THAT(lines_of(document_of({{.teraflops = 201}}, older)),
              ElementsAre(testing::HasSubstr(": yes;"), testing::_));
  EXPECT_THAT(lines_of(document_of({{.teraflops = 199}}, older)), ElementsAre(testing::HasSubstr(": no;"), testing::_));
}

TEST(TensorCores, AreNoQuestionOfACpuNorOfACardThatTellsNothing) {
  EXPECT_THAT(lines_of(made_document({made_record({.metric = "flop_rate"})})), IsEmpty());
  EXPECT_THAT(lines_of(document_of({{.teraflops = 1200}}, nlohmann::json::object())), IsEmpty());
  EXPECT_THAT(lines_of(document_of({{.dtype = DType::f32, .teraflops = 80}}, card())), IsEmpty()) << "no narrow type";
  EXPECT_THAT(lines_of(document_of({}, {{"f32_fma", "much"}})), IsEmpty());
}

}  // namespace
}  // namespace warpmark
