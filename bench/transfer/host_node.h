// SPDX-License-Identifier: Apache-2.0
// Which NUMA node the host's end of a copy lies on: by number, or how far it is from the device.
#pragma once

#include "harness/core/case.h"
#include "harness/device/device.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

/// `node`: the words near and far, or an integer: 1 is the system's node 0, 2 its node 1, because axes begin at 1.
[[nodiscard]] Axis node_axis();

/// Its value as a node. Negative (ops::any_node) where the machine has one node, or does not tell: all memory is near
/// then. Throws Unsupported for far where no other node has memory.
[[nodiscard]] int host_node(const Case& at, const DeviceInfo& device, const FileRoot& root = FileRoot());

}  // namespace warpmark
