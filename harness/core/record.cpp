// SPDX-License-Identifier: Apache-2.0
#include "harness/core/record.h"

#include <algorithm>

namespace warpmark {

std::string arithmetic_of(const Record& record) {
  std::string type(name_of(record.at.kernel.dtype));
  if (!record.about.is_object()) return type;
  const auto found = record.about.find("arithmetic");
  if (found == record.about.end() || !found->is_string()) return type;
  // From a file: only what may be the name of a type is taken for one.
  constexpr std::size_t longest = 16;
  const auto& name = found->get_ref<const std::string&>();
  const bool is_name = !name.empty() && name.size() <= longest && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  return is_name ? name : type;
}

}  // namespace warpmark
