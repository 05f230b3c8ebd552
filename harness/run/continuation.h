// SPDX-License-Identifier: Apache-2.0
// What a journal's head keeps of a run, so that the run can go on; and whether it can go on here.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/run/supervisor.h"
#include "harness/store/journal.h"

namespace warpmark {

/// The `plan` of a journal's head. Where the document goes is not in it: it belongs beside the journal, wherever that
/// is.
[[nodiscard]] nlohmann::json plan_json(const RunRequest& request);

/// The run that a journal continues. Throws UsageError for a plan that no run has, another run's document in the place
/// of ours, or a machine without the device.
[[nodiscard]] RunRequest continued(const JournalContent& content, const std::filesystem::path& journal);

}  // namespace warpmark
