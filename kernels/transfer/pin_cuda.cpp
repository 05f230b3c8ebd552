// SPDX-License-Identifier: Apache-2.0
// Asking the driver for pinned memory, and telling it to pin memory that was touched before.
#include "kernels/transfer/pin.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/backends/cuda/cuda_stream.h"
#include "harness/core/kernel.h"
#include "kernels/transfer/pinned_cuda.h"

namespace warpmark::cuda {
namespace {

template <HostKind kind>
class PinnedAnew {
 public:
  explicit PinnedAnew(const ops::Pin& op) : op_(op) {}

  double make(Stream& stream) {
    block_.reset();
    const std::optional<int> node = op_.node < 0 ? std::nullopt : std::optional(op_.node);
    std::unique_ptr<HostPages> pages;  // touched outside of what is timed
    if (kind == HostKind::registered) pages = std::make_unique<HostPages>(op_.bytes, PageKind::ordinary, node);
    const auto start = std::chrono::steady_clock::now();
    block_ = pages ? std::make_unique<HostBlock>(std::move(pages)) : std::make_unique<HostBlock>(op_.bytes, kind, node);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    stream.copy_out(block_->data(), op_.source, op_.bytes);
    return seconds;
  }
  const void* bring_back(Stream& stream) {
    if (!block_) return op_.returned;
    const auto* const first = static_cast<const std::byte*>(block_->data());
    const std::vector<std::byte> copy(first, first + op_.bytes);
    stream.copy_in(op_.returned, copy.data(), op_.bytes);
    block_.reset();
    return op_.returned;
  }

 private:
  ops::Pin op_;
  std::unique_ptr<HostBlock> block_{};
};

template <HostKind kind>
Bound bind(Stream&, const ops::Pin& op) {
  const auto memory = std::make_shared<PinnedAnew<kind>>(op);
  return {.launch = [memory](Stream& s) { (void)memory->make(s); },
          .about = {{"timed", kind == HostKind::registered ? "cuMemHostRegister of memory that was touched before"
                                                           : "cuMemHostAlloc"},
                    {"bytes", op.bytes}},
          .plain_result = [memory](Stream& s) { return memory->bring_back(s); },
          .clocking = Clocking::own,
          .sample = [memory](Stream& s) { return memory->make(s); }};
}

const Implements<ops::Pin> pinned{{.id = {"cuda", "pinned", DType::u8}, .bind = bind<HostKind::pinned>}};
const Implements<ops::Pin> registered{{.id = {"cuda", "registered", DType::u8}, .bind = bind<HostKind::registered>}};

}  // namespace
}  // namespace warpmark::cuda
