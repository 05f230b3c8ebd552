// SPDX-License-Identifier: Apache-2.0
// The host's end of a copy: which NUMA node it lies on, by number or by how far it is from the device, and whether
// there is room for it.
#pragma once

#include <cstddef>

#include "harness/core/case.h"
#include "harness/device/device.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

/// `node`: the words near and far, or an integer: 1 is the system's node 0, 2 its node 1, because axes begin at 1.
[[nodiscard]] Axis node_axis();

/// Its value as a node. Negative (ops::any_node) where the machine has one node, or does not tell: all memory is near
/// then. Throws Unsupported for far where no other node has memory.
[[nodiscard]] int host_node(const Case& at, const DeviceInfo& device, const FileRoot& root = FileRoot());

/// Throws Skipped, with the size needed and the size there, where the host's memory would become scarce.
void need_host_memory(std::size_t bytes, const FileRoot& root = FileRoot());

}  // namespace warpmark
