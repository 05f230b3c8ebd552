// SPDX-License-Identifier: Apache-2.0
#include "harness/run/sampler_client.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/core/error.h"
#include "harness/telemetry/nvml/card.h"
#include "harness/telemetry/sampling/sampler.h"

namespace warpmark {
namespace {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

// It answers in milliseconds; a worker waits meanwhile.
constexpr auto longest_answer = std::chrono::seconds(2);
constexpr int most_losses = 3;

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

SamplerClient::SamplerClient(Processes& processes, std::chrono::milliseconds longest)
    : processes_(processes), longest_(longest) {
  start();
}

void SamplerClient::start() {
  started_ = SteadyClock::now();
  has_started_ = false;
  try {
    child_.emplace(std::vector<std::string>{"sampler", "--order"}, processes_);
    (void)child_->send("{}");
  } catch (const Error& error) {
    child_.reset();
    lost_ = error.what();
  }
}

std::optional<json> SamplerClient::next_line(SteadyClock::time_point deadline) {
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
      lose("died: " + (ending ? ending->text() : "it closed its pipe"));
    } else if (left <= 0) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

void SamplerClient::lose(const std::string& how) {
  ++losses_;
  lost_ = fmt::format("the process that asks NVML {}", how);
  if (const auto unended = child_->end()) {
    unended_ = unended;
    lost_ += "; " + unended_text(*unended);
  }
  child_.reset();
}

void SamplerClient::give_up() {
  losses_ = most_losses;  // a driver that hangs will hang again
  lose("did not answer: a driver may hang");
}

void SamplerClient::wait_for_card(SteadyClock::time_point deadline) {
  if (has_started_) return;
  const auto line = next_line(deadline);
  if (!line) return;
  if (!line->contains("card") || !line->at("card").is_object()) return lose("sent no card");
  if (card_.is_null()) card_ = line->at("card");
  has_started_ = true;
  lost_.clear();
}

const json& SamplerClient::card() {
  if (!card_.is_null()) return card_;
  wait_for_card(started_ + longest_);
  if (child_ && !has_started_) give_up();
  if (card_.is_null()) card_ = nvml::card_without_answers(lost_);
  return card_;
}

json SamplerClient::ask(json command) {
  if (!child_ || !has_started_) return nullptr;
  command["n"] = ++asked_;
  (void)child_->send(command.dump());  // one that died shows at the reading
  const auto deadline = SteadyClock::now() + longest_answer;
  while (const auto line = next_line(deadline))
    if (const auto n = line->find("n"); n != line->end() && *n == asked_) return *line;
  if (child_) give_up();
  return nullptr;
}

void SamplerClient::begin(const DeviceInfo& device) {
  gpu_ = pci_of(device);
  json gpus = json::array(), cpus = json::array();
  if (!gpu_.empty()) gpus.push_back(gpu_);
  if (const auto found = device.facts.find("cpus"); device.backend == "cpu" && found != device.facts.end())
    cpus = *found;
  order_ = {{"gpus", gpus}, {"cpus", cpus}, {"period_seconds", usual_period_seconds}};
  (void)card();
  (void)ask({{"sample", order_}});
}

void SamplerClient::go_on() {
  if (!child_ || has_started_ || order_.is_null()) return;
  wait_for_card(SteadyClock::now());  // nobody waits for it
  if (child_ && !has_started_ && SteadyClock::now() >= started_ + longest_) give_up();
  if (has_started_) (void)ask({{"sample", order_}});
}

void SamplerClient::pause(bool is_paused) {
  go_on();
  if (is_paused_ == is_paused) return;
  is_paused_ = is_paused;
  (void)ask({{"pause", is_paused}});
}

void SamplerClient::add_to(Record& record) {
  const auto window = record.telemetry.find("window");
  if (order_.is_null() || window == record.telemetry.end()) return;
  const json answer = ask({{"window", {{"begin", window->at("begin")}, {"end", window->at("end")}, {"gpu", gpu_}}}});
  if (answer.is_object() && answer.contains("telemetry") && answer.at("telemetry").is_object()) {
    record.telemetry["sampled"] = answer.at("telemetry");
    return;
  }
  record.telemetry["sampled"] = {{"readings", 0}, {"denied", json::array({{{"what", "sampled"}, {"why", lost_}}})}};
  if (child_ || losses_ >= most_losses) return;
  start();  // it died: the next record may have better luck
  is_paused_ = false;
}

json SamplerClient::usage() {
  json answer = ask({{"usage", true}});
  return answer.is_object() ? answer.value("usage", json(nullptr)) : json(nullptr);
}

std::optional<pid_t> SamplerClient::end() {
  if (child_) unended_ = child_->end();
  child_.reset();
  return unended_;
}

}  // namespace warpmark
