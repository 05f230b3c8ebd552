// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/render/page_parts.h"
#include "reports/render/steady_strip.h"

namespace warpmark {

using nlohmann::json;

void add_steady(json& page, json& specs, const std::vector<Result>& results) {
  page["steady"] = json::array();
  for (const Result& result : results) {
    for (const SteadyStrip& strip : steady_strips_of(result)) {
      const std::string id = fmt::format("steady-{}", page["steady"].size() + 1);
      json place{{"id", id},
                 {"title", strip.title},
                 {"device", strip.device},
                 {"letter", results.size() > 1 ? json(result.letter) : json(nullptr)},
                 {"line", strip.line},
                 {"fall", strip.fall.empty() ? json(nullptr) : json(strip.fall)},
                 {"height", strip.spec["height"].dump()},
                 {"has_key", strip.heat || strip.limit},
                 {"heat", strip.heat},
                 {"limit", strip.limit},
                 {"table", strip.table}};
      page["steady"].push_back(std::move(place));
      specs.push_back({{"id", id}, {"spec", strip.spec}});
    }
  }
  page["has_steady"] = !page["steady"].empty();
}

}  // namespace warpmark
