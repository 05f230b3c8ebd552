// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/xids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpmark {
namespace {

struct Xids {
  int first = 0, last = 0;
  XidAction action = XidAction::contact_support;
};

using enum XidAction;
/// Whatever is in no range is contact_support: NVIDIA's catalogue has no other advice for it.
constexpr std::array catalogue{Xids{8, 8, restart_program},     Xids{11, 11, restart_program},
                               Xids{13, 13, restart_program},   Xids{14, 14, nothing},
                               Xids{25, 25, restart_program},   Xids{31, 32, restart_program},
                               Xids{37, 38, nothing},           Xids{39, 41, restart_program},
                               Xids{43, 44, nothing},           Xids{45, 45, follow_other},
                               Xids{46, 46, reset_gpu},         Xids{48, 48, memory_errors},
                               Xids{54, 54, power_cable},       Xids{60, 60, restart_program},
                               Xids{62, 62, reset_gpu},         Xids{63, 63, nothing},
                               Xids{64, 64, reset_gpu},         Xids{66, 67, nothing},
                               Xids{68, 72, restart_program},   Xids{74, 74, nvlink},
                               Xids{75, 77, restart_program},   Xids{78, 78, update_driver},
                               Xids{79, 79, restart_machine},   Xids{80, 80, restart_program},
                               Xids{82, 86, restart_program},   Xids{88, 89, restart_program},
                               Xids{92, 93, nothing},           Xids{94, 94, restart_program},
                               Xids{95, 95, reset_gpu},         Xids{96, 105, restart_program},
                               Xids{106, 108, nothing},         Xids{109, 110, reset_gpu},
                               Xids{119, 120, reset_gpu},       Xids{121, 121, nothing},
                               Xids{126, 135, restart_program}, Xids{136, 136, reset_gpu},
                               Xids{137, 137, nothing},         Xids{139, 139, restart_program},
                               Xids{140, 140, reset_gpu},       Xids{141, 141, nothing},
                               Xids{143, 143, reset_gpu},       Xids{144, 150, nvlink},
                               Xids{151, 151, restart_guest},   Xids{152, 153, nothing},
                               Xids{154, 154, follow_other},    Xids{155, 156, reset_gpu},
                               Xids{157, 157, nothing},         Xids{158, 158, reset_gpu},
                               Xids{159, 159, restart_program}, Xids{160, 161, nothing}};

struct Named {
  int xid = 0;
  std::string_view name{};
};
/// Those that people meet.
constexpr std::array names{Named{13, "an exception of a kernel"},
                           Named{31, "a memory page fault of a kernel"},
                           Named{43, "the GPU stopped a program"},
                           Named{45, "the driver cleaned up after another error"},
                           Named{48, "an uncorrected memory error"},
                           Named{62, "its power management unit halted"},
                           Named{63, "a row of memory was remapped"},
                           Named{64, "a row of memory could not be remapped"},
                           Named{74, "an NVLink error"},
                           Named{79, "the GPU fell off the bus"},
                           Named{92, "many corrected memory errors"},
                           Named{94, "a contained memory error"},
                           Named{95, "an uncontained memory error"},
                           Named{119, "the GPU's system processor does not answer"},
                           Named{120, "an error of the GPU's system processor"}};

std::string_view words_of(XidAction action) {
  switch (action) {
    case nothing: return "NVIDIA has it for information";
    case restart_program: return "restart the program; when it comes again, suspect the card";
    case reset_gpu: return "reset the GPU (`nvidia-smi --gpu-reset`, or restart the machine)";
    case restart_machine: return "restart the machine; when it comes again, the card, its slot or its power supply";
    case restart_guest: return "restart the virtual machine";
    case nvlink: return "check the NVLink and its fabric manager, then reset the GPU";
    case memory_errors: return "reset the GPU; when it comes again, have the card changed";
    case power_cable: return "check the card's seat and its power cable";
    case update_driver: return "update the driver, also the host's of a vGPU";
    case follow_other: return "the Xids beside it say what to do";
    case contact_support: return "ask NVIDIA's support, or the provider of a rented machine";
  }
  return "";
}

}  // namespace

XidAction action_of_xid(int xid) {
  const auto* const found = std::find_if(catalogue.begin(), catalogue.end(),
                                         [xid](const Xids& each) { return xid >= each.first && xid <= each.last; });
  return found == catalogue.end() ? XidAction::contact_support : found->action;
}

std::string xid_sentence(int xid) {
  const auto* const named =
      std::find_if(names.begin(), names.end(), [xid](const Named& each) { return each.xid == xid; });
  const std::string name = named == names.end() ? "" : fmt::format(" ({})", named->name);
  return fmt::format("Xid {}{}: {}", xid, name, words_of(action_of_xid(xid)));
}

}  // namespace warpmark
