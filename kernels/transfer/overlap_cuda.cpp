// SPDX-License-Identifier: Apache-2.0
// The copy on a stream of its own beside multiply-adds. A pageable copy keeps the host, which has queued the computing
// before.
#include "kernels/transfer/overlap.h"

#include <chrono>
#include <memory>
#include <optional>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/side_stream.h"
#include "harness/core/kernel.h"
#include "kernels/transfer/pinned_cuda.h"

namespace warpmark::cuda {
namespace {

class Beside {
 public:
  Beside(CudaStream& stream, const ops::Overlap& op, HostKind kind)
      : op_(op),
        host_(op.copy.bytes, kind, op.copy.node == ops::any_node ? std::nullopt : std::optional(op.copy.node)),
        side_(stream.cuda_device()),
        compute_(kernel_of<ops::Fma>({"cuda", "fma", DType::f32}).bind(stream, op.compute)) {
    stream.copy_out(host_.data(), op.copy.source, op.copy.bytes);
  }

  void start(CudaStream& stream) {
    side_.fork(stream);
    side_.stream().start_copy_in(op_.copy.landing, host_.data(), op_.copy.bytes);
    compute_.launch(stream);
    side_.join(stream);
  }
  void run_pageable(CudaStream& stream) {
    compute_.launch(stream);
    side_.stream().copy_in(op_.copy.landing, host_.data(), op_.copy.bytes);
    stream.wait();
  }
  double sample_pageable(CudaStream& stream) {
    rewrite(host_.data(), op_.copy.bytes);
    const auto start = std::chrono::steady_clock::now();
    run_pageable(stream);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  [[nodiscard]] nlohmann::json about() const { return host_.about(); }

 private:
  ops::Overlap op_;
  HostBlock host_;
  SideStream side_;
  Bound compute_;
};

Bound bind_pinned(Stream& stream, const ops::Overlap& op) {
  const auto beside = std::make_shared<Beside>(cuda_stream(stream), op, HostKind::pinned);
  return {.launch = [beside](Stream& s) { beside->start(cuda_stream(s)); }, .about = beside->about()};
}

Bound bind_pageable(Stream& stream, const ops::Overlap& op) {
  const auto beside = std::make_shared<Beside>(cuda_stream(stream), op, HostKind::pageable);
  return {.launch = [beside](Stream& s) { beside->run_pageable(cuda_stream(s)); },
          .about = beside->about(),
          .clocking = Clocking::own,
          .sample = [beside](Stream& s) { return beside->sample_pageable(cuda_stream(s)); }};
}

const Implements<ops::Overlap> pageable{{.id = {"cuda", "pageable", DType::u8}, .bind = bind_pageable}};
const Implements<ops::Overlap> pinned{{.id = {"cuda", "pinned", DType::u8}, .bind = bind_pinned}};

}  // namespace
}  // namespace warpmark::cuda
