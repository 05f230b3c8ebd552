// SPDX-License-Identifier: Apache-2.0
// Where CUDA libraries are looked for, on a made file system.
#include "harness/dynlib/cuda_libraries.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using testing::ElementsAre;

constexpr const char* soname = "libcublasLt.so.13";

class CudaLibraries : public testing::Test {
 protected:
  void put(const std::string& file) const {
    std::filesystem::create_directories((root_.path() / file).parent_path());
    (void)root_.write(file, "");
  }
  void put_library(const std::string& folder) const { put(folder + "/" + soname); }
  void set(const std::string& name, const std::string& value) { environment_[name] = value; }

  /// What is tried after the soname itself, as folders below the root.
  [[nodiscard]] std::vector<std::string> folders() const {
    const auto lookup = [this](const char* name) {
      const auto found = environment_.find(name);
      return found == environment_.end() ? nullptr : found->second.c_str();
    };
    std::vector<std::string> all = cuda_library_candidates(soname, lookup, root_.path());
    EXPECT_EQ(all.front(), soname) << "the loader's own path comes first";
    all.erase(all.begin());
    for (std::string& file : all)
      file = std::filesystem::path(file).parent_path().lexically_relative(root_.path()).string();
    return all;
  }

  TemporaryFolder root_{};
  std::map<std::string, std::string> environment_{};
};

TEST_F(CudaLibraries, AreOnlyTheLoadersWhereNothingIsThere) { EXPECT_THAT(folders(), ElementsAre()); }

TEST_F(CudaLibraries, OfToolkitsComeInTheOrderOfTheirNaming) {
  put_library("usr/local/cuda/lib64");
  put_library("usr/local/cuda-13.0/targets/x86_64-linux/lib");
  put_library("opt/by_path/lib64");
  put_library("opt/by_home/targets/x86_64-linux/lib");
  put_library("usr/local/lib64");  // no toolkit
  set("CUDA_HOME", "/opt/by_home");
  set("CUDA_PATH", "/opt/by_path");
  EXPECT_THAT(folders(), ElementsAre("opt/by_home/targets/x86_64-linux/lib", "opt/by_path/lib64",
                                     "usr/local/cuda/lib64", "usr/local/cuda-13.0/targets/x86_64-linux/lib"));
}

TEST_F(CudaLibraries, OfPythonComeAfterToolkits) {
  put_library("venv/lib/python3.11/site-packages/nvidia/cu13/lib");
  put_library("conda/lib/python3.12/site-packages/nvidia/cublas/lib");
  put_library("usr/lib/python3/dist-packages/nvidia/cublas/lib");
  put_library("usr/local/lib/python3.11/dist-packages/nvidia/cu13/lib");
  put_library("usr/local/cuda/lib64");
  put("usr/bin/python3");
  set("VIRTUAL_ENV", "/venv");
  set("CONDA_PREFIX", "/conda");
  set("PATH", "/nowhere:/usr/bin:/bin");
  EXPECT_THAT(folders(), ElementsAre("usr/local/cuda/lib64", "venv/lib/python3.11/site-packages/nvidia/cu13/lib",
                                     "conda/lib/python3.12/site-packages/nvidia/cublas/lib",
                                     "usr/lib/python3/dist-packages/nvidia/cublas/lib",
                                     "usr/local/lib/python3.11/dist-packages/nvidia/cu13/lib"));
}

TEST_F(CudaLibraries, OfPythonAreThoseOfTheFirstOneOnThePath) {
  put("first/bin/python3");
  put("second/bin/python3");
  put_library("second/lib/python3.11/site-packages/nvidia/cu13/lib");
  set("PATH", "/first/bin:/second/bin");
  EXPECT_THAT(folders(), ElementsAre());
  set("PATH", "/second/bin:/first/bin");
  EXPECT_THAT(folders(), ElementsAre("second/lib/python3.11/site-packages/nvidia/cu13/lib"));
}

TEST_F(CudaLibraries, AreNeverStubsOrCompatibilityCopies) {
  put_library("compat/stubs/cuda/lib64");
  put_library("true/stubs");
  put_library("true/compat");
  put_library("true/good");
  for (const char* const kind : {"stubs", "compat", "good"}) {
    const auto folder = root_.path() / "opt" / kind;
    std::filesystem::create_directories(folder);
    std::filesystem::create_directory_symlink(root_.path() / "true" / kind, folder / "lib64");
  }
  set("CUDA_HOME", "/opt/stubs");
  set("CUDA_PATH", "/opt/compat");
  EXPECT_THAT(folders(), ElementsAre());
  set("CUDA_PATH", "/opt/good");
  EXPECT_THAT(folders(), ElementsAre("opt/good/lib64"));
  set("CUDA_PATH", "/compat/stubs/cuda");
  EXPECT_THAT(folders(), ElementsAre("compat/stubs/cuda/lib64")) << "a name further up says nothing";
}

#if defined(__x86_64__)
TEST_F(CudaLibraries, AreNeverThoseOfOtherMachines) {
  put_library("usr/local/cuda/targets/sbsa-linux/lib");
  EXPECT_THAT(folders(), ElementsAre());
}
#endif

TEST_F(CudaLibraries, AreEachTriedOnce) {
  put_library("usr/local/cuda-13.0/targets/x86_64-linux/lib");
  std::filesystem::create_directory_symlink("targets/x86_64-linux/lib", root_.path() / "usr/local/cuda-13.0/lib64");
  std::filesystem::create_directory_symlink("cuda-13.0", root_.path() / "usr/local/cuda");
  set("CUDA_HOME", "/usr/local/cuda");
  EXPECT_THAT(folders(), ElementsAre("usr/local/cuda/lib64"));
}

TEST_F(CudaLibraries, OfTheEnvironmentAreTakenFromAbsoluteFoldersOnly) {
  put_library("opt/cuda/lib64");
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(root_.path() / "opt");
  for (const char* const value : {"", "cuda", "./cuda", "../opt/cuda", "~/cuda", ":/opt/cuda"}) {
    set("CUDA_HOME", value);
    set("VIRTUAL_ENV", value);
    set("PATH", value);
    EXPECT_THAT(folders(), ElementsAre()) << value;
  }
  std::filesystem::current_path(here);
  set("CUDA_HOME", "/opt/cuda");
  EXPECT_THAT(folders(), ElementsAre("opt/cuda/lib64"));
  set("CUDA_HOME", "/../../opt/./other/../cuda");
  EXPECT_THAT(folders(), ElementsAre("opt/cuda/lib64")) << "nothing leaves the root";
}

TEST_F(CudaLibraries, AreFiles) {
  std::filesystem::create_directories(root_.path() / "usr/local/cuda/lib64" / soname);
  put("usr/local/cuda/targets");  // where a folder should be
  set("CUDA_HOME", std::string("/usr/\0local", 11));
  set("CUDA_PATH", std::string(100000, '/') + "x");
  EXPECT_THAT(folders(), ElementsAre());
}

}  // namespace
}  // namespace warpmark
