// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/denied_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "harness/telemetry/card_rows.h"
#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

using nlohmann::json;
using namespace shown;

/// Without the function's name and code, which each fact of NVML has another of: "NVML: not supported ...".
std::string without_function(const std::string& why) {
  const std::size_t at = why.rfind(" (nvml");
  return at == std::string::npos || !why.ends_with(')') ? why : why.substr(0, at);
}

/// Facts that have one reason.
class Facts {
 public:
  void add(const std::string& what) {
    constexpr std::string_view start = "nvidia.gpus.";
    const std::size_t dot = what.find('.', start.size());
    const auto gpu = what.starts_with(start) && dot != std::string::npos
                         ? integer(std::string_view(what).substr(start.size(), dot - start.size()))
                         : std::nullopt;
    constexpr std::int64_t most_gpus = 1024;
    if (!gpu || *gpu < 0 || *gpu > most_gpus) return others_.push_back(what);
    const std::string fact = what.substr(dot + 1);
    if (!gpus_.contains(fact)) facts_of_gpus_.push_back(fact);
    gpus_[fact].push_back(static_cast<int>(*gpu));
  }

  /// Lines of facts, those of GPUs by whose they are.
  [[nodiscard]] std::vector<std::vector<std::string>> lines() const {
    std::vector<std::vector<std::string>> lines;
    if (!others_.empty()) lines.push_back(others_);
    std::vector<std::string> starts;
    for (const std::string& fact : facts_of_gpus_) {
      const std::string start = fmt::format("nvidia.gpus.{}: ", cpu_list_text(gpus_.at(fact)));
      const auto same =
          std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l[0].starts_with(start); });
      if (same == lines.end()) {
        lines.push_back({start + fact});
      } else {
        same->push_back(fact);
      }
    }
    return lines;
  }

 private:
  std::vector<std::string> others_{}, facts_of_gpus_{};
  std::map<std::string, std::vector<int>> gpus_{};
};

}  // namespace

std::string denied_block(const json& denied, std::size_t columns) {
  std::vector<std::pair<std::string, Facts>> reasons;  // in order of appearance
  for (const json& entry : denied) {
    const std::string why = without_function(text(entry, "/why", "no reason"));
    auto same = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == why; });
    if (same == reasons.end()) same = reasons.insert(reasons.end(), {why, Facts()});
    same->second.add(text(entry, "/what"));
  }
  if (reasons.empty()) return {};
  std::string result = fmt::format("\nNot known ({})\n", denied.size());
  for (const auto& [why, facts] : reasons) {
    result += fmt::format("  {}\n", wrapped(words_of(why), " ", 2, columns));
    for (const auto& line : facts.lines()) result += fmt::format("      {}\n", wrapped(line, ", ", 6, columns));
  }
  return result;
}

}  // namespace warpmark
