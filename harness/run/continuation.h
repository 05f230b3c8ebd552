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

/// Whether something is in the document's place that is not the document of this run.
[[nodiscard]] bool is_taken(const std::filesystem::path& document, const nlohmann::json& run_id);

/// The run that a journal is of, whether or not it can go on here. Throws UsageError for a plan that no run has and for
/// records that are not in the plan.
[[nodiscard]] RunRequest request_in(const JournalContent& content, const std::filesystem::path& journal);

/// The run that a journal continues. Throws UsageError as request_in does, and for another run's document in the place
/// of ours, another build of the program or another machine; DeviceError for a machine without the device.
[[nodiscard]] RunRequest continued(const JournalContent& content, const std::filesystem::path& journal,
                                   const TimeLimit& limit);

}  // namespace warpmark
