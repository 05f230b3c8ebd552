// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/manual.h"

#include <stdexcept>

#include "embedded/manual.h"

namespace warpmark {

const Section& Manual::section(std::string_view title) const {
  for (const Section& section : sections)
    if (section.title == title) return section;
  throw std::out_of_range("the manual has no section " + std::string(title));
}

Manual manual_of(std::string_view name) {
  for (const embedded::File& file : embedded::manual()) {
    if (file.name.substr(0, file.name.rfind('.')) != name) continue;
    std::vector<Section> sections = parse_markdown(file.text);
    Manual manual{.summary = first_sentence(sections.at(0).blocks)};
    sections.erase(sections.begin());
    manual.sections = std::move(sections);
    return manual;
  }
  throw std::out_of_range("there is no manual of " + std::string(name));
}

}  // namespace warpmark
