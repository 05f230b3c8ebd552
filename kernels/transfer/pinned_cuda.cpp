// SPDX-License-Identifier: Apache-2.0
#include "kernels/transfer/pinned_cuda.h"

#include <utility>

#include "harness/backends/cuda/driver.h"
#include "harness/core/error.h"
#include "harness/core/units.h"

namespace warpmark::cuda {
namespace {

void register_memory(void* data, std::size_t bytes) {
  const CUresult code = driver().MemHostRegister(data, bytes, CU_MEMHOSTREGISTER_PORTABLE);
  const std::string what = format_bytes(static_cast<double>(bytes));
  if (code == CUDA_ERROR_NOT_SUPPORTED)
    throw Unsupported(
        "this driver cannot pin memory that it did not allocate (cuMemHostRegister: 801); pinned memory "
        "is the other way");
  check(code, "cuMemHostRegister", what);
}

}  // namespace

HostBlock::HostBlock(std::size_t bytes, HostKind kind, std::optional<int> node) : kind_(kind) {
  if (kind == HostKind::pageable || kind == HostKind::registered) {
    pages_ = std::make_unique<HostPages>(bytes, PageKind::ordinary, node);
    data_ = pages_->data();
    if (kind == HostKind::registered) register_memory(data_, pages_->bytes());
    return;
  }
  const OnNode there(node);
  const unsigned flags =
      CU_MEMHOSTALLOC_PORTABLE | (kind == HostKind::write_combined ? CU_MEMHOSTALLOC_WRITECOMBINED : 0U);
  check(driver().MemHostAlloc(&data_, bytes, flags), "cuMemHostAlloc", format_bytes(static_cast<double>(bytes)));
}

HostBlock::HostBlock(std::unique_ptr<HostPages> pages)
    : kind_(HostKind::registered), data_(pages->data()), pages_(std::move(pages)) {
  register_memory(data_, pages_->bytes());
}

HostBlock::~HostBlock() {
  // Pages that the driver still holds may not be unmapped: their address would come again, as registered already.
  if (kind_ == HostKind::registered && driver().MemHostUnregister(data_) != CUDA_SUCCESS) (void)pages_.release();
  if (kind_ == HostKind::pinned || kind_ == HostKind::write_combined) (void)driver().MemFreeHost(data_);
}

nlohmann::json HostBlock::about() const {
  if (pages_) return pages_->about();
  nlohmann::json about = {{"pages", "the driver's"}};
  if (const auto node = node_of(data_)) about["host_node"] = *node;
  return about;
}

}  // namespace warpmark::cuda
