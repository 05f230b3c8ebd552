// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

Metric metric_of(const Made& made) {
  Metric metric{.name = made.metric, .unit = "FLOP/s", .value = made.value, .gate = true};
  if (made.metric == "bandwidth") metric.unit = "B/s";
  if (made.metric == "latency") {
    metric.unit = "s";
    metric.better = Better::lower;
  }
  metric.ceiling_source = "the reason for none";
  if (made.ceiling == 0) return metric;
  metric.ceiling = made.ceiling;
  metric.ceiling_source = "derived: by hand";
  metric.of_ceiling = made.value / made.ceiling;
  return metric;
}

}  // namespace

Record made_record(const Made& made) {
  Record record;
  record.benchmark = made.benchmark;
  record.device = made.device;
  record.at.kernel = {
      .backend = made.device.substr(0, made.device.find(':')), .variant = made.variant, .dtype = DType::f64};
  record.at.mode = made.mode;
  record.at.at = {{made.axis, made.size}};
  record.id = made.benchmark + "/" + made.device + "/" + made.variant + "/f64/" + made.axis + "=" + text_of(made.size);
  if (made.mode == Mode::isolated) record.id += "/mode=isolated";
  record.repeat = made.repeat;
  record.status = made.status;
  record.work = {.bytes_read = 2e9, .bytes_written = 1e9, .flops = 1e9};
  if (made.status != Status::ok) record.why = "why of " + std::string(name_of(made.status));
  if (!measured(made.status)) return record;
  record.metrics = {metric_of(made)};
  record.stats =
      Summary{.n = 10, .median = 1.0, .min = 0.9, .max = 1.2, .p5 = 0.5, .p25 = 0.95, .p75 = 1.05, .p95 = 2.0};
  record.verification = Verdict{.error = 0, .allowed = 1e-6};
  return record;
}

Document made_document(std::vector<Record> records) {
  Document document;
  document.run = {{"id", "r1"}, {"repeats", 3}};
  document.devices = nlohmann::json::array(
      {{{"id", "cpu:0"}, {"backend", "cpu"}, {"name", "A CPU"}, {"last_level_cache_bytes", 1048576}}});
  document.records = std::move(records);
  return document;
}

std::string fixture_path(const std::string& name) {
  return std::string(WARPMARK_SOURCE_DIR) + "/tests/fixtures/" + name;
}

}  // namespace warpmark
