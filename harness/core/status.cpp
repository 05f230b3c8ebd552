// SPDX-License-Identifier: Apache-2.0
#include "harness/core/status.h"

#include <algorithm>
#include <array>

namespace warpmark {
namespace {

struct Named {
  Status status;
  std::string_view name;
};

constexpr std::array named{
    Named{Status::ok, "ok"},
    Named{Status::skipped, "skipped"},
    Named{Status::unsupported, "unsupported"},
    Named{Status::denied, "denied"},
    Named{Status::not_converged, "not_converged"},
    Named{Status::failed, "failed"},
    Named{Status::crashed, "crashed"},
    Named{Status::timeout, "timeout"},
    Named{Status::invalid, "invalid"},
};

constexpr std::array every = [] {
  std::array<Status, named.size()> statuses{};
  for (std::size_t i = 0; i < named.size(); ++i) statuses[i] = named[i].status;
  return statuses;
}();

// From the one that outweighs all others down.
constexpr std::array precedence{ExitCode::interrupted, ExitCode::usage,      ExitCode::device, ExitCode::judged_bad,
                                ExitCode::not_judged,  ExitCode::incomplete, ExitCode::done};

}  // namespace

std::string_view name_of(Status status) {
  for (const Named& n : named)
    if (n.status == status) return n.name;
  return "?";
}

std::optional<Status> status_named(std::string_view name) {
  for (const Named& n : named)
    if (n.name == name) return n.status;
  return std::nullopt;
}

std::span<const Status> all_statuses() { return every; }

ExitCode exit_code_of(Status status) {
  switch (status) {
    case Status::failed:
    case Status::crashed:
    case Status::timeout: return ExitCode::incomplete;
    case Status::invalid: return ExitCode::not_judged;
    default: return ExitCode::done;
  }
}

ExitCode worse(ExitCode a, ExitCode b) {
  return *std::find_if(precedence.begin(), precedence.end(), [=](ExitCode c) { return c == a || c == b; });
}

}  // namespace warpmark
