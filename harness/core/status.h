// SPDX-License-Identifier: Apache-2.0
// The states of a record and the exit codes of a command: both are contracts with scripts, both are explained by
// `warpmark explain`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpmark {

enum class Status : std::uint8_t {
  ok,             // measured, verified, converged
  skipped,        // does not fit this machine or this budget
  unsupported,    // the device, library or type cannot do it
  denied,         // the system forbids it
  not_converged,  // measured and verified; the interval of the median is still wide
  failed,         // an error, a wrong result, a lost device
  crashed,        // its worker died
  timeout,        // its worker went silent past the deadline
  invalid,        // a number that cannot be right, such as more than the ceiling
};

[[nodiscard]] std::string_view name_of(Status status);
[[nodiscard]] std::optional<Status> status_named(std::string_view name);
[[nodiscard]] std::span<const Status> all_statuses();
/// Whether the record carries a number that may be used.
[[nodiscard]] constexpr bool measured(Status s) { return s == Status::ok || s == Status::not_converged; }

enum class ExitCode : std::uint8_t {
  done = 0,
  judged_bad = 1,
  usage = 2,
  device = 3,
  incomplete = 4,
  not_judged = 5,
  interrupted = 130,
};

/// What one record's status asks for: failed, crashed and timeout are `incomplete`, invalid is `not_judged`, the rest
/// `done`.
[[nodiscard]] ExitCode exit_code_of(Status status);
/// Of several codes the first of 130, 2, 3, 1, 5, 4, 0.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

}  // namespace warpmark
