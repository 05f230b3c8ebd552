// SPDX-License-Identifier: Apache-2.0
// The seam to kernels: an Op struct is the contract, a Kernel<Op> is one cell of the operation x backend table.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case.h"

namespace warpmark {

class Device;
class Stream;

/// Whose clock a sample is read from.
enum class Clocking : std::uint8_t {
  device,            // the device's own, around the submitted work
  host_synchronous,  // the host's, around a call that returns when the work is done
  host_submit,       // the host's, around the submit alone
  own,               // the one who does the work measures it: Bound::sample, Turn::sample
};

/// An operation tied to its operands. Binding makes handle, plan and workspace once, so that launching allocates
/// nothing.
struct Bound {
  std::function<void(Stream&)> launch{};
  nlohmann::json about = nlohmann::json::object();  // algorithm, engine, instruction set, workspace
  /// For a launch that leaves its result in a layout of its own: brings it into the contract's, in memory apart, and
  /// says where. Checks ask for it, samples never do. Null where the result lies as the contract has it.
  std::function<const void*(Stream&)> plain_result{};
  /// How its launches have to be timed, where the device's clock does not tell the truth about them.
  Clocking clocking = Clocking::device;
  std::function<double(Stream&)> sample{};  // seconds of one launch; only where `clocking` is `own`
};

/// Where a kernel computes more coarsely than its type: the distance from 1 to the next value. 0: as its type does.
struct Rounding {
  double of_operands = 0;   // what they are rounded to before they are multiplied
  double of_sums = 0;       // what products are added up in
  std::string_view name{};  // what it is called then, as a type is: "tf32"
};

template <class Op>
struct Kernel {
  KernelId id{};
  Bound (*bind)(Stream&, const Op&) = nullptr;
  /// Why this kernel cannot run the case on the device; empty when it can. Null means that it always can.
  std::string (*unsupported)(const Device&, const Case&) = nullptr;
  /// The unit of the device that does the work, where the type alone does not tell: the key of its ceiling.
  std::string_view unit{};
  Rounding rounding{};
};

template <class Op>
std::vector<Kernel<Op>>& kernels() {
  static std::vector<Kernel<Op>> all;
  return all;
}

/// A namespace-scope object of this type, at the end of the kernel's own file, enters it into the table.
template <class Op>
struct Implements {
  explicit Implements(Kernel<Op> kernel) { kernels<Op>().push_back(kernel); }
};

template <class Op>
const Kernel<Op>& kernel_of(const KernelId& id) {
  for (const Kernel<Op>& kernel : kernels<Op>())
    if (kernel.id == id) return kernel;
  throw std::logic_error("no kernel " + id.backend + "/" + id.variant);
}

/// The table of one operation with the operation's type taken away: what a Benchmark needs to expand its cases.
struct KernelTable {
  std::vector<KernelId> (*ids)() = nullptr;
  std::string (*unsupported)(const Device&, const Case&) = nullptr;
  std::string_view (*unit)(const KernelId&) = nullptr;  // Kernel::unit
};

template <class Op>
constexpr KernelTable table_of() {
  return {.ids =
              [] {
                std::vector<KernelId> ids;
                for (const Kernel<Op>& kernel : kernels<Op>()) ids.push_back(kernel.id);
                return ids;
              },
          .unsupported =
              [](const Device& device, const Case& at) {
                const auto reason = kernel_of<Op>(at.kernel).unsupported;
                return reason == nullptr ? std::string() : reason(device, at);
              },
          .unit = [](const KernelId& id) { return kernel_of<Op>(id).unit; }};
}

}  // namespace warpmark
