// SPDX-License-Identifier: Apache-2.0
// The GPUs of a machine as facts, from NVIDIA's card of them and from what was read of their links under load.
#pragma once

#include <vector>

#include "harness/store/document.h"
#include "reports/render/facts.h"

namespace warpmark {

/// machine_facts, and a fact for each GPU: name, short UUID, memory, ECC, power limit, link, and what is unlike a card
/// of one's own. What is not known is left out.
[[nodiscard]] std::vector<Fact> identity_facts(const Document& document);

}  // namespace warpmark
