// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cuda_software.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/machine.h"

namespace warpmark {
namespace {

using nlohmann::json;

enum class Kind { of_driver, by_major, of_either_major };

struct Wanted {
  const char* name = "";
  const char* soname = "";
  Kind kind = Kind::by_major;
  const char* package = "";  // nvidia-<package>-cu12 of Python's index
};

constexpr std::array all_wanted{Wanted{"CUDA driver", "libcuda.so.1", Kind::of_driver},
                                Wanted{"NVML", "libnvidia-ml.so.1", Kind::of_driver},
                                Wanted{"cublasLt", "libcublasLt.so.13", Kind::by_major, "cublas"},
                                Wanted{"cublasLt", "libcublasLt.so.12", Kind::by_major, "cublas"},
                                Wanted{"cudnn", "libcudnn.so.9", Kind::of_either_major, "cudnn"},
                                Wanted{"nccl", "libnccl.so.2", Kind::of_either_major, "nccl"},
                                Wanted{"cupti", "libcupti.so.13", Kind::by_major, "cuda_cupti"},
                                Wanted{"cupti", "libcupti.so.12", Kind::by_major, "cuda_cupti"},
                                Wanted{"nvrtc", "libnvrtc.so.13", Kind::by_major, "cuda_nvrtc"},
                                Wanted{"nvrtc", "libnvrtc.so.12", Kind::by_major, "cuda_nvrtc"}};

/// A file that was found: where the loader finds it, and which file that is in the end.
struct File {
  std::string path{}, true_path{};
};

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Folders that /etc/ld.so.conf names, itself or in what it includes.
std::vector<std::string> configured_folders(const FileRoot& root) {
  std::vector<std::string> files{"/etc/ld.so.conf"}, folders;
  for (const std::string& name : root.list("/etc/ld.so.conf.d"))
    if (name.ends_with(".conf")) files.push_back("/etc/ld.so.conf.d/" + name);
  for (const std::string& file : files) {
    const std::string text = root.read(file).value_or("");
    for (const std::string_view line : split(text, '\n'))
      if (const auto folder = trim(line); folder.starts_with('/')) folders.emplace_back(folder);
  }
  return folders;
}

std::vector<std::string> loader_folders(const FileRoot& root, const EnvironmentLookup& environment) {
  std::vector<std::string> folders;
  const char* const first = environment ? environment("LD_LIBRARY_PATH") : nullptr;
  for (const std::string_view folder : split(first == nullptr ? "" : first, ':'))
    if (folder.starts_with('/')) folders.emplace_back(folder);
  for (std::string& folder : configured_folders(root)) folders.push_back(std::move(folder));
  for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
                             "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"})
    folders.emplace_back(folder);
  return folders;
}

/// Where it may lie, in the order of looking.
std::vector<std::string> places_of(const Wanted& wanted, const FileRoot& root, const EnvironmentLookup& environment,
                                   const std::vector<std::string>& folders) {
  std::vector<std::string> places;
  for (const std::string& folder : folders) places.push_back(folder + '/' + wanted.soname);
  if (wanted.kind == Kind::of_driver) {
    for (const char* folder : {"/usr/lib/wsl/lib/", "/usr/local/nvidia/lib64/", "/usr/local/nvidia/lib/"})
      places.push_back(std::string(folder) + wanted.soname);
    return places;
  }
  const EnvironmentLookup usual = [](const char* name) -> const char* {
    return std::string_view(name) == "PATH" ? "/usr/local/bin:/usr/bin:/bin" : nullptr;
  };
  for (const std::string& file :
       cuda_library_candidates(wanted.soname, environment ? environment : usual, root.folder()))
    if (file.starts_with('/'))
      places.push_back('/' + std::filesystem::path(file).lexically_relative(root.folder()).string());
  return places;
}

std::vector<File> files_of(const FileRoot& root, const std::vector<std::string>& places) {
  constexpr std::size_t most_files = 16;
  std::vector<File> files;
  for (const std::string& path : places) {
    if (files.size() == most_files || !root.has_file(path)) continue;
    const auto true_path = root.resolved(path);
    const auto is_same = [&](const File& other) { return other.true_path == *true_path; };
    if (true_path && std::none_of(files.begin(), files.end(), is_same)) files.push_back({path, *true_path});
  }
  return files;
}

/// "13.0.2.14" of "libcublasLt.so.13.0.2.14".
std::string version_in(const std::string& file_name) {
  const std::size_t at = file_name.find(".so.");
  const std::string version = at == std::string::npos ? "" : file_name.substr(at + 4);
  return version.find_first_not_of("0123456789.") == std::string::npos ? version : "";
}

std::int64_t major_of(std::string_view version) { return integer(version.substr(0, version.find('.'))).value_or(0); }

/// What Python's installer wrote beside the folder "nvidia" of a library: "nvidia_cublas_cu12-12.4.5.8.dist-info".
struct PythonPackage {
  std::string version{};
  std::int64_t cuda_major = 0;  // 0: its name does not say
};

std::optional<PythonPackage> python_package(const FileRoot& root, const Wanted& wanted, const std::string& path) {
  const std::size_t nvidia = path.rfind("/nvidia/");
  if (nvidia == std::string::npos) return std::nullopt;
  for (const std::string& entry : root.list(path.substr(0, nvidia))) {
    const std::string start = std::string("nvidia_") + wanted.package;
    if (!entry.starts_with(start) || !entry.ends_with(".dist-info")) continue;
    const std::string rest = entry.substr(start.size(), entry.size() - start.size() - std::string(".dist-info").size());
    const std::size_t dash = rest.find('-');
    if (dash == std::string::npos || (dash != 0 && !rest.starts_with("_cu"))) continue;
    return PythonPackage{.version = rest.substr(dash + 1),
                         .cuda_major = dash == 0 ? 0 : integer(rest.substr(3, dash - 3)).value_or(0)};
  }
  return std::nullopt;
}

/// Whether a driver can work with a library; `why` where it is not certain that it can.
struct Support {
  std::optional<bool> is_supported{};
  std::string why{};
};

Support support_of_major(std::int64_t cuda_major, const std::string& driver) {
  if (driver.empty()) return {.why = "the driver's version is not known"};
  const std::int64_t needed = cuda_major >= 13 ? 580 : 525;
  if (major_of(driver) >= needed) return {.is_supported = true};
  return {.is_supported = false,
          .why = fmt::format("CUDA {} needs driver R{} or later, and {} is loaded", cuda_major, needed, driver)};
}

/// The driver's own libraries have to be of the kernel module's version.
Support support_of_driver_library(const File& file, const std::string& version, const std::string& driver) {
  if (file.path.find("/stubs/") != std::string::npos)
    return {.is_supported = false, .why = "a stub, to link with: take its folder out of LD_LIBRARY_PATH"};
  if (file.path.find("/compat/") != std::string::npos || file.true_path.find("/compat/") != std::string::npos)
    return {.why = "a copy for older drivers, which only data centre GPUs take"};
  if (driver.empty()) return {.why = "the driver's version is not known"};
  if (version.empty()) return {.why = "its file's name does not tell its version"};
  if (version == driver) return {.is_supported = true};
  return {.is_supported = false,
          .why = fmt::format("the kernel has driver {}: restart the machine (a container: the container)", driver)};
}

Support support_of_either(std::int64_t cuda_major, const std::string& driver) {
  constexpr std::int64_t serves_both = 580;
  if (cuda_major != 0 || driver.empty() || major_of(driver) >= serves_both)
    return support_of_major(cuda_major == 0 ? 13 : cuda_major, driver);
  return {.why = "its file's name does not tell for which CUDA it was built"};
}

/// By the file's name, or else the package's. "libcuda.so.1" has the number of its interface alone.
std::string version_of(const Wanted& wanted, const File& file, const std::optional<PythonPackage>& package) {
  std::string version = version_in(name_of(file.true_path));
  if (version.find('.') != std::string::npos) return version;
  if (wanted.kind == Kind::of_driver) return "";
  return package ? package->version : version;
}

json library(const FileRoot& root, const Wanted& wanted, const File& file, const std::string& driver) {
  const auto package = python_package(root, wanted, file.path);
  const std::string version = version_of(wanted, file, package);
  Support support;
  switch (wanted.kind) {
    case Kind::of_driver: support = support_of_driver_library(file, version, driver); break;
    case Kind::by_major: support = support_of_major(major_of(version_in(wanted.soname)), driver); break;
    case Kind::of_either_major: support = support_of_either(package ? package->cuda_major : 0, driver); break;
  }
  json result{{"name", wanted.name},
              {"version", version.empty() ? json(nullptr) : json(version)},
              {"path", root.live() ? without_home(file.path) : file.path},
              {"supported", support.is_supported ? json(*support.is_supported) : json(nullptr)}};
  if (!support.why.empty()) result["why"] = support.why;
  return result;
}

void deny_unknown(const FileRoot& root, const json& library, std::size_t index) {
  const std::string what = fmt::format("software.libraries.{}.", index);
  if (library["version"].is_null()) root.deny(what + "version", "its file's name does not tell");
  if (library["supported"].is_null()) root.deny(what + "supported", library["why"]);
}

}  // namespace

json cuda_libraries(const FileRoot& root, const EnvironmentLookup& environment, const std::string& driver) {
  const std::vector<std::string> folders = loader_folders(root, environment);
  json list = json::array();
  for (const Wanted& wanted : all_wanted) {
    for (const File& file : files_of(root, places_of(wanted, root, environment, folders))) {
      list.push_back(library(root, wanted, file, driver));
      deny_unknown(root, list.back(), list.size() - 1);
    }
  }
  return list;
}

}  // namespace warpmark
