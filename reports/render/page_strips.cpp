// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/render/page_parts.h"
#include "reports/render/strip.h"

namespace warpmark {

using nlohmann::json;

void add_strips(json& page, json& specs, const std::vector<Result>& results) {
  page["strips"] = json::array();
  for (const Result& result : results) {
    for (const Strip& strip : strips_of(result)) {
      const std::string id = fmt::format("strip-{}", page["strips"].size() + 1);
      json place{{"id", id},
                 {"title", strip.title},
                 {"device", strip.device},
                 {"letter", results.size() > 1 ? json(result.letter) : json(nullptr)},
                 {"height", strip.spec["height"].dump()},
                 {"has_key", strip.heat || strip.limit},
                 {"heat", strip.heat},
                 {"limit", strip.limit},
                 {"note", strip.note.empty() ? json(nullptr) : json(strip.note)},
                 {"table", strip.table}};
      page["strips"].push_back(std::move(place));
      specs.push_back({{"id", id}, {"spec", strip.spec}});
    }
  }
  page["has_strips"] = !page["strips"].empty();
}

}  // namespace warpmark
