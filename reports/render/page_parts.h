// SPDX-License-Identifier: Apache-2.0
// The values that reports/pages/report.html is filled with, part by part. Nothing here is escaped: the template does
// that.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/render/facts.h"
#include "reports/render/result.h"

namespace warpmark {

[[nodiscard]] nlohmann::json rows_of(const std::vector<Fact>& facts);

/// Machine and devices: cards of one result, a table of several.
void add_machines(nlohmann::json& page, const std::vector<Result>& results);
/// Cards of one result; a table of all, with ratios, of several.
void add_key_numbers(nlohmann::json& page, const std::vector<Result>& results);
/// What keeps numbers from being taken at their word, and what was not measured, by reason.
void add_doubts(nlohmann::json& page, const std::vector<Result>& results);
/// Clock, power and temperature of each device over its run; what is drawn goes to the specs as well.
void add_strips(nlohmann::json& page, nlohmann::json& specs, const std::vector<Result>& results);
/// What is left of a rate when the device is warm, over the seconds of each case that ran long enough to tell.
void add_steady(nlohmann::json& page, nlohmann::json& specs, const std::vector<Result>& results);
/// Every case, with its median in each result.
void add_case_table(nlohmann::json& page, const std::vector<Result>& results);
/// Every record, in the order of record_lines.
void add_record_table(nlohmann::json& page, const std::vector<Result>& results);
/// Run, command, ceilings, libraries, what was denied, every fact.
[[nodiscard]] nlohmann::json provenance_of(const Result& result);

}  // namespace warpmark
