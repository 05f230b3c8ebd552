// SPDX-License-Identifier: Apache-2.0
// The two extremes of a record: every field set, and everything optional empty.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/core/record.h"
#include "harness/store/document.h"

namespace warpmark {

[[nodiscard]] Record full_record();
[[nodiscard]] Record bare_record();

/// A valid document around the records.
[[nodiscard]] Document document_of(std::vector<Record> records);

/// The head of a journal that fits the same run.
[[nodiscard]] nlohmann::json journal_head();

}  // namespace warpmark
