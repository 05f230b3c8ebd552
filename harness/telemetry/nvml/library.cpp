// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvml/library.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "harness/core/error.h"
#include "harness/dynlib/library.h"
#include "harness/telemetry/machine.h"

namespace warpmark::nvml {
namespace {

/// As libcuda's: toolkit folders hold a stub.
const std::vector<std::string>& places() {
  static const std::vector<std::string> all{"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1",
                                            "/usr/local/nvidia/lib64/libnvidia-ml.so.1",
                                            "/usr/local/nvidia/lib/libnvidia-ml.so.1"};
  return all;
}

/// What a code means, in a few words; empty for one that we do not know.
std::string_view meaning(Return code) {
  switch (code) {
    case uninitialized: return "the library was not started";
    case invalid_argument: return "an argument was refused";
    case not_supported: return "not supported by this GPU or its mode";
    case no_permission: return "this user may not read it";
    case not_found: return "not found";
    case insufficient_size: return "the answer is longer than expected";
    case driver_not_loaded: return "the kernel's NVIDIA driver is not loaded";
    case timed_out: return "the driver did not answer in time";
    case library_not_found: return "a library that it needs is missing";
    case function_not_found: return "this driver has no such function";
    case corrupted_inforom: return "the board's infoROM is corrupted";
    case gpu_is_lost: return "the GPU has fallen off the bus or has become inaccessible";
    case reset_required: return "the GPU has to be reset";
    case operating_system: return "the operating system or a control group blocks the GPU";
    case library_mismatch: return "library and kernel driver are of different versions";
    case in_use: return "in use";
    case no_data: return "no data";
    case argument_version_mismatch: return "this driver knows another version of the question";
    case deprecated_function: return "this driver no longer answers it";
    case gpu_not_found: return "no GPU was found";
    case unknown_error: return "an unknown error";
    default: return {};
  }
}

std::string_view remedy(Return code) {
  switch (code) {
    case driver_not_loaded: return "load it (modprobe nvidia), or install NVIDIA's driver";
    case library_mismatch:
      return "the driver was upgraded under a running kernel module: restart the machine; in a container, restart the "
             "container";
    case operating_system: return "a container may have lost its devices: recreate it";
    case no_permission: return "run as a user who may open /dev/nvidiactl";
    case gpu_is_lost: return "power-cycle the machine and look at `dmesg`";
    default: return "`nvidia-smi` may say more";
  }
}

template <class... Parameters>
void find(const Library& library, Function<Parameters...>& to) {
  to.call = library.find<Return(Parameters...)>(to.name);
}

void fill(const Library& library, Functions& to) {
#define WARPMARK_FIND(name, ...) find(library, to.name);
  WARPMARK_NVML_FUNCTIONS(WARPMARK_FIND)
#undef WARPMARK_FIND
}

std::string text_of(const std::vector<char>& bytes) { return {bytes.data(), strnlen(bytes.data(), bytes.size())}; }

}  // namespace

Opened open_library() {
  Opened opened;
  try {
    const Library library = Library::open(places(), "install NVIDIA's driver");
    opened.present = true;
    opened.path = without_home(library.path());
    fill(library, opened.functions);
    const auto& init = opened.functions.Init_v2;
    opened.code = init.call == nullptr ? Return{function_not_found} : init.call();
    if (opened.code != success)
      opened.problem = fmt::format("{}; {}", why_not(opened.code, init.name), remedy(opened.code));
  } catch (const LibraryMissing&) {
    opened.code = library_not_found;
    opened.problem =
        "no libnvidia-ml.so.1 was found: it comes with NVIDIA's driver; a container gets it from outside "
        "(NVIDIA_DRIVER_CAPABILITIES=compute,utility)";
  } catch (const Unsupported& damaged) {
    opened.present = true;
    opened.code = library_not_found;
    opened.problem = without_home(damaged.what());  // the loader names the file
  }
  return opened;
}

std::string why_not(Return code, std::string_view function) {
  const std::string_view known = meaning(code);
  return fmt::format("NVML: {} ({} {})", known.empty() ? "a code that this program does not know" : known, function,
                     code);
}

Answer<std::string> ask_text(const Function<Device, char*, unsigned>& function, Device device, unsigned bytes) {
  std::vector<char> buffer(bytes);
  const Return code =
      function.call == nullptr ? Return{function_not_found} : function.call(device, buffer.data(), bytes);
  if (code == success) return {.value = text_of(buffer)};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

Answer<std::string> ask_text(const Function<char*, unsigned>& function, unsigned bytes) {
  std::vector<char> buffer(bytes);
  const Return code = function.call == nullptr ? Return{function_not_found} : function.call(buffer.data(), bytes);
  if (code == success) return {.value = text_of(buffer)};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

std::optional<double> number_of(const FieldValue& field) {
  switch (field.type) {
    case type_double: return field.value.d;
    case type_unsigned: return static_cast<double>(field.value.ui);
    case type_unsigned_long: return static_cast<double>(field.value.ul);
    case type_unsigned_long_long: return static_cast<double>(field.value.ull);
    case type_long_long: return static_cast<double>(field.value.sll);
    case type_int: return static_cast<double>(field.value.si);
    case type_unsigned_short: return static_cast<double>(field.value.us);
    default: return std::nullopt;
  }
}

}  // namespace warpmark::nvml
