// SPDX-License-Identifier: Apache-2.0
// Copies by one thread between the arena, which stands for a device's memory, and host memory of a kind; both
// directions at once by two threads.
#include "kernels/transfer/transfer.h"

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "harness/device/device.h"
#include "harness/device/host_memory.h"

namespace warpmark::cpu {
namespace {

using ops::Direction;

std::optional<int> node_of(const ops::Transfer& op) {
  return op.node == ops::any_node ? std::nullopt : std::optional(op.node);
}

void copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  asm volatile("" : : : "memory");  // every copy is done, though the next one writes the same
}

/// What goes to the device, and where that from the device lands: apart, because both may be at once.
struct Host {
  std::unique_ptr<HostPages> outgoing{};
  std::unique_ptr<HostPages> incoming{};
  bool has_come = false;  // something since it was last brought back
};

std::shared_ptr<Host> host_of(const ops::Transfer& op, PageKind kind) {
  auto host = std::make_shared<Host>();
  if (op.to_device()) {
    host->outgoing = std::make_unique<HostPages>(op.bytes, kind, node_of(op));
    std::memcpy(host->outgoing->data(), op.source, op.bytes);
  }
  if (op.to_host()) host->incoming = std::make_unique<HostPages>(op.bytes, kind, node_of(op));
  return host;
}

void launch(const ops::Transfer& op, Host& host, Stream& stream) {
  host.has_come = true;
  if (op.direction == Direction::h2d) return copy(op.landing, host.outgoing->data(), op.bytes);
  if (op.direction == Direction::d2h) return copy(host.incoming->data(), op.source, op.bytes);
  pool_of(stream).run([&](std::size_t index, std::size_t) {
    if (index == 0) copy(op.landing, host.outgoing->data(), op.bytes);
    if (index == 1) copy(host.incoming->data(), op.source, op.bytes);
  });
}

/// Into the arena, and the host's memory is no longer a result.
std::function<const void*(Stream&)> bring_back(const ops::Transfer& op, const std::shared_ptr<Host>& host) {
  if (!op.to_host()) return {};
  return [op, host](Stream&) -> const void* {
    if (!std::exchange(host->has_come, false)) return op.returned;
    std::memcpy(op.returned, host->incoming->data(), op.bytes);
    std::memset(host->incoming->data(), 0xff, op.bytes);
    return op.returned;
  };
}

nlohmann::json about_of(const ops::Transfer& op, const HostPages& pages, int threads) {
  nlohmann::json about = pages.about();
  about.update({{"threads", threads}, {"copied_by", "memcpy"}, {"bytes", op.bytes}});
  return about;
}

template <PageKind kind>
Bound bind(Stream& stream, const ops::Transfer& op) {
  pool_of(stream).rest();  // also makes the pool, and with it pins this thread
  const std::shared_ptr<Host> host = host_of(op, kind);
  return {.launch = [op, host](Stream& s) { launch(op, *host, s); },
          .about =
              about_of(op, op.to_device() ? *host->outgoing : *host->incoming, op.direction == Direction::both ? 2 : 1),
          .plain_result = bring_back(op, host)};
}

std::string needs_two(const Device& device, const Case& at) {
  if (text_of(at["direction"]) == "both" && device.info().units < 2)
    return "both directions at once take two cores, and one is allowed here";
  return {};
}

/// Pages that nobody has touched: the kernel finds and clears them while the copy waits.
class FreshPages {
 public:
  explicit FreshPages(const ops::Transfer& op) : op_(op) {}

  double sample() {
    pages_.reset();
    pages_ = std::make_unique<UntouchedPages>(op_.bytes);
    const OnNode there(node_of(op_));
    const auto start = std::chrono::steady_clock::now();
    copy(pages_->data(), op_.source, op_.bytes);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const void* bring_back() {
    if (!pages_) return op_.returned;
    std::memcpy(op_.returned, pages_->data(), op_.bytes);
    pages_.reset();
    return op_.returned;
  }

 private:
  ops::Transfer op_;
  std::unique_ptr<UntouchedPages> pages_{};
};

Bound bind_cold(Stream& stream, const ops::Transfer& op) {
  pool_of(stream).rest();
  const auto pages = std::make_shared<FreshPages>(op);
  return {
      .launch = [pages](Stream&) { (void)pages->sample(); },
      .about = {{"pages", "4 KiB, fresh for every copy"}, {"threads", 1}, {"copied_by", "memcpy"}, {"bytes", op.bytes}},
      .plain_result = [pages](Stream&) { return pages->bring_back(); },
      .clocking = Clocking::own,
      .sample = [pages](Stream&) { return pages->sample(); }};
}

std::string only_into_the_host(const Device&, const Case& at) {
  if (text_of(at["direction"]) != "d2h")
    return "fresh pages have nothing to be copied from them: what they cost shows when they are written "
           "(direction=d2h)";
  return {};
}

const Implements<ops::Transfer> cold{
    {.id = {"cpu", "cold", DType::u8}, .bind = bind_cold, .unsupported = only_into_the_host}};
const Implements<ops::Transfer> warm{
    {.id = {"cpu", "warm", DType::u8}, .bind = bind<PageKind::ordinary>, .unsupported = needs_two}};
const Implements<ops::Transfer> locked{
    {.id = {"cpu", "locked", DType::u8}, .bind = bind<PageKind::locked>, .unsupported = needs_two}};
const Implements<ops::Transfer> huge{
    {.id = {"cpu", "huge", DType::u8}, .bind = bind<PageKind::huge>, .unsupported = needs_two}};

}  // namespace
}  // namespace warpmark::cpu
