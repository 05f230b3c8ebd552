// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/suites.h"

#include <fmt/format.h>

#include "harness/core/error.h"
#include "harness/core/nearest.h"
#include "harness/store/json_text.h"

namespace warpmark {

std::string suite_text(const Context& context, const std::string& name_or_file) {
  std::vector<std::string> names;
  for (const embedded::File& file : context.suites) {
    names.emplace_back(file.name.substr(0, file.name.rfind('.')));
    if (names.back() == name_or_file) return std::string(file.text);
  }
  if (name_or_file.ends_with(".json") || name_or_file.find('/') != std::string::npos) return read_text(name_or_file);
  throw UsageError(fmt::format("there is no suite {}; did you mean {}? A file of your own has to end in .json", name_or_file,
                               nearest(name_or_file, names)));
}

}  // namespace warpmark
