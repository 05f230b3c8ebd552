// SPDX-License-Identifier: Apache-2.0
// Xids, the error numbers of NVIDIA's driver: what each group asks for, as NVIDIA's catalogue has it.
#pragma once

#include <string>

namespace warpmark {

enum class XidAction {
  nothing,  // for information
  restart_program,
  reset_gpu,
  restart_machine,
  restart_guest,
  nvlink,
  memory_errors,
  power_cable,
  update_driver,
  follow_other,
  contact_support
};

[[nodiscard]] XidAction action_of_xid(int xid);

/// "Xid 79 (the GPU fell off the bus): restart the machine".
[[nodiscard]] std::string xid_sentence(int xid);

}  // namespace warpmark
