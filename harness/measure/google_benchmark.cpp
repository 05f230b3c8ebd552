// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/google_benchmark.h"

#include <benchmark/benchmark.h>

#include "harness/core/error.h"
#include "harness/core/status.h"

namespace warpmark {
namespace {

class SilentReporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

void tell(benchmark::State& state, const Record& record, ExitCode& worst) {
  worst = worse(worst, exit_code_of(record.status));
  if (!measured(record.status)) {
    state.SkipWithError((std::string(name_of(record.status)) + ": " + record.why).c_str());
    return;
  }
  for (auto _ : state) state.SetIterationTime(record.stats->median);
  // Not SetBytesProcessed: it scales by 1024, and a bandwidth on a data sheet by 1000.
  for (const Metric& metric : record.metrics)
    state.counters[&metric == &record.metrics.front() ? metric.unit : metric.name] = benchmark::Counter(metric.value);
  state.counters["samples"] = static_cast<double>(record.stats->n);
}

}  // namespace

int run_google_benchmark(const std::vector<std::string>& arguments, std::span<const NamedCase> cases, bool shown) {
  std::vector<std::string> kept = arguments;
  std::vector<char*> argv;
  for (std::string& argument : kept) argv.push_back(argument.data());
  auto argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1)
    throw UsageError("unknown option " + std::string(argv[1]) + "; `warpmark worker --help` lists the options");
  ExitCode worst = ExitCode::done;
  for (const NamedCase& c : cases)
    benchmark::RegisterBenchmark(c.id.c_str(),
                                 [&c, &worst](benchmark::State& state) { tell(state, c.measure(), worst); })
        ->Iterations(1)
        ->UseManualTime();
  SilentReporter silent;
  const std::size_t matching = shown ? benchmark::RunSpecifiedBenchmarks() : benchmark::RunSpecifiedBenchmarks(&silent);
  benchmark::Shutdown();
  // It has said which filter matches nothing.
  return static_cast<int>(matching == 0 ? ExitCode::usage : worst);
}

}  // namespace warpmark
