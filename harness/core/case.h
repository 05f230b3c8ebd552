// SPDX-License-Identifier: Apache-2.0
// One point of a sweep: a kernel, a mode, and one value of each axis. Its id is a public interface (see id_of).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/dtype.h"

namespace warpmark {

/// Sizes are integers; direction, memory kind, pass, layer and the like are words.
using AxisValue = std::variant<std::int64_t, std::string>;

[[nodiscard]] std::string text_of(const AxisValue& value);

struct Axis {
  std::string name{};
  std::vector<AxisValue> values{};
  bool takes_integers = false;  // of somebody's own, from 1 on, although all of these are words
};

/// isolated: one launch per sample, operands cold. batch: back-to-back launches between two clock readings, operands as
/// the loop leaves them.
enum class Mode : std::uint8_t { isolated, batch };

[[nodiscard]] std::string_view name_of(Mode mode);

/// Names one cell of the operation x backend table.
struct KernelId {
  std::string backend{};
  std::string variant{};
  DType dtype = DType::f32;

  friend bool operator==(const KernelId&, const KernelId&) = default;
};

struct Case {
  KernelId kernel{};
  Mode mode = Mode::isolated;
  std::vector<std::pair<std::string, AxisValue>> at{};  // in the order of the benchmark's axes

  /// The value of an axis. Throws std::out_of_range for an axis that the case does not have.
  [[nodiscard]] const AxisValue& operator[](std::string_view axis) const;
  /// The same, as an integer. Throws std::bad_variant_access for a word.
  [[nodiscard]] std::int64_t integer(std::string_view axis) const;
};

}  // namespace warpmark
