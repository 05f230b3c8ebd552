// SPDX-License-Identifier: Apache-2.0
// Files of bands: reading one, finding its models, and holding numbers against it.
#include <cmath>

#include "harness/reference/bands.h"
#include "harness/summary/device_verdict.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"

namespace warpmark {
namespace {

Record record_of(const std::string& benchmark, const std::string& metric, double value) {
  Record record{.id = benchmark, .benchmark = benchmark, .device = "cuda:0"};
  record.at.at = {{"footprint", "memory"}, {"n", std::int64_t{8192}}};
  record.metrics = {
      Metric{.name = metric, .unit = metric == "bandwidth" ? "B/s" : "FLOP/s", .value = value, .gate = true}};
  record.verification = Verdict{.error = 0, .allowed = 1};
  return record;
}

/// A card of that name with a number of each kind.
Document card(const std::string& name, double value) {
  Document document;
  document.devices = nlohmann::json::array({{{"id", "cuda:0"}, {"backend", "cuda"}, {"name", name}}});
  for (const char* benchmark : {"memory/read", "memory/copy", "memory/triad"})
    document.records.push_back(record_of(benchmark, "bandwidth", value));
  document.records.push_back(record_of("gemm/square", "flop_rate", value));
  return document;
}

void expect_band(const Band& band) {
  expect(std::isfinite(band.low) && std::isfinite(band.high) && band.low >= 0 && band.low < band.high,
         "a band is a range");
  expect(!band.source.empty() && !band.date.empty() && !band.unit.empty(), "a band says where it is from");
}

void expect_verdicts(const BandTable& table, const std::string& name) {
  for (const double value : {0.0, 1e9, 3e12, 1e300}) {
    const Document document = card(name, value);
    const std::vector<DeviceVerdict> verdicts = device_verdicts(document, summarise(document), table);
    expect(verdicts.size() == 1, "a GPU has a verdict");
    expect((verdicts[0].judgement == Judgement::keep) == verdicts[0].reasons.empty(), "what is not kept has a reason");
  }
}

}  // namespace

bool fuzz(std::string_view input) {
  const auto gpus = unless_refused([&] { return parse_bands(input, "bands.toml"); });
  if (!gpus) return false;
  const BandTable table(*gpus);
  for (const GpuBands& gpu : table.gpus()) {
    expect(!gpu.bands.empty() && !gpu.names.empty(), "a model has names and bands");
    for (const std::string& name : gpu.names)
      expect(plain_name(name).empty() || table.find(name) == &gpu, "a name is of one model");
    for (const Band& band : gpu.bands) expect_band(band);
  }
  expect_verdicts(table, table.gpus().front().names.front());
  return true;
}

}  // namespace warpmark
