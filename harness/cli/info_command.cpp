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
#include "harness/telemetry/machine.h"
#include "harness/telemetry/nvidia_presence.h"

namespace warpmark {
namespace {

using nlohmann::json;

struct InfoOptions {
  std::string root = "/";
  bool as_json = false;
};

ExitCode show(const InfoOptions& options) {
  if (!std::filesystem::is_directory(options.root))
    throw UsageError(fmt::format("--root {} is no folder", as_typed(options.root)));
  const FileRoot root(options.root);
  const json machine = machine_card(root, MachineOptions{});
  json devices = json::array();
  ExitCode code = ExitCode::done;
  if (root.live()) {
    Probed probed;
    if (const std::string why = why_no_processes(); why.empty()) {
      probed = all_devices();
    } else {
      complain(why);
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
