// SPDX-License-Identifier: Apache-2.0
// Everything that speaks against the numbers of a run: in each case, or of the run as a whole where it hits many.
#pragma once

#include "harness/summary/summary.h"

namespace warpmark {

/// Fills in the doubts of the cases, whose figures and states are there, those of the run, and its notes.
void find_doubts(const Document& document, RunSummary& summary);

}  // namespace warpmark
