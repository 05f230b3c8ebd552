// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/image.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <regex>
#include <string>

#include "tests/fakes/machine/refusal.h"
#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {
namespace {

constexpr std::uint32_t fat_binary_magic = 0xba55ed50;
constexpr std::uint32_t specific_flag = 0x100000;
constexpr std::uint32_t compressed_flags = 0xa000;
constexpr int elf_form_of_cuda_13 = 8;  // before: 7

struct FatHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // of all entries
};

enum class EntryKind : std::uint16_t { ptx = 1, elf = 2 };

struct FatEntry {
  EntryKind kind;
  std::uint16_t unknown;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t compressed_bytes;
  std::uint32_t options_at;
  std::uint16_t minor;  // of PTX; of machine code the form of its ELF
  std::uint16_t major;
  std::uint32_t capability;
  std::uint64_t name;
  std::uint32_t flags;
};

template <class T>
T read_at(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

struct Serves {
  int driver_version = 0;
  int ptx_version = 0;
};
// By the release notes of the PTX ISA.
constexpr std::array<Serves, 12> ptx_of_driver{{{12000, 80},
                                                {12010, 81},
                                                {12020, 82},
                                                {12030, 83},
                                                {12040, 84},
                                                {12050, 85},
                                                {12070, 86},
                                                {12080, 87},
                                                {12090, 88},
                                                {13000, 90},
                                                {13010, 91},
                                                {13020, 92}}};

int newest_ptx(int driver_version) {
  int version = 0;
  for (const Serves& s : ptx_of_driver)
    if (s.driver_version <= driver_version) version = s.ptx_version;
  return version;
}

bool fits_chip(const Image& image, const ChipAndDriver& on) {
  const int capability = 10 * on.major + on.minor;
  if (image.is_specific) return image.capability == capability;
  if (image.capability > capability) return false;
  return image.is_ptx || image.capability / 10 == on.major;
}

bool fits_driver(const Image& image, const ChipAndDriver& on) {
  if (image.is_ptx) return image.version <= newest_ptx(on.driver_version);
  return image.version < elf_form_of_cuda_13 || on.driver_version >= 13000;
}

}  // namespace

DeviceImages::DeviceImages(const void* data) {
  const auto* const bytes = static_cast<const char*>(data);
  if (read_at<std::uint32_t>(bytes) == fat_binary_magic)
    read_fat_binary(bytes);
  else
    read_ptx(bytes);
}

void DeviceImages::read_fat_binary(const char* data) {
  const auto header = read_at<FatHeader>(data);
  text_ = {data + header.header_bytes, header.bytes};
  for (std::size_t at = 0; at < text_.size();) {
    const auto entry = read_at<FatEntry>(text_.data() + at);
    const bool is_ptx = entry.kind == EntryKind::ptx;
    images_.push_back({.is_ptx = is_ptx,
                       .capability = static_cast<int>(entry.capability),
                       .is_specific = (entry.flags & specific_flag) != 0,
                       .version = is_ptx ? 10 * entry.major + entry.minor : entry.minor});
    is_compressed_ = is_compressed_ || (entry.flags & compressed_flags) != 0;
    at += entry.header_bytes + entry.bytes;
  }
}

void DeviceImages::read_ptx(std::string_view text) {
  static const std::regex form(R"(\.version\s+(\d+)\.(\d+)\s+\.target\s+sm_(\d+)([af]?))");
  std::cmatch found;
  if (!std::regex_search(text.data(), text.data() + text.size(), found, form))
    throw Refusal{text.find(".version") == std::string_view::npos ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_INVALID_PTX};
  images_.push_back({.is_ptx = true,
                     .capability = std::stoi(found[3]),
                     .is_specific = found[4].length() > 0,
                     .version = 10 * std::stoi(found[1]) + std::stoi(found[2])});
  text_ = text;
  is_ptx_text_ = true;
}

CUresult DeviceImages::serve(const ChipAndDriver& on) const {
  CUresult code = CUDA_ERROR_NO_BINARY_FOR_GPU;
  for (const Image& image : images_) {
    if (!fits_chip(image, on)) continue;
    if (fits_driver(image, on)) return CUDA_SUCCESS;
    if (image.is_ptx) code = CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  return code;
}

bool DeviceImages::has_kernel(std::string_view name) const {
  if (is_compressed_) return find_twin(name) != nullptr;
  if (is_ptx_text_) return text_.find(".entry " + std::string(name) + "(") != std::string_view::npos;
  // The sections' names of machine code, which end in a zero.
  return text_.find(std::string(".text.") + std::string(name) + '\0') != std::string_view::npos;
}

}  // namespace warpmark::fakes
