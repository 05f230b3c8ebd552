// SPDX-License-Identifier: Apache-2.0
#include "harness/run/worker.h"

#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>

#include "harness/core/error.h"
#include "harness/measure/google_benchmark.h"
#include "harness/measure/measure.h"
#include "harness/profile/range.h"
#include "harness/run/device_json.h"
#include "harness/run/lines.h"
#include "harness/run/plan.h"
#include "harness/run/probe.h"
#include "harness/store/document.h"

namespace warpmark {
namespace {

using nlohmann::json;

WorkerOrder order_from_json(const json& j) {
  return {.suite = j.at("suite").get<std::string>(),
          .device = j.at("device").get<std::string>(),
          .filter = j.at("filter").get<std::string>(),
          .ids = j.at("ids").get<std::vector<std::string>>(),
          .regime = regime_named(j.at("regime").get<std::string>()).value_or(Regime::burst),
          .repeat = j.at("repeat").get<int>(),
          .ceilings = ceilings_from_json(j.at("ceilings"))};
}

/// The planned cases in the order of the ids.
std::vector<PlannedCase> in_order(std::vector<PlannedCase> planned, const std::vector<std::string>& ids) {
  if (ids.empty()) return planned;
  std::unordered_map<std::string_view, const PlannedCase*> by_id;
  for (const PlannedCase& each : planned) by_id.emplace(each.id, &each);
  std::vector<PlannedCase> ordered;
  for (const std::string& id : ids) {
    const auto found = by_id.find(id);
    if (found == by_id.end()) throw Error("the order names a case that this program does not have: " + id);
    ordered.push_back(*found->second);
  }
  return ordered;
}

/// Everything that cases of one worker share: device, stream and the arena that outlives them all.
class Bench {
 public:
  explicit Bench(const WorkerOrder& order)
      : suite_(parse_suite(order.suite, "the suite")),
        device_(open_device(order.device)),
        stream_(device_->stream()),
        arena_(*device_, *stream_) {
    if (order.ceilings) {
      device_->adopt_ceilings(*order.ceilings);
    } else {
      device_->measure_ceilings();
    }
    frame_ = {.protocol = protocol_in(order.regime, suite_.protocol), .regime = order.regime, .repeat = order.repeat};
    cases_ = in_order(plan_cases(suite_, order.filter, device_->info(), order.regime), order.ids);
  }

  [[nodiscard]] const Suite& suite() const { return suite_; }
  [[nodiscard]] const std::vector<PlannedCase>& cases() const { return cases_; }
  /// Whether the device still answers: after some errors it never does again in this process.
  [[nodiscard]] bool device_lost() const {
    try {
      stream_->wait();
      return false;
    } catch (const Error&) {
      return true;
    }
  }
  [[nodiscard]] Record measure_case(const PlannedCase& planned) {
    RunFrame frame = frame_;
    frame.gate = planned.gate;
    return measure(std::span(&place_, 1), *planned.benchmark, planned.at, frame);
  }

 private:
  Suite suite_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
  Arena arena_;
  Setup::Place place_{.device = device_.get(), .stream = stream_.get(), .arena = &arena_};
  RunFrame frame_{};
  std::vector<PlannedCase> cases_{};
};

/// Empty where the device cannot be used, which the supervisor is told.
std::unique_ptr<Bench> bench_of(const WorkerOrder& order) {
  try {
    return std::make_unique<Bench>(order);
  } catch (const std::exception& error) {
    send_line({{"unusable", error.what()}});
    return nullptr;
  }
}

}  // namespace

json to_json(const WorkerOrder& order) {
  return {{"suite", order.suite},
          {"device", order.device},
          {"filter", order.filter},
          {"ids", order.ids},
          {"regime", name_of(order.regime)},
          {"repeat", order.repeat},
          {"ceilings", to_json(order.ceilings.value_or(Ceilings{}))}};
}

int worker_by_hand(const WorkerOrder& order, const std::vector<std::string>& arguments) {
  Bench bench(order);
  const Range range(bench.suite().name);
  std::vector<NamedCase> cases;
  for (const PlannedCase& planned : bench.cases())
    cases.push_back(NamedCase{.id = planned.id, .measure = [&] { return bench.measure_case(planned); }});
  return run_google_benchmark(arguments, cases, true);
}

int worker_under_supervisor() {
  const WorkerOrder order = order_from_json(json::parse(read_order()));
  Acknowledgements acknowledgements;
  const std::unique_ptr<Bench> opened = bench_of(order);
  if (!opened) return 1;
  Bench& bench = *opened;
  const Range range(bench.suite().name);
  std::vector<NamedCase> cases;
  for (const PlannedCase& planned : bench.cases()) {
    cases.push_back(NamedCase{.id = planned.id, .measure = [&] {
                                send_line({{"begin", planned.id}});
                                acknowledgements.wait();
                                Record record = bench.measure_case(planned);
                                send_line({{"record", to_json(record)}});
                                acknowledgements.wait();
                                // The supervisor starts another worker for what is left.
                                if (record.status == Status::failed && bench.device_lost()) std::_Exit(1);
                                return record;
                              }});
  }
  return run_google_benchmark({"warpmark worker"}, cases, false);
}

}  // namespace warpmark
