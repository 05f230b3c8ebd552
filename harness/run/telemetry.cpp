// SPDX-License-Identifier: Apache-2.0
#include "harness/run/telemetry.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/core/error.h"
#include "harness/telemetry/nvml/card.h"
#include "harness/telemetry/sampler.h"

namespace warpmark {
namespace {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

// It answers in milliseconds; a worker waits meanwhile.
constexpr auto longest_answer = std::chrono::seconds(2);
constexpr int most_deaths = 3;

/// As sysfs writes it: CUDA gives "0000:1B:00.0".
std::string pci_of(const DeviceInfo& device) {
  if (device.backend != "cuda") return {};
  const auto found = device.facts.find("pci");
  if (found == device.facts.end() || !found->is_string()) return {};
  std::string pci = found->get<std::string>();
  std::transform(pci.begin(), pci.end(), pci.begin(), [](unsigned char c) { return std::tolower(c); });
  return pci;
}

}  // namespace

Telemetry::Telemetry(Processes& processes, std::chrono::milliseconds longest)
    : processes_(processes), longest_(longest) {
  start();
}

void Telemetry::start() {
  started_ = SteadyClock::now();
  lost_.clear();
  try {
    child_.emplace(std::vector<std::string>{"sampler", "--order"}, processes_);
    (void)child_->send("{}");
  } catch (const Error& error) {
    child_.reset();
    lost_ = error.what();
  }
}

std::optional<json> Telemetry::next_line(SteadyClock::time_point deadline) {
  while (child_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    pollfd wait_for{.fd = child_->lines(), .events = POLLIN, .revents = 0};
    (void)poll(&wait_for, 1, static_cast<int>(std::max<long>(left, 0)));
    // One question at a time: there is never more than one line.
    for (const std::string& line : child_->read_lines()) {
      json parsed = json::parse(line, nullptr, false);
      if (parsed.is_object()) return parsed;
      lose("sent what is no answer");
      return std::nullopt;
    }
    if (child_->ended()) {
      const auto ending = child_->wait(std::chrono::milliseconds(500));
      ++deaths_;
      lose("died: " + (ending ? ending->text() : "it closed its pipe"));
    } else if (left <= 0) {
      deaths_ = most_deaths;  // a driver that hangs will hang again
      lose("did not answer: a driver may hang");
    }
  }
  return std::nullopt;
}

void Telemetry::lose(const std::string& how) {
  lost_ = fmt::format("the process that asks NVML {}", how);
  if (const auto unended = child_->end()) {
    unended_ = unended;
    lost_ += "; " + unended_text(*unended);
  }
  child_.reset();
}

const json& Telemetry::card() {
  if (!card_.is_null()) return card_;
  const auto line = next_line(started_ + longest_);
  const bool is_card = line && line->contains("card") && line->at("card").is_object();
  card_ = is_card ? line->at("card")
                  : nvml::card_without_answers(lost_.empty() ? "the process that asks NVML sent no card" : lost_);
  return card_;
}

json Telemetry::ask(json command) {
  (void)card();  // its first line
  if (!child_) return nullptr;
  command["n"] = ++asked_;
  (void)child_->send(command.dump());  // one that died shows at the reading
  const auto deadline = SteadyClock::now() + longest_answer;
  while (const auto line = next_line(deadline))
    if (const auto n = line->find("n"); n != line->end() && *n == asked_) return *line;
  return nullptr;
}

void Telemetry::begin(const DeviceInfo& device) {
  gpu_ = pci_of(device);
  json gpus = json::array(), cpus = json::array();
  if (!gpu_.empty()) gpus.push_back(gpu_);
  if (const auto found = device.facts.find("cpus"); device.backend == "cpu" && found != device.facts.end())
    cpus = *found;
  order_ = {{"gpus", gpus}, {"cpus", cpus}, {"period_seconds", usual_period_seconds}};
  (void)ask({{"sample", order_}});
}

void Telemetry::pause(bool is_paused) {
  if (is_paused_ == is_paused) return;
  is_paused_ = is_paused;
  (void)ask({{"pause", is_paused}});
}

void Telemetry::add_to(Record& record) {
  const auto window = record.telemetry.find("window");
  if (order_.is_null() || window == record.telemetry.end()) return;
  const json answer = ask({{"window", {{"begin", window->at("begin")}, {"end", window->at("end")}, {"gpu", gpu_}}}});
  if (answer.is_object() && answer.contains("telemetry") && answer.at("telemetry").is_object()) {
    record.telemetry["sampled"] = answer.at("telemetry");
    return;
  }
  record.telemetry["sampled"] = {{"readings", 0}, {"denied", json::array({{{"what", "sampled"}, {"why", lost_}}})}};
  if (child_ || deaths_ >= most_deaths) return;
  start();  // it died: the next record may have better luck
  card_ = nullptr;
  is_paused_ = false;
  (void)ask({{"sample", order_}});
}

json Telemetry::usage() {
  json answer = ask({{"usage", true}});
  return answer.is_object() ? answer.value("usage", json(nullptr)) : json(nullptr);
}

std::optional<pid_t> Telemetry::end() {
  if (child_) unended_ = child_->end();
  child_.reset();
  return unended_;
}

}  // namespace warpmark
