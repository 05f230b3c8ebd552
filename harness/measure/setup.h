// SPDX-License-Identifier: Apache-2.0
// What a job may ask for: filled arrays it does not own, the bound kernel, several sets of operands, and checks of the
// result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/benchmark.h"
#include "harness/device/device.h"
#include "harness/measure/arena.h"

namespace warpmark {

class Setup {
 public:
  /// One arena and one stream per device, all of which outlive the job.
  struct Place {
    Device* device = nullptr;
    Stream* stream = nullptr;
    Arena* arena = nullptr;
  };

  Setup(std::span<const Place> places, const Case& at);

  [[nodiscard]] const Case& at() const { return at_; }
  [[nodiscard]] std::size_t device_count() const { return places_.size(); }
  [[nodiscard]] Device& device(std::size_t index = 0) const { return *places_[index].device; }
  [[nodiscard]] Stream& stream(std::size_t index = 0) const { return *places_[index].stream; }

  /// n elements of the case's type, uniform in [-1, 1), the same for the same seed on every device. Read-only.
  [[nodiscard]] const void* random(std::size_t n, std::uint64_t seed, std::size_t device = 0) {
    return random_of(at_.kernel.dtype, n, seed, device);
  }
  /// The same, of another type than the case's.
  [[nodiscard]] const void* random_of(DType dtype, std::size_t n, std::uint64_t seed, std::size_t device = 0);
  /// A random cycle of nodes (harness/core/cycle.h), the same for the same seed, also in every set of operands.
  /// Read-only.
  [[nodiscard]] const void* cycle(std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed,
                                  std::size_t device = 0);
  /// n elements for results: every byte 0xff, which is NaN in all floating types, when the job is made and again before
  /// the samples. Only launches may write here.
  [[nodiscard]] void* poisoned(std::size_t n, std::size_t device = 0);
  /// The same, for results of another type than the case's: `count` numbers of T.
  template <class T>
  [[nodiscard]] T* poisoned_as(std::size_t count, std::size_t device = 0) {
    return static_cast<T*>(poisoned_bytes(count * sizeof(T), device));
  }

  /// The operation by the kernel of this case, ready to launch and timed by the device.
  template <class Op>
  [[nodiscard]] std::function<void(Stream&)> bind(const Op& op, std::size_t device = 0) {
    Bound bound = this->bound(op, device);
    if (bound.clocking != Clocking::device) throw std::logic_error("a kernel with a clock of its own needs bound()");
    return std::move(bound.launch);
  }
  /// The same, of an operation whose kernels may leave the result in a layout of their own: see Verifier::plain.
  template <class Op>
  [[nodiscard]] Bound bound(const Op& op, std::size_t device = 0) {
    const Kernel<Op>& kernel = kernel_of<Op>(at_.kernel);
    Bound bound = kernel.bind(stream(device), op);
    about_.update(bound.about);
    if (!kernel.rounding.name.empty()) about_["arithmetic"] = kernel.rounding.name;
    return bound;
  }

  /// Calls `make` once per set of operands, `bytes` each: one set in batch mode, as many as keep isolated operands cold
  /// (three times the last-level cache, at least two).
  [[nodiscard]] std::vector<Turn> rotate(std::size_t bytes, const std::function<Turn(Setup&)>& make);

  /// What the record's `about` and `data` say.
  [[nodiscard]] nlohmann::json& about() { return about_; }
  [[nodiscard]] const nlohmann::json& data() const { return data_; }

 private:
  void note_data(std::string_view distribution, std::uint64_t seed);
  [[nodiscard]] void* poisoned_bytes(std::size_t bytes, std::size_t device);

  std::span<const Place> places_;
  Case at_;
  std::uint64_t set_ = 0;  // which set of operands rotate() is making: shifts the seeds
  nlohmann::json about_ = nlohmann::json::object();
  nlohmann::json data_ = nlohmann::json::object();
};

/// Checks a result where it lies: the comparison runs on the device, one number comes back.
class Verifier {
 public:
  Verifier(std::span<const Setup::Place> places, DType dtype) : places_(places), dtype_(dtype) {}
  [[nodiscard]] DType dtype() const { return dtype_; }

  /// The result in the layout of the operation's contract: `result` itself, or what the kernel makes of it.
  [[nodiscard]] const void* plain(const Bound& bound, const void* result, std::size_t device = 0) {
    return bound.plain_result ? bound.plain_result(*places_[device].stream) : result;
  }
  /// Runs a checking operation (kernels/check) on the device and returns the number that it leaves.
  template <class Op>
  [[nodiscard]] double run(Op op, std::size_t device = 0) {
    const Setup::Place& place = places_[device];
    op.out = out_on(device);
    const KernelId id{.backend = place.device->info().backend, .variant = "check", .dtype = dtype_};
    const Bound check = kernel_of<Op>(id).bind(*place.stream, op);  // keeps its own memory until the result is there
    check.launch(*place.stream);
    double result = 0;
    place.stream->copy_out(&result, op.out, sizeof result);
    return result;
  }

 private:
  /// Where a check on that device leaves its number: allocated once, because asking for memory costs more than a small
  /// check.
  [[nodiscard]] double* out_on(std::size_t device) {
    auto found = outs_.find(device);
    if (found == outs_.end()) found = outs_.emplace(device, places_[device].device->allocate(sizeof(double))).first;
    return static_cast<double*>(found->second.data());
  }

  std::span<const Setup::Place> places_;
  DType dtype_;
  std::map<std::size_t, Buffer> outs_{};
};

}  // namespace warpmark
