// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/benchmark_explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "harness/core/benchmark.h"

namespace warpmark {
namespace {

Block paragraph(std::string text) { return {.kind = Block::Kind::paragraph, .text = std::move(text)}; }
Block item(std::string text) { return {.kind = Block::Kind::item, .text = std::move(text)}; }

std::string sentence(const std::string& about) {
  std::string text = about;
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

/// Types by backend and kernel: "cpu nt: f32, f64".
std::vector<Block> kernels_of(const Benchmark& benchmark) {
  std::map<std::string, std::vector<std::string>> types;
  for (const KernelId& id : benchmark.kernels.ids())
    types[id.backend + " " + id.variant].emplace_back(name_of(id.dtype));
  std::vector<Block> items;
  for (const auto& [kernel, of] : types) items.push_back(item(fmt::format("`{}`: {}", kernel, fmt::join(of, ", "))));
  return items;
}

std::vector<Block> axes_of(const Benchmark& benchmark) {
  std::vector<Block> items;
  for (const Axis& axis : benchmark.axes) {
    std::vector<std::string> values;
    for (const AxisValue& value : axis.values) values.push_back(text_of(value));
    items.push_back(item(fmt::format("`{}`: {}", axis.name, fmt::join(values, ", "))));
  }
  return items;
}

Explanation of_benchmark(const Benchmark& benchmark) {
  Explanation to{.id = benchmark.name, .blocks = {paragraph(sentence(benchmark.about))}};
  to.blocks.push_back(paragraph("Its axes, and the values that it has of itself:"));
  for (Block& each : axes_of(benchmark)) to.blocks.push_back(std::move(each));
  to.blocks.push_back(paragraph("Its kernels and their types:"));
  for (Block& each : kernels_of(benchmark)) to.blocks.push_back(std::move(each));
  return to;
}

Explanation of_family(const std::string& family) {
  Explanation to{.id = family, .blocks = {paragraph("A family of benchmarks; one process runs one family:")}};
  for (const Benchmark& benchmark : benchmarks())
    if (family_of(benchmark.name) == family)
      to.blocks.push_back(item(fmt::format("`{}`: {}", benchmark.name, benchmark.about)));
  return to;
}

Explanation of_kernel(const std::string& variant) {
  Explanation to{.id = variant, .blocks = {paragraph("A kernel, one of several that answer the same question:")}};
  std::set<std::string> uses;
  for (const Benchmark& benchmark : benchmarks())
    for (const KernelId& id : benchmark.kernels.ids())
      if (id.variant == variant)
        uses.insert(fmt::format("`{}` on {}, {}", benchmark.name, id.backend, name_of(id.dtype)));
  for (const std::string& use : uses) to.blocks.push_back(item(use));
  return to;
}

bool is_kernel(const std::string& word) {
  return std::any_of(benchmarks().begin(), benchmarks().end(), [&](const Benchmark& benchmark) {
    const std::vector<KernelId> ids = benchmark.kernels.ids();
    return std::any_of(ids.begin(), ids.end(), [&](const KernelId& id) { return id.variant == word; });
  });
}

}  // namespace

std::optional<Explanation> explanation_of_benchmark(const std::string& word) {
  for (const Benchmark& benchmark : benchmarks())
    if (benchmark.name == word) return of_benchmark(benchmark);
  for (const Benchmark& benchmark : benchmarks())
    if (family_of(benchmark.name) == word) return of_family(word);
  if (is_kernel(word)) return of_kernel(word);
  return std::nullopt;
}

std::vector<std::string> benchmark_words() {
  std::set<std::string> words;
  for (const Benchmark& benchmark : benchmarks()) {
    words.insert(benchmark.name);
    words.emplace(family_of(benchmark.name));
    for (const KernelId& id : benchmark.kernels.ids()) words.insert(id.variant);
  }
  return {words.begin(), words.end()};
}

}  // namespace warpmark
