// SPDX-License-Identifier: Apache-2.0
#include "harness/run/sampler_process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/core/instant.h"
#include "harness/run/lines.h"
#include "harness/telemetry/nvml/card.h"
#include "harness/telemetry/sampling/sampler.h"

namespace warpmark {
namespace {

using nlohmann::json;

SampleOrder order_from_json(const json& j) {
  return {.gpus = j.at("gpus").get<std::vector<std::string>>(),
          .cpus = j.at("cpus").get<std::vector<int>>(),
          .period_seconds = j.at("period_seconds").get<double>()};
}

double cpu_seconds() {
  rusage used{};
  (void)getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Answers one line after the other, and ends the process with who asks.
class Answers {
 public:
  explicit Answers(Sampler& sampler) : sampler_(sampler) {}

  [[noreturn]] void run() {
    for (std::string line; read_line(line);) {
      const json command = json::parse(line);
      json answer = answer_to(command);
      answer["n"] = command.at("n");
      send_line(answer);
    }
    _exit(0);
  }

 private:
  json answer_to(const json& command) {
    if (command.contains("sample")) {
      const SampleOrder order = order_from_json(command.at("sample"));
      period_seconds_ = order.period_seconds;
      began_ = monotonic_seconds();
      sampler_.begin(order);
      return {{"sampling", true}};
    }
    if (command.contains("pause")) {
      sampler_.pause(command.at("pause").get<bool>());
      return {{"paused", command.at("pause")}};
    }
    if (command.contains("usage"))
      return {{"usage",
               {{"cpu_seconds", cpu_seconds()},
                {"seconds", monotonic_seconds() - began_},
                {"period_seconds", period_seconds_}}}};
    const json& window = command.at("window");
    const auto end = window.at("end").get<double>();
    json telemetry = sampler_.window(window.at("begin").get<double>(), end, window.at("gpu").get<std::string>());
    sampler_.forget_before(end);
    return {{"telemetry", std::move(telemetry)}};
  }

  Sampler& sampler_;
  double began_ = monotonic_seconds();
  double period_seconds_ = 0;
};

}  // namespace

int sampler_under_supervisor() {
  (void)read_order();
  const nvml::Opened nvml = nvml::open_library();
  send_line({{"card", nvml::card(nvml)}});
  Sampler sampler(nvml);
  std::thread([&sampler] { Answers(sampler).run(); }).detach();
  sampler.run();
}

}  // namespace warpmark
