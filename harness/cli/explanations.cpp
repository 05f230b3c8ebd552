// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/explanations.h"

#include <fmt/format.h>

#include <algorithm>

#include "embedded/explain.h"
#include "harness/cli/benchmark_explanation.h"
#include "harness/cli/suggestion.h"
#include "harness/core/error.h"

namespace warpmark {
namespace {

bool is_number(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<Explanation> explanations() {
  std::vector<Explanation> all;
  for (Section& section : parse_markdown(embedded::explain().front().text))
    if (section.level == 2)
      all.push_back(Explanation{.id = std::move(section.title), .blocks = std::move(section.blocks)});
  return all;
}

std::vector<Explanation> exit_codes() {
  std::vector<Explanation> codes = explanations();
  std::erase_if(codes, [](const Explanation& e) {
    return !e.id.starts_with(exit_prefix) || !is_number(e.id.substr(exit_prefix.size()));
  });
  return codes;
}

Explanation explanation_of(const std::string& id) {
  const std::string wanted = is_number(id) ? std::string(exit_prefix) + id : id;
  std::vector<std::string> ids;
  for (Explanation& explanation : explanations()) {
    if (explanation.id == wanted) return std::move(explanation);
    ids.push_back(std::move(explanation.id));
  }
  if (auto known = explanation_of_benchmark(wanted)) return std::move(*known);
  for (std::string& word : benchmark_words()) ids.push_back(std::move(word));
  const std::string question = did_you_mean(wanted, ids, "");
  throw UsageError(fmt::format("there is nothing to explain about {}; {}{}`warpmark explain` lists what there is",
                               as_typed(id), question, question.empty() ? "" : " "));
}

}  // namespace warpmark
