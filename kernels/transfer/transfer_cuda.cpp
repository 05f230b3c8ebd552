// SPDX-License-Identifier: Apache-2.0
// Copies between a GPU and memory of the host's. Of pageable memory the host's clock tells, around call and wait: the
// driver has copied most of it before the device's clock sees anything.
#include "kernels/transfer/transfer.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/side_stream.h"
#include "harness/core/kernel.h"
#include "kernels/transfer/pinned_cuda.h"

namespace warpmark::cuda {
namespace {

using ops::Direction;

std::optional<int> node_of(const ops::Transfer& op) {
  return op.node == ops::any_node ? std::nullopt : std::optional(op.node);
}

/// What goes to the device, where that from the device lands, and the stream of the second direction.
struct Host {
  std::unique_ptr<HostBlock> outgoing{};
  std::unique_ptr<HostBlock> incoming{};
  std::unique_ptr<SideStream> side{};
  bool has_come = false;  // something since it was last brought back
};

std::shared_ptr<Host> host_of(CudaStream& stream, const ops::Transfer& op, HostKind kind) {
  auto host = std::make_shared<Host>();
  if (op.to_device()) {
    host->outgoing = std::make_unique<HostBlock>(op.bytes, kind, node_of(op));
    stream.copy_out(host->outgoing->data(), op.source, op.bytes);
  }
  if (op.to_host()) {
    host->incoming = std::make_unique<HostBlock>(op.bytes, kind, node_of(op));
    std::memset(host->incoming->data(), 0xff, op.bytes);
  }
  if (op.direction == Direction::both) host->side = std::make_unique<SideStream>(stream.cuda_device());
  return host;
}

void start(const ops::Transfer& op, Host& host, CudaStream& stream) {
  host.has_come = true;
  if (op.direction == Direction::h2d) return stream.start_copy_in(op.landing, host.outgoing->data(), op.bytes);
  if (op.direction == Direction::d2h) return stream.start_copy_out(host.incoming->data(), op.source, op.bytes);
  host.side->fork(stream);
  host.side->stream().start_copy_out(host.incoming->data(), op.source, op.bytes);
  stream.start_copy_in(op.landing, host.outgoing->data(), op.bytes);
  host.side->join(stream);
}

/// Through ordinary memory, which is not how it came, and wipes the host's.
std::function<const void*(Stream&)> bring_back(const ops::Transfer& op, const std::shared_ptr<Host>& host) {
  if (!op.to_host()) return {};
  return [op, host](Stream& stream) -> const void* {
    if (!std::exchange(host->has_come, false)) return op.returned;
    constexpr std::size_t most = std::size_t{4} << 20;
    std::vector<std::byte> piece(std::min(op.bytes, most));
    auto* const from = static_cast<std::byte*>(host->incoming->data());
    for (std::size_t done = 0; done < op.bytes; done += piece.size()) {
      const std::size_t bytes = std::min(piece.size(), op.bytes - done);
      std::memcpy(piece.data(), from + done, bytes);
      stream.copy_in(static_cast<std::byte*>(op.returned) + done, piece.data(), bytes);
    }
    std::memset(from, 0xff, op.bytes);
    return op.returned;
  };
}

nlohmann::json about_of(const ops::Transfer& op, const Host& host) {
  nlohmann::json about = (op.to_device() ? *host.outgoing : *host.incoming).about();
  about["bytes"] = op.bytes;
  return about;
}

template <HostKind kind>
Bound bind(Stream& stream, const ops::Transfer& op) {
  const std::shared_ptr<Host> host = host_of(cuda_stream(stream), op, kind);
  return {.launch = [op, host](Stream& s) { start(op, *host, cuda_stream(s)); },
          .about = about_of(op, *host),
          .plain_result = bring_back(op, host)};
}

void copy_and_wait(const ops::Transfer& op, Host& host, Stream& stream) {
  host.has_come = true;
  if (op.to_device())
    stream.copy_in(op.landing, host.outgoing->data(), op.bytes);
  else
    stream.copy_out(host.incoming->data(), op.source, op.bytes);
}

double timed_by_the_host(const ops::Transfer& op, Host& host, Stream& stream) {
  if (op.to_device()) rewrite(host.outgoing->data(), op.bytes);
  const auto start = std::chrono::steady_clock::now();
  copy_and_wait(op, host, stream);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Bound bind_pageable(Stream& stream, const ops::Transfer& op) {
  const std::shared_ptr<Host> host = host_of(cuda_stream(stream), op, HostKind::pageable);
  nlohmann::json about = about_of(op, *host);
  about["clock"] = "the host's, around copy and wait; what goes to the device is written anew before";
  return {.launch = [op, host](Stream& s) { copy_and_wait(op, *host, s); },
          .about = std::move(about),
          .plain_result = bring_back(op, host),
          .clocking = Clocking::own,
          .sample = [op, host](Stream& s) { return timed_by_the_host(op, *host, s); }};
}

std::string one_at_a_time(const Device&, const Case& at) {
  if (text_of(at["direction"]) == "both")
    return "a pageable copy keeps its caller until it is done, so there is no second one at once: pin the memory";
  return {};
}

std::string only_to_the_device(const Device&, const Case& at) {
  if (text_of(at["direction"]) != "h2d")
    return "the CPU reads write-combined memory back at a small part of its speed, so nothing should come back into "
           "it: "
           "pinned memory is for that";
  return {};
}

const Implements<ops::Transfer> pageable{
    {.id = {"cuda", "pageable", DType::u8}, .bind = bind_pageable, .unsupported = one_at_a_time}};
const Implements<ops::Transfer> pinned{{.id = {"cuda", "pinned", DType::u8}, .bind = bind<HostKind::pinned>}};
const Implements<ops::Transfer> write_combined{{.id = {"cuda", "write-combined", DType::u8},
                                                .bind = bind<HostKind::write_combined>,
                                                .unsupported = only_to_the_device}};
const Implements<ops::Transfer> registered{
    {.id = {"cuda", "registered", DType::u8}, .bind = bind<HostKind::registered>}};

}  // namespace
}  // namespace warpmark::cuda
