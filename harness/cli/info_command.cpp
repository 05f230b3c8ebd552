// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/device_choice.h"
#include "harness/cli/output.h"
#include "harness/cli/suggestion.h"
#include "harness/cli/terminal.h"
#include "harness/cli/usage_error.h"
#include "harness/core/error.h"
#include "harness/run/device_json.h"
#include "harness/run/probe.h"
#include "harness/run/sampler_client.h"
#include "harness/telemetry/card_text.h"
#include "harness/telemetry/gpus.h"
#include "harness/telemetry/machine.h"
#include "harness/telemetry/nvidia_presence.h"
#include "harness/telemetry/nvml/card.h"

namespace warpmark {
namespace {

using nlohmann::json;

struct InfoOptions {
  std::string root = "/";
  bool as_json = false;
};

/// Of the machine that this is.
struct Devices {
  json nvml{};    // what NVML says of its GPUs
  json opened{};  // the devices that can be measured
  std::vector<std::string> problems{};
};

Devices look_at(const FileRoot& root) {
  if (!root.live())
    return {.nvml = nvml::card_without_answers("a copied tree has no driver to ask"), .opened = json::array()};
  if (const std::string why = why_no_processes(); !why.empty())
    return {.nvml = nvml::card_without_answers(why), .opened = json::array(), .problems = {why}};
  SamplerClient sampler;  // starts while the devices are opened
  const Probed probed = all_devices();
  Devices devices{
      .nvml = sampler.card(), .opened = json::array(), .problems = unusable_devices(probed, find_nvidia(root))};
  for (const DeviceInfo& device : probed.devices) devices.opened.push_back(to_json(device));
  return devices;
}

ExitCode show(const InfoOptions& options) {
  if (!std::filesystem::is_directory(options.root))
    throw UsageError(fmt::format("--root {} is no folder", as_typed(options.root)));
  const FileRoot root(options.root);
  const Devices devices = look_at(root);
  json machine = machine_card(root, {.driver = driver_by_nvml(devices.nvml)});
  add_nvml(machine, devices.nvml);
  for (const std::string& problem : devices.problems) complain(problem);
  if (options.as_json) {
    put(json{{"machine", machine}, {"devices", devices.opened}}.dump(2, ' ', true, json::error_handler_t::replace) +
        "\n");
  } else {
    constexpr std::size_t widest = 100;  // lines stay readable
    const Terminal terminal(stdout);
    put(card_text(machine, devices.opened, terminal.interactive() ? std::min(terminal.columns(), widest) : widest));
  }
  return devices.problems.empty() ? ExitCode::done : ExitCode::device;
}

}  // namespace

void add_info_command(CommandLine& line, const Context& /*context*/) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* const command = add_command(line, "info", [options](const Settings& settings) {
    return settings.blaming({"root"}, [&] { return show(*options); });
  });
  CLI::Option* const root =
      command->add_option("--root", options->root, "Read a captured file tree instead of this machine");
  root->type_name("DIR")->capture_default_str();
  line.offers[root] = {.paths = Offer::Paths::folders};
  command->add_flag("--json", options->as_json, "As JSON")->configurable(false);
}

}  // namespace warpmark
