// SPDX-License-Identifier: Apache-2.0
// When a measurement has warmed up and when it is enough. A suite sets it; a document carries what was used.
#pragma once

#include <cstdint>

namespace warpmark {

struct Protocol {
  std::int64_t min_samples = 10;
  std::int64_t max_samples = 2000;
  double min_seconds = 0.1;          // of sampled time, unless max_samples come first
  double max_seconds = 1.0;          // since the first sample; over before the interval is narrow: not_converged
  double interval = 0.01;            // relative half-width of the 95 % interval of the median that is narrow enough
  double min_warmup_seconds = 0.05;  // launches before the first sample, at least this long ...
  double max_warmup_seconds = 0.5;   // ... and until the last windows agree within 1 %, at most this long
  // A batch holds as many launches as fill this time: waking a library's threads, which sleep while the clock is read
  // beside a sample, takes 0.1 ms.
  double batch_seconds = 0.010;
};

}  // namespace warpmark
