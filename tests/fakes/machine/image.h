// SPDX-License-Identifier: Apache-2.0
// Device code as a program hands it over, and which chips and drivers take it.
#pragma once

#include <cuda.h>

#include <string_view>
#include <vector>

namespace warpmark::fakes {

struct ChipAndDriver {
  int major = 0;  // compute capability
  int minor = 0;
  int driver_version = 0;  // 12040 for 12.4
};

/// One compilation in it.
struct Image {
  bool is_ptx = false;
  int capability = 0;        // 90 for 9.0
  bool is_specific = false;  // "90a": for that chip and no later one
  int version = 0;           // of PTX: 80 for 8.0; of machine code: that of its ELF form
};

class DeviceImages {
 public:
  /// A fat binary or the text of PTX, which stays where it is. Throws Refusal for anything else.
  explicit DeviceImages(const void* data);

  /// Success, or why the driver has nothing to run there.
  [[nodiscard]] CUresult serve(const ChipAndDriver& on) const;
  /// Whether it has the kernel. Compressed images do not tell: there every kernel with a twin is taken for granted.
  [[nodiscard]] bool has_kernel(std::string_view name) const;

 private:
  void read_fat_binary(const char* data);
  void read_ptx(std::string_view text);

  std::vector<Image> images_{};
  std::string_view text_{};
  bool is_ptx_text_ = false;
  bool is_compressed_ = false;
};

}  // namespace warpmark::fakes
