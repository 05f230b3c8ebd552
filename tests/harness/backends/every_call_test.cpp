// SPDX-License-Identifier: Apache-2.0
// Every function that the program takes from the driver, from cublasLt and from cuDNN fails once: at its first call,
// the second, and so on until it is not called so often. Each time in a process of its own, which measures a case of
// memory, one of the library's and one of graphs, and then all again. What failed is named, nothing is left behind, and
// the second time all is well.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/backends/cuda/cublaslt.h"
#if WARPMARK_SIMULATES_CUDNN
#include "harness/backends/cuda/cudnn.h"
#endif
#include "harness/backends/cuda/driver.h"
#include "harness/backends/registry.h"
#include "harness/core/error.h"
#include "harness/measure/measure.h"
#include "harness/run/plan.h"
#include "tests/harness/store/temporary_folder.h"

// Of a sanitizer, where there is one.
extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));  // NOLINT

namespace warpmark {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* suite_text = R"({
  "schema": "warpmark.suite/1", "name": "every call",
  "protocol": {"min_samples": 6, "max_samples": 6, "min_seconds": 0, "max_seconds": 9, "interval": 1,
               "min_warmup_seconds": 0, "max_warmup_seconds": 0, "batch_seconds": 1e-6},
  "select": [{"benchmarks": "^memory/copy$", "dtypes": ["f32"], "variants": ["plain"], "axes": {"footprint": [1048576]}},
             {"benchmarks": "^transfer/copy$", "variants": ["registered"], "axes": {"direction": ["both"], "node": ["near"], "bytes": [4096]}},
             {"benchmarks": "^gemm/batched$", "dtypes": ["f16"], "variants": ["cublaslt"], "axes": {"n": [32], "batch": [2]},
              "modes": ["isolated"]},
             {"benchmarks": "^launch/graph$", "axes": {"step": ["upload"], "nodes": [2]}}]})";
/// Apart, because it takes seconds where the others take milliseconds.
constexpr const char* layer_suite_text = R"({
  "schema": "warpmark.suite/1", "name": "every call",
  "protocol": {"min_samples": 6, "max_samples": 6, "min_seconds": 0, "max_seconds": 9, "interval": 1,
               "min_warmup_seconds": 0, "max_warmup_seconds": 0, "batch_seconds": 1e-6},
  "select": [{"benchmarks": "^convolution/resnet50$", "dtypes": ["f16"], "variants": ["cudnn-first"], "modes": ["isolated"],
              "axes": {"layer": ["res5_1x1_512_2048"], "pass": ["fprop"], "batch": [1]}}]})";

/// Measures the suite on the first GPU: what became of each case, or why there was no device.
json attempt(const char* text) {
  json outcome = json::object();
  try {
    const Suite suite = parse_suite(text, "suite");
    const std::unique_ptr<Device> device = backends().front().open(0);
    const std::unique_ptr<Stream> stream = device->stream();
    Arena arena(*device, *stream);
    const Setup::Place place{.device = device.get(), .stream = stream.get(), .arena = &arena};
    for (const PlannedCase& planned : plan_cases(suite, "", device->info())) {
      const Record record =
          measure(std::span(&place, 1), *planned.benchmark, planned.at, RunFrame{.protocol = suite.protocol});
      outcome[planned.benchmark->name] = {{"status", name_of(record.status)}, {"why", record.why}};
    }
  } catch (const Error& error) {
    outcome["device"] = {{"status", "failed"}, {"why", error.what()}};
  }
  return outcome;
}

/// Of the simulated driver in this process.
std::size_t simulated_count(const char* name) {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto* const function = library == nullptr ? nullptr : reinterpret_cast<std::size_t (*)()>(dlsym(library, name));
  return function == nullptr ? 999 : function();
}

/// Measures until the scenario's fault has happened, twice at most, and once more after that.
json measure_past_the_fault(const char* suite) {
  const bool starts = !backends().front().unavailable();
  json outcome{{"starts", starts}, {"attempts", json::array()}};
  const auto happened = [] { return simulated_count("cu_simulation_faults_happened"); };
  for (int i = 0; i < 2 && starts && happened() == 0; ++i) outcome["attempts"].push_back(attempt(suite));
  if (happened() > 0) outcome["attempts"].push_back(attempt(suite));
  outcome["happened"] = happened();
  outcome["live"] = simulated_count("cu_simulation_live_objects");
  outcome["leaks"] = __lsan_do_recoverable_leak_check != nullptr ? __lsan_do_recoverable_leak_check() : 0;
  return outcome;
}

/// What measure_past_the_fault() says in a child on the simulated machine with these faults; null where it died.
json in_child(const json& faults, const char* suite = suite_text) {
  const TemporaryFolder folder;
  json scenario = json::parse(std::ifstream(std::string(WARPMARK_SOURCE_DIR) + "/tests/fakes/machines/h200.json"));
  scenario["faults"] = faults;
  scenario["devices"][0]["sms"] = 2;  // for which grids are small
  const std::string path = folder.write("scenario.json", scenario.dump());
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return nullptr;
  const pid_t child = fork();
  if (child == 0) {
    (void)setenv("SIMULATED_MACHINE", path.c_str(), 1);
    try {
      const std::string text = measure_past_the_fault(suite).dump();
      (void)!write(ends[1], text.data(), text.size());
    } catch (const std::exception& error) {  // of the test itself: it may not run on as another copy of it
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> chunk{};
  for (ssize_t n = 0; (n = read(ends[0], chunk.data(), chunk.size())) > 0;) text.append(chunk.data(), std::size_t(n));
  close(ends[0]);
  (void)waitpid(child, nullptr, 0);
  return json::parse(text, nullptr, false);
}

constexpr int odd_code = 304;   // of the driver: the system refused
constexpr int odd_status = 14;  // of cublasLt: an internal error

std::vector<std::string> driver_calls() {
  std::vector<std::string> names;
#define WARPMARK_NAME(name, since) names.emplace_back("cu" #name);
  WARPMARK_DRIVER_FUNCTIONS(WARPMARK_NAME)
#undef WARPMARK_NAME
  return names;
}

std::vector<std::string> library_calls() {
  std::vector<std::string> names;
#define WARPMARK_NAME(name) names.emplace_back("cublasLt" #name);
  WARPMARK_CUBLASLT_FUNCTIONS(WARPMARK_NAME)
#undef WARPMARK_NAME
  return names;
}

/// Those whose failure costs no case, and why that is right.
const std::map<std::string, const char*> tolerated{
    {"cuDeviceGetUuid", "the card lacks a line"},
    {"cuDeviceGetPCIBusId", "the card lacks a line"},
    {"cuDeviceGetAttribute", "some are lines of the card"},
    {"cuMemFree", "it is the end of a case"},
    {"cuMemFreeHost", "it is the end of a stream"},
    {"cuMemHostUnregister", "it is the end of a case, and its pages stay mapped"},
    {"cuStreamDestroy", "it is the end of a worker"},
    {"cuEventDestroy", "it is the end of a stream"},
    {"cuGraphExecDestroy", "it is the end of a case"},
    {"cuGraphDestroy", "it is the end of a case"},
    {"cuDevicePrimaryCtxRelease", "it is the end of a worker"},
    {"cuLibraryLoadData", "there is PTX beside the machine code, and the record says jit"},
    {"cuLibraryGetKernel", "the same"},
    {"cuKernelGetFunction", "the same"},
    {"cublasLtDestroy", "it is the end of a worker"},
    {"cublasLtMatmulDescDestroy", "it is the end of a case"},
    {"cublasLtMatrixLayoutDestroy", "it is the end of a case"},
    {"cublasLtMatmulPreferenceDestroy", "it is the end of a search"},
    {"cublasLtMatmulAlgoCapGetAttribute", "another algorithm is taken"},
    {"cublasLtMatmulAlgoConfigGetAttribute", "the record knows less of the algorithm"},
    {"cublasLtMatmul", "another algorithm is taken"},
    {"cudnnDestroy", "it is the end of a worker"},
    {"cudnnBackendDestroyDescriptor", "it is the end of a search"},
};

/// Those that give something back: it stays where they fail.
bool gives_back(const std::string& call) {
  return call.find("Destroy") != std::string::npos || call.find("Free") != std::string::npos ||
         call.find("Release") != std::string::npos || call.find("Unregister") != std::string::npos;
}

/// Six samples of a busy machine may scatter.
bool is_measured(const json& one) { return one.at("status") == "ok" || one.at("status") == "not_converged"; }

bool is_all_ok(const json& outcome) { return std::all_of(outcome.begin(), outcome.end(), is_measured); }

void expect_named(const json& attempt, const std::string& call, const char* code_name) {
  for (const json& each : attempt) {
    if (is_measured(each)) continue;
    EXPECT_EQ(each.at("status"), "failed") << each.dump(1);
    const std::string why = each.at("why");
    EXPECT_THAT(why, HasSubstr(call));
    EXPECT_THAT(why, HasSubstr(code_name));
    EXPECT_THAT(why, AnyOf(HasSubstr("dmesg"), HasSubstr("the permissions of"), HasSubstr("CUBLASLT_LOG_LEVEL"),
                           HasSubstr("CUDNN_LOGLEVEL_DBG")));
  }
}

/// One function, one number of its call. Returns whether it was called so often.
bool fails_cleanly(const std::string& call, int nth, int code, const char* code_name, const char* suite) {
  SCOPED_TRACE(call + ", call " + std::to_string(nth));
  const json faults{{{"call", call}, {"nth", nth}, {"code", code}}};
  json outcome = in_child(faults, suite);
  // LeakSanitizer's own tracer dies now and then in a process that was forked. A death of ours comes again.
  if (!outcome.is_object()) outcome = in_child(faults, suite);
  if (!outcome.is_object()) {
    ADD_FAILURE() << "the process died";
    return false;
  }
  if (outcome.at("happened") == 0) return false;
  if (!outcome.at("starts")) return true;  // what is said then, the matrix of whole runs has
  const json& attempts = outcome.at("attempts");
  const auto are_well = std::count_if(attempts.begin(), attempts.end(), is_all_ok);
  EXPECT_GE(are_well, static_cast<std::ptrdiff_t>(attempts.size()) - 1) << outcome.dump(1);
  EXPECT_TRUE(is_all_ok(attempts.back())) << "after the fault all is well: " << outcome.dump(1);
  EXPECT_TRUE(nth > 1 || tolerated.contains(call) || are_well < static_cast<std::ptrdiff_t>(attempts.size()))
      << "nobody noticed";
  for (const json& each : attempts) expect_named(each, call, code_name);
  EXPECT_TRUE(gives_back(call) || outcome.at("live") == 0) << outcome.dump(1);
  EXPECT_TRUE(gives_back(call) || outcome.at("leaks") == 0);
  return true;
}

void fail_each_time(const std::string& call, int code, const char* code_name, const char* suite = suite_text) {
  int times = 0;
  for (const int nth : {1, 2, 3, 5, 8}) {
    if (!fails_cleanly(call, nth, code, code_name, suite)) break;
    ++times;
  }
  EXPECT_GT(times, 0) << call << " is never called: take it out of the list, or make a case that calls it";
}

TEST(EveryCall, OfNoneThatFailsNothingHappens) {
  const json outcome = in_child(json::array());
  ASSERT_TRUE(outcome.is_object());
  ASSERT_EQ(outcome.at("attempts").size(), 2U);
  EXPECT_EQ(outcome.at("attempts").at(0).size(), 4U);
  for (const json& each : outcome.at("attempts")) EXPECT_TRUE(is_all_ok(each)) << outcome.dump(1);
  EXPECT_EQ(outcome.at("happened"), 0);
  EXPECT_EQ(outcome.at("live"), 0);
}

TEST(EveryCall, OfTheDriver) {
  for (const std::string& call : driver_calls())
    if (!call.starts_with("cuGetError")) fail_each_time(call, odd_code, "CUDA_ERROR_OPERATING_SYSTEM 304");
}

TEST(EveryCall, OfTheDriverThatNamesErrors) {
  for (const char* const call : {"cuGetErrorName", "cuGetErrorString"}) {
    const json outcome = in_child({{{"call", call}, {"code", 1}}, {{"call", "cuMemAlloc"}, {"nth", 1}, {"code", 304}}});
    ASSERT_TRUE(outcome.is_object());
    EXPECT_EQ(outcome.at("happened"), 2);
    EXPECT_THAT(outcome.at("attempts").at(0).dump(), HasSubstr("304); the system refused"));
    EXPECT_THAT(outcome.at("attempts").at(0).dump(),
                AnyOf(HasSubstr("an unknown error"), HasSubstr("no reason given")));
  }
}

TEST(EveryCall, OfCublasLt) {
  const std::set<std::string> cannot_fail{"cublasLtGetVersion", "cublasLtGetStatusName", "cublasLtGetStatusString"};
  for (const std::string& call : library_calls())
    if (!cannot_fail.contains(call)) fail_each_time(call, odd_status, "CUBLAS_STATUS_INTERNAL_ERROR 14");
}

#if WARPMARK_SIMULATES_CUDNN
TEST(EveryCall, OfCudnn) {
  const std::set<std::string> cannot_fail{"cudnnGetVersion", "cudnnGetCudartVersion", "cudnnGetErrorString",
                                          "cudnnGetLastErrorString"};
#define WARPMARK_NAME(name)                 \
  if (!cannot_fail.contains("cudnn" #name)) \
    fail_each_time("cudnn" #name, CUDNN_STATUS_INTERNAL_ERROR, "CUDNN_STATUS_INTERNAL_ERROR 4000", layer_suite_text);
  WARPMARK_CUDNN_FUNCTIONS(WARPMARK_NAME)
#undef WARPMARK_NAME
}
#endif

TEST(EveryCall, TwinALeakIsSeen) {
  const json outcome = in_child({{{"call", "cuEventDestroy"}, {"nth", 1}, {"code", odd_code}}});
  ASSERT_TRUE(outcome.is_object());
  EXPECT_GT(outcome.at("live"), 0);
}

TEST(EveryCall, TwinADeathIsSeen) {
  EXPECT_FALSE(in_child({{{"call", "cuStreamCreate"}, {"nth", 1}, {"crash", true}}}).is_object());
}

}  // namespace
}  // namespace warpmark
