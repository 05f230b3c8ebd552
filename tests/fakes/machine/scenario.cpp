// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/scenario.h"

#include <fstream>
#include <sstream>

#include "tests/fakes/machine/json_fields.h"

namespace warpmark::fakes {
namespace {

std::uint64_t bytes_of(JsonFields& from, const std::string& key) {
  return static_cast<std::uint64_t>(from.whole(key, 1));
}

std::map<std::string, Unit, std::less<>> units_of(JsonFields from) {
  std::map<std::string, Unit, std::less<>> units;
  for (auto& [name, fields] : from.each_object()) {
    units[name] = {.flop_per_clock = fields.positive("flop_per_clock"), .share = fields.positive("share")};
    fields.refuse_others();
  }
  return units;
}

Throttle throttle_of(JsonFields from) {
  const Throttle throttle{.at_seconds = from.number("at_seconds", 0), .factor = from.positive("factor")};
  from.refuse_others();
  return throttle;
}

LoadLatency load_latency_of(JsonFields from) {
  const LoadLatency latency{.l1_bytes = bytes_of(from, "l1_bytes"),
                            .l1_seconds = from.positive("l1_seconds"),
                            .l2_seconds = from.positive("l2_seconds"),
                            .memory_seconds = from.positive("memory_seconds")};
  from.refuse_others();
  return latency;
}

/// Leaves what is not there as it is.
template <class Number>
void read_seconds(JsonFields& from, const char* key, Number& to) {
  if (from.has(key)) to = from.number(key, 0);
}

LaunchTruth launch_of(JsonFields from) {
  LaunchTruth launch;
  read_seconds(from, "submit_seconds", launch.submit_seconds);
  read_seconds(from, "argument_byte_seconds", launch.argument_byte_seconds);
  read_seconds(from, "block_seconds", launch.block_seconds);
  read_seconds(from, "start_seconds", launch.start_seconds);
  read_seconds(from, "notice_seconds", launch.notice_seconds);
  read_seconds(from, "sleep_after_seconds", launch.sleep_after_seconds);
  read_seconds(from, "wake_seconds", launch.wake_seconds);
  from.refuse_others();
  return launch;
}

GraphTruth graph_of(JsonFields from) {
  GraphTruth graph;
  read_seconds(from, "node_seconds", graph.node_seconds);
  read_seconds(from, "launch_seconds", graph.launch_seconds);
  read_seconds(from, "instantiate_seconds", graph.instantiate_seconds);
  read_seconds(from, "upload_seconds", graph.upload_seconds);
  from.refuse_others();
  return graph;
}

CopyTruth copy_of(JsonFields from) {
  const CopyTruth copy{.latency_seconds = from.number("latency_seconds", 0), .bandwidth = from.positive("bandwidth")};
  from.refuse_others();
  return copy;
}

void read_kinds(JsonFields from, std::array<std::optional<CopyTruth>, host_kind_names.size()>& to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (const std::string name(host_kind_names.at(i)); from.has(name)) to.at(i) = copy_of(from.object(name));
  from.refuse_others();
}

HostMemoryTruth host_memory_of(JsonFields from) {
  HostMemoryTruth truth;
  if (from.has("copies")) read_kinds(from.object("copies"), truth.copies);
  if (from.has("making")) read_kinds(from.object("making"), truth.making);
  from.refuse_others();
  return truth;
}

DeviceTruth device_of(JsonFields& from) {
  const std::string capability = from.text_like("compute_capability", R"([1-9][0-9]?\.[0-9])");
  const std::size_t dot = capability.find('.');
  DeviceTruth d{.name = from.text("name"),
                .uuid = from.text_like("uuid", "GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
                .pci = from.text_like("pci", R"([0-9A-F]{4}:[0-9A-F]{2}:[0-9A-F]{2}\.0)"),
                .major = std::stoi(capability.substr(0, dot)),
                .minor = std::stoi(capability.substr(dot + 1)),
                .sms = from.count("sms", 1),
                .sm_clock_hz = from.positive("sm_clock_hz"),
                .memory_clock_hz = from.positive("memory_clock_hz"),
                .memory_bus_bits = from.count("memory_bus_bits", 1),
                .memory_bytes = bytes_of(from, "memory_bytes"),
                .l2_bytes = bytes_of(from, "l2_bytes"),
                .memory_bandwidth = from.positive("memory_bandwidth"),
                .l2_bandwidth = from.positive("l2_bandwidth"),
                .link_bandwidth = from.positive("link_bandwidth"),
                .kernel_overhead_seconds = from.number("kernel_overhead_seconds", 0),
                .units = units_of(from.object("units"))};
  if (from.has("ecc")) d.ecc = from.yes_or_no("ecc");
  if (from.has("load_latency")) d.load_latency = load_latency_of(from.object("load_latency"));
  if (from.has("launch")) d.launch = launch_of(from.object("launch"));
  if (from.has("graph")) d.graph = graph_of(from.object("graph"));
  if (from.has("host_memory")) d.host_memory = host_memory_of(from.object("host_memory"));
  if (from.has("throttle")) d.throttle = throttle_of(from.object("throttle"));
  d.memory_free_bytes = from.has("memory_free_bytes") ? bytes_of(from, "memory_free_bytes") : d.memory_bytes;
  if (d.memory_free_bytes > d.memory_bytes) from.refuse("memory_free_bytes", "is more than memory_bytes");
  d.card = from.has("nvml") ? card_of(from.object("nvml"), d) : usual_card(d);
  from.refuse_others();
  return d;
}

/// Reads the one way in which something goes wrong.
void read_way(JsonFields& from, Fault& f, const std::string& of, const std::vector<const char*>& ways) {
  const std::map<std::string_view, bool Fault::*> flags{{"hang", &Fault::hang},
                                                        {"crash", &Fault::crash},
                                                        {"absent", &Fault::absent},
                                                        {"spoil", &Fault::spoil},
                                                        {"lost", &Fault::lost}};
  int count = 0;
  std::string all = "'code'";
  if (from.has("code")) {
    f.code = from.count("code", 1);
    ++count;
  }
  for (const char* const way : ways) {
    all += std::string(", '") + way + "'";
    if (!from.has(way)) continue;
    f.*flags.at(way) = from.yes_or_no(way);
    count += f.*flags.at(way) ? 1 : 0;
  }
  if (count != 1) from.refuse(of, "needs one of " + all);
}

Fault fault_of(JsonFields& from) {
  Fault f;
  if (from.has("nth")) f.nth = from.count("nth", 1);
  if (from.has("call") == from.has("kernel")) from.refuse("call", "or 'kernel' is needed, and not both");
  if (from.has("call")) {
    f.call = from.text("call");
    const bool is_of_nvml = f.call.starts_with("nvml");
    if (!is_of_nvml && !f.call.starts_with("cu")) from.refuse("call", "is of no library that is simulated");
    if (is_of_nvml && from.has("device")) f.device = from.count("device", 0);
    read_way(from, f, "call", {"hang", "crash", "absent"});
  } else {
    f.kernel = from.text("kernel");
    if (from.has("device")) f.device = from.count("device", 0);
    read_way(from, f, "kernel", {"hang", "spoil", "lost"});
  }
  from.refuse_others();
  return f;
}

Scenario scenario_of(JsonFields from) {
  Scenario s{.driver_version = from.count("driver_version", 1000)};
  if (from.has("$schema")) (void)from.text("$schema");
  if (from.has("about")) (void)from.text("about");
  if (from.has("driver_release")) s.driver_release = from.text_like("driver_release", R"([0-9]{3}(\.[0-9]{1,4}){1,2})");
  if (from.has("init_code")) s.init_code = from.count("init_code", 0);
  if (from.has("host_call_seconds")) s.host_call_seconds = from.number("host_call_seconds", 0);
  if (from.has("jitter")) {
    JsonFields jitter = from.object("jitter");
    s.jitter_sigma = jitter.number("sigma", 0);
    if (jitter.has("seed")) s.jitter_seed = static_cast<std::uint64_t>(jitter.whole("seed", 0));
    jitter.refuse_others();
  }
  for (JsonFields& device : from.objects("devices")) s.devices.push_back(device_of(device));
  if (from.has("faults"))
    for (JsonFields& fault : from.objects("faults")) s.faults.push_back(fault_of(fault));
  from.refuse_others();
  return s;
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& name) {
  try {
    return scenario_of(JsonFields(nlohmann::json::parse(text), name));
  } catch (const nlohmann::json::exception& e) {
    throw BadScenario(name + ": " + in_ascii(e.what()));
  }
}

Scenario read_scenario(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw BadScenario(path + " cannot be read");
  Scenario scenario = parse_scenario(text.str(), path);
  scenario.path = path;
  return scenario;
}

}  // namespace warpmark::fakes
