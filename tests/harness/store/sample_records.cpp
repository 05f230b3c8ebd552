// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/store/sample_records.h"

#include <utility>

#include "harness/store/suite.h"

namespace warpmark {
namespace {

void measure(Record& r) {
  r.metrics = {{.name = "flop_rate",
                .unit = "FLOP/s",
                .value = 1.25e11,
                .better = Better::higher,
                .gate = true,
                .ceiling = 2.5e11,
                .ceiling_source = "derived: 2 x 3",
                .of_ceiling = 0.5,
                .of_ceiling_at_clock = 0.625},
               {.name = "latency", .unit = "s", .value = 1e-6, .better = Better::lower}};
  r.samples = {.seconds = {0.1, 0.30000000000000004, 5e-324},
               .at = {0, 0.25, 0.75},
               .clock_hz = {2.5e9, 2.6e9, 2.7e9},
               .probe = {1e11, 1.1e11, 1.2e11},
               .warmup = {0.5, 0.4},
               .batch = 7};
  r.stats = Summary{.n = 3,
                    .median = 0.1,
                    .min = 0.01,
                    .max = 0.3,
                    .p5 = 0.02,
                    .p25 = 0.05,
                    .p75 = 0.2,
                    .p95 = 0.28,
                    .p99 = 0.29,
                    .mad = 0.03,
                    .drift = -0.125,
                    .p999 = 0.295,
                    .lag1 = 0.75,
                    .ci_low = 0.06,
                    .ci_high = 0.15,
                    .modes = Modes{.levels = {0.1, 0.3}, .shares = {0.25, 0.75}, .switches = 2}};
}

}  // namespace

Record full_record() {
  Record r;
  r.id = "gemm/cpu:0/onednn/bf16/n=1024/layout=nt/alpha=2/mode=batch";
  r.benchmark = "gemm";
  r.device = "cpu:0";
  r.at.kernel = {.backend = "cpu", .variant = "onednn", .dtype = DType::bf16};
  r.at.mode = Mode::batch;
  r.at.at = {{"n", std::int64_t{1024}}, {"layout", std::string("nt")}, {"alpha", std::int64_t{2}}};
  r.regime = "steady";
  r.repeat = 2;
  r.method = 3;
  r.course = Course{.first_until = 2, .steady_from = 9.5, .settled_at = 9};
  r.status = Status::not_converged;
  r.why = "the interval is \"wide\" \\ \n \xe2\x82\xac";
  r.work = {.bytes_read = 4194304, .bytes_written = 2097152, .flops = 2147483648.0, .steps = 3};
  measure(r);
  r.verification = Verdict{.error = 0.001, .allowed = 10};
  r.about = {{"engine", "brg:avx512_core_amx"}, {"threads", 2}, {"nested", {{"list", {1, 2.5, nullptr, true}}}}};
  r.data = {{"distribution", "uniform[-1,1)"}, {"seed", 18446744073709551615ULL}};
  r.telemetry = {{"cpus", 2},
                 {"seconds", 0.5},
                 {"steal_share", 0.03},
                 {"huge_pages", {{"asked_bytes", 4194304}, {"bytes", 0}, {"setting", "never"}}},
                 {"denied", {{{"what", "others_cpus"}, {"why", "/proc/self/stat: permission denied"}}}}};
  r.setup_seconds = 0.375;
  r.warmup_seconds = 0.125;
  r.sampling_seconds = 0.5;
  r.verification_seconds = 0.25;
  r.started_at = "2026-11-30T05:30:00Z";
  return r;
}

Record bare_record() {
  Record r;
  r.id = "memory/triad/cpu:0/portable/f64";
  r.benchmark = "memory/triad";
  r.device = "cpu:0";
  r.at.kernel = {.backend = "cpu", .variant = "portable", .dtype = DType::f64};
  return r;
}

namespace {

nlohmann::json begun_run() {
  return {{"id", "3f9a1c2e"},
          {"started_at", "2026-11-30T05:30:00Z"},
          {"command", {"warpmark", "run"}},
          {"version", "0.1.0"},
          {"git", nullptr},
          {"build", nlohmann::json::object()},
          {"suite", "quick"},
          {"gates", nlohmann::json::array()},
          {"regime", "burst"},
          {"protocol", to_json(Protocol{})},
          {"repeats", 3},
          {"seed", 1},
          {"labels", nlohmann::json::object()},
          {"price", nullptr}};
}

nlohmann::json device() {
  return {{"id", "cpu:0"},
          {"backend", "cpu"},
          {"name", "made up"},
          {"units", 2},
          {"memory_bytes", 0},
          {"last_level_cache_bytes", 0},
          {"max_clock_hz", nullptr},
          {"ceilings", nlohmann::json::object()},
          {"facts", nlohmann::json::object()}};
}

}  // namespace

Document document_of(std::vector<Record> records) {
  Document document{.run = begun_run(), .records = std::move(records)};
  document.run.update({{"ended_at", "2026-11-30T05:31:00Z"}, {"exit_code", 0}, {"interrupted", false}});
  return document;
}

nlohmann::json journal_head() {
  return {{"run", begun_run()},
          {"machine", nlohmann::json::object()},
          {"devices", nlohmann::json::array({device()})},
          {"plan", {"gemm/cpu:0/onednn/f32/n=1024"}}};
}

}  // namespace warpmark
