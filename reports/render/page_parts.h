// SPDX-License-Identifier: Apache-2.0
// The values that reports/pages/report.html is filled with, part by part. Nothing here is escaped: the template does
// that.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "harness/summary/summary.h"

namespace warpmark {

/// The cards: machine, devices, key numbers.
void add_cards(nlohmann::json& page, const Document& document, const RunSummary& run);
/// The tables: results, what was not measured, doubts, every record.
void add_tables(nlohmann::json& page, const RunSummary& run);
/// Run, command, ceilings, libraries, what was denied, every fact.
void add_provenance(nlohmann::json& page, const Document& document, const std::string& source);

}  // namespace warpmark
