// SPDX-License-Identifier: Apache-2.0
#include "reports/render/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/core/units.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string number_text(std::string_view key, const json& value) {
  const double number = value.get<double>();
  if (key == "bytes" || ends_with(key, "_bytes")) return format_bytes(number);
  if (ends_with(key, "_hz")) return format_rate(number, "Hz");
  if (ends_with(key, "_seconds")) return format_seconds(number);
  return value.dump();
}

std::string leaf_text(std::string_view key, const json& value) {
  if (value.is_null()) return "unknown";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number()) return number_text(key, value);
  if (value.is_array()) {
    std::vector<std::string> texts;
    for (const json& each : value) texts.push_back(leaf_text(key, each));
    return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
  }
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_leaf(const json& value) {
  if (value.is_object()) return value.empty();
  if (!value.is_array()) return true;
  return std::none_of(value.begin(), value.end(), [](const json& each) { return each.is_structured(); });
}

void flatten(const std::string& path, std::string_view key, const json& value, std::vector<Fact>& facts) {
  if (is_leaf(value)) {
    facts.push_back({.label = path, .text = leaf_text(key, value)});
    return;
  }
  std::size_t index = 0;
  for (const auto& [name, each] : value.items()) {
    const std::string place = value.is_array() ? std::to_string(index++) : name;
    flatten(path.empty() ? place : fmt::format("{}.{}", path, place), value.is_array() ? key : std::string_view(name),
            each, facts);
  }
}

const json* find(const json& root, const std::string& pointer) {
  const json::json_pointer place(pointer);
  if (!root.contains(place)) return nullptr;
  const json& value = root.at(place);
  return value.is_null() ? nullptr : &value;
}

/// A fact of several parts; those that are not known are left out, and so is a fact that has none.
void add(std::vector<Fact>& facts, const char* label, const json& root, std::initializer_list<const char*> pointers,
         std::string_view between = " ") {
  std::vector<std::string> parts;
  for (const char* pointer : pointers)
    if (std::optional<std::string> text = text_at(root, pointer); text && !text->empty())
      parts.push_back(*std::move(text));
  if (!parts.empty()) facts.push_back({.label = label, .text = fmt::format("{}", fmt::join(parts, between))});
}

void add_counts(std::vector<Fact>& facts, const json& cpu) {
  std::vector<std::string> parts;
  for (const char* unit : {"socket", "core", "thread"}) {
    const double count = positive_at(cpu, fmt::format("/{}s", unit));
    if (count > 0 && count < 1e9) parts.push_back(count_text(static_cast<std::size_t>(count), unit));
  }
  if (!parts.empty()) facts.push_back({.label = "CPU layout", .text = fmt::format("{}", fmt::join(parts, ", "))});
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

std::string exit_text(const json& code) {
  static const std::map<int, std::string_view> meanings{
      {0, "done"},       {1, "judged bad"}, {2, "usage or file"}, {3, "a device cannot be used"},
      {4, "incomplete"}, {5, "not judged"}, {130, "interrupted"}};
  const auto meaning = code.is_number_integer() ? meanings.find(code.get<int>()) : meanings.end();
  return leaf_text("", code) + (meaning == meanings.end() ? "" : fmt::format(": {}", meaning->second));
}

std::string price_text(const json& price) {
  const std::optional<std::string> amount = text_at(price, "/amount");
  if (!amount) return "";
  const std::string currency = text_at(price, "/currency").value_or("");
  return fmt::format("{}{}{} per {}", *amount, currency.empty() ? "" : " ", currency,
                     text_at(price, "/per").value_or("?"));
}

void add_labels(std::vector<Fact>& facts, const json& run) {
  const json* labels = find(run, "/labels");
  if (labels == nullptr || !labels->is_object()) return;
  for (const auto& [key, value] : labels->items())
    facts.push_back({.label = "Label " + key, .text = leaf_text(key, value)});
}

}  // namespace

std::optional<std::string> text_at(const json& root, const std::string& pointer) {
  const json* value = find(root, pointer);
  if (value == nullptr) return std::nullopt;
  return leaf_text(pointer.substr(pointer.rfind('/') + 1), *value);
}

double positive_at(const json& root, const std::string& pointer) {
  const json* value = find(root, pointer);
  if (value == nullptr || !value->is_number() || value->get<double>() <= 0) return unknown_value;
  return value->get<double>();
}

std::vector<Fact> machine_facts(const json& machine) {
  std::vector<Fact> facts;
  add(facts, "Host", machine, {"/host/name"});
  add(facts, "Product", machine, {"/dmi/sys_vendor", "/dmi/product_name"});
  add(facts, "Instance", machine, {"/cloud/provider", "/cloud/instance_type", "/cloud/region"});
  add(facts, "System", machine, {"/os/name"});
  add(facts, "Kernel", machine, {"/os/kernel"});
  add(facts, "CPU", machine, {"/cpu/model"});
  if (const json* cpu = find(machine, "/cpu")) add_counts(facts, *cpu);
  add(facts, "Memory", machine, {"/memory/total_bytes"});
  if (const double cores = positive_at(machine, "/cgroup/cpu/cores"); std::isfinite(cores))
    facts.push_back({.label = "CPU limit", .text = fmt::format("{:.4g} cores", cores)});
  add(facts, "Memory limit", machine, {"/cgroup/memory/bytes"});
  add(facts, "Hypervisor", machine, {"/hypervisor/kind"});
  add(facts, "Container", machine, {"/container/kind"});
  add(facts, "Load at start", machine, {"/load"});
  add(facts, "GPU driver", machine, {"/software/driver"});
  return facts;
}

std::vector<Fact> device_facts(const json& device) {
  const bool is_cpu = text_at(device, "/backend").value_or("") == "cpu";
  const auto size = [&](const char* pointer) { return format_bytes(positive_at(device, pointer)); };
  std::vector<Fact> facts;
  const double units = positive_at(device, "/units");
  if (units > 0) facts.push_back({.label = is_cpu ? "Cores in use" : "SMs", .text = fmt::format("{:.0f}", units)});
  facts.push_back({.label = "Memory", .text = size("/memory_bytes")});
  for (const auto& [label, pointer] :
       {std::pair{"L1 data cache", "/facts/l1d_bytes_per_core"}, {"L2 cache", "/facts/l2_bytes_per_core"}})
    if (const double bytes = positive_at(device, pointer); bytes > 0)
      facts.push_back({.label = label, .text = format_bytes(bytes) + " per core"});
  facts.push_back({.label = is_cpu ? "Last-level cache" : "L2 cache", .text = size("/last_level_cache_bytes")});
  facts.push_back({.label = "Highest clock", .text = format_rate(positive_at(device, "/max_clock_hz"), "Hz")});
  add(facts, "Compute capability", device, {"/facts/compute_capability"});
  add(facts, "Memory clock", device, {"/facts/memory_clock_hz"});
  if (const double bits = positive_at(device, "/facts/memory_bus_bits"); bits > 0)
    facts.push_back({.label = "Memory bus", .text = fmt::format("{:.0f} bit", bits)});
  add(facts, "ECC", device, {"/facts/ecc"});
  add(facts, "CUDA of the driver", device, {"/facts/cuda_driver"});
  add(facts, "PCI address", device, {"/facts/pci"});
  add(facts, "UUID", device, {"/facts/uuid"});
  add(facts, "Instruction sets", device, {"/facts/instruction_sets"});
  return facts;
}

std::vector<Fact> run_facts(const json& run) {
  std::vector<Fact> facts;
  const std::string started = text_at(run, "/started_at").value_or("unknown");
  const std::string ended = text_at(run, "/ended_at").value_or("unknown");
  add(facts, "Run", run, {"/id"});
  facts.push_back({.label = "Started", .text = time_text(started)});
  facts.push_back({.label = "Took", .text = format_seconds(seconds_between(started, ended))});
  add(facts, "Suite", run, {"/suite"});
  add(facts, "Regime", run, {"/regime"});
  add(facts, "Repeats", run, {"/repeats"});
  add(facts, "Seed", run, {"/seed"});
  add(facts, "Judging cases", run, {"/gates"});
  if (const json* code = find(run, "/exit_code")) facts.push_back({.label = "Exit code", .text = exit_text(*code)});
  if (const json* price = find(run, "/price")) facts.push_back({.label = "Price", .text = price_text(*price)});
  add_labels(facts, run);
  add(facts, "Version", run, {"/version"});
  facts.push_back({.label = "Source", .text = text_at(run, "/git").value_or("unknown")});
  add(facts, "Build", run, {"/build/type", "/build/compiler", "/build/flags"}, ", ");
  add(facts, "Session", run, {"/session_id"});
  add(facts, "Boot", run, {"/boot_id"});
  return facts;
}

std::vector<Fact> every_fact(const json& root) {
  std::vector<Fact> facts;
  if (!root.is_structured() || root.empty()) return facts;
  flatten("", "", root, facts);
  return facts;
}

std::string command_text(const json& run) {
  const json* command = find(run, "/command");
  if (command == nullptr || !command->is_array()) return "";
  std::vector<std::string> words;
  for (const json& word : *command) words.push_back(quoted(leaf_text("", word)));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string device_name(const json& device) {
  const std::optional<std::string> name = text_at(device, "/name");
  return name && !name->empty() ? *name : text_at(device, "/id").value_or("unnamed device");
}

}  // namespace warpmark
