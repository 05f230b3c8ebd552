// SPDX-License-Identifier: Apache-2.0
// Locking ordinary memory that was touched before.
#include "kernels/transfer/pin.h"

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "harness/device/host_memory.h"

namespace warpmark::cpu {
namespace {

class LockedAnew {
 public:
  explicit LockedAnew(const ops::Pin& op) : op_(op) {}

  double make() {
    pages_.reset();
    pages_ = std::make_unique<HostPages>(op_.bytes, PageKind::ordinary,
                                         op_.node < 0 ? std::nullopt : std::optional(op_.node));
    const auto start = std::chrono::steady_clock::now();
    lock_memory(pages_->data(), pages_->bytes());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::memcpy(pages_->data(), op_.source, op_.bytes);
    return seconds;
  }
  const void* bring_back() {
    if (pages_) std::memcpy(op_.returned, pages_->data(), op_.bytes);
    pages_.reset();
    return op_.returned;
  }

 private:
  ops::Pin op_;
  std::unique_ptr<HostPages> pages_{};
};

Bound bind(Stream& stream, const ops::Pin& op) {
  pool_of(stream).rest();  // also makes the pool, and with it pins this thread
  const auto memory = std::make_shared<LockedAnew>(op);
  return {.launch = [memory](Stream&) { (void)memory->make(); },
          .about = {{"threads", 1}, {"timed", "mlock of memory that was touched before"}, {"bytes", op.bytes}},
          .plain_result = [memory](Stream&) { return memory->bring_back(); },
          .clocking = Clocking::own,
          .sample = [memory](Stream&) { return memory->make(); }};
}

const Implements<ops::Pin> locked{{.id = {"cpu", "locked", DType::u8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
