// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/cli/commands.h"
#include "harness/cli/device_choice.h"
#include "harness/cli/output.h"
#include "harness/cli/suggestion.h"
#include "harness/cli/terminal.h"
#include "harness/cli/usage_error.h"
#include "harness/core/error.h"
#include "harness/run/device_json.h"
#include "harness/run/probe.h"
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

/// NVML may hang, so a process of its own asks it.
json nvml_card() { return nvml::card_without_answers("NVML was not asked: this version has no process that does"); }

/// The machine with what NVML says of its GPUs; of a copied tree, what its files say.
json machine_of(const FileRoot& root, const std::string& why_no_children) {
  json machine = machine_card(root, MachineOptions{});
  if (!root.live()) {
    add_nvml(machine, nvml::card_without_answers("a copied tree has no driver to ask"));
  } else if (!why_no_children.empty()) {
    add_nvml(machine, nvml::card_without_answers(why_no_children));
  } else {
    add_nvml(machine, nvml_card());
  }
  return machine;
}

ExitCode show(const InfoOptions& options) {
  if (!std::filesystem::is_directory(options.root))
    throw UsageError(fmt::format("--root {} is no folder", as_typed(options.root)));
  const FileRoot root(options.root);
  const std::string why_no_children = root.live() ? why_no_processes() : "";
  const json machine = machine_of(root, why_no_children);
  json devices = json::array();
  ExitCode code = ExitCode::done;
  if (root.live()) {
    Probed probed;
    if (why_no_children.empty()) {
      probed = all_devices();
    } else {
      complain(why_no_children);
      code = ExitCode::device;
    }
    for (const DeviceInfo& device : probed.devices) devices.push_back(to_json(device));
    for (const std::string& line : unusable_devices(probed, find_nvidia(root))) {
      complain(line);
      code = ExitCode::device;
    }
  }
  if (options.as_json) {
    put(json{{"machine", machine}, {"devices", devices}}.dump(2, ' ', true, json::error_handler_t::replace) + "\n");
  } else {
    constexpr std::size_t widest = 100;  // lines stay readable
    const Terminal terminal(stdout);
    put(card_text(machine, devices, terminal.interactive() ? std::min(terminal.columns(), widest) : widest));
  }
  return code;
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
