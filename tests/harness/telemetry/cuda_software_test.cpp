// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cuda_software.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CudaSoftware : public ::testing::Test {
 protected:
  /// A library as it is installed: the file, and its soname as a link to it.
  void install(const std::string& folder, const std::string& soname, const std::string& file) const {
    tree_.write(folder + '/' + file, "not a library");
    if (soname != file) tree_.link(folder + '/' + soname, file);
  }
  [[nodiscard]] json found(const std::string& driver) const {
    return cuda_libraries(
        tree_.root(),
        [this](const char* name) {
          const auto value = environment_.find(name);
          return value == environment_.end() ? nullptr : value->second.c_str();
        },
        driver);
  }

  Tree tree_{};
  std::map<std::string, std::string> environment_{};
};

constexpr const char* system_folder = "/usr/lib/x86_64-linux-gnu";

TEST_F(CudaSoftware, IsVersionAndPathByTheFilesName) {
  install("/usr/local/cuda-13.0/lib64", "libcublasLt.so.13", "libcublasLt.so.13.0.2.14");
  EXPECT_EQ(found("580.65.06"), json::parse(R"([{"name":"cublasLt","version":"13.0.2.14","supported":true,
                                                 "path":"/usr/local/cuda-13.0/lib64/libcublasLt.so.13"}])"));
  EXPECT_THAT(CudaSoftware::found(""), ::testing::SizeIs(1));
}

TEST_F(CudaSoftware, IsNoneWhereNothingIsInstalled) { EXPECT_EQ(found("580.65.06"), json::array()); }

TEST_F(CudaSoftware, FollowsTheDriverByMajorVersion) {
  install("/usr/local/cuda/lib64", "libcublasLt.so.13", "libcublasLt.so.13.0.2.14");
  install("/usr/local/cuda/lib64", "libcublasLt.so.12", "libcublasLt.so.12.4.5.8");
  const json on_r535 = found("535.104.05");
  EXPECT_EQ(on_r535[0]["supported"], false);
  EXPECT_EQ(on_r535[0]["why"], "CUDA 13 needs driver R580 or later, and 535.104.05 is loaded");
  EXPECT_EQ(on_r535[1]["supported"], true);
  EXPECT_FALSE(on_r535[1].contains("why"));
  EXPECT_EQ(found("580.65.06")[0]["supported"], true);
  EXPECT_EQ(found("470.82.01")[1]["supported"], false);
  EXPECT_EQ(found("")[0]["supported"], nullptr);
  EXPECT_EQ(found("")[0]["why"], "the driver's version is not known");
}

TEST_F(CudaSoftware, OfPythonHasTheVersionOfItsPackage) {
  const std::string site = "/env/lib/python3.11/site-packages";
  environment_["VIRTUAL_ENV"] = "/env";
  install(site + "/nvidia/cublas/lib", "libcublasLt.so.12", "libcublasLt.so.12");
  install(site + "/nvidia/cudnn/lib", "libcudnn.so.9", "libcudnn.so.9");
  tree_.folder(site + "/nvidia_cublas_cu12-12.4.5.8.dist-info");
  tree_.folder(site + "/nvidia_cudnn_cu13-9.13.0.50.dist-info");
  tree_.folder(site + "/nvidia_cudnn_frontend-1.5.dist-info");
  const json libraries = found("535.104.05");
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0]["version"], "12.4.5.8");
  EXPECT_EQ(libraries[1]["version"], "9.13.0.50");
  EXPECT_EQ(libraries[1]["supported"], false);  // it was built for CUDA 13
}

TEST_F(CudaSoftware, WhoseBuildIsNotToBeSeenIsUnknownWithAReason) {
  install(system_folder, "libnccl.so.2", "libnccl.so.2.21.5");
  const FileRoot root = tree_.root();
  const json libraries = cuda_libraries(root, {}, "535.104.05");
  EXPECT_EQ(libraries[0]["version"], "2.21.5");
  EXPECT_EQ(libraries[0]["supported"], nullptr);
  ASSERT_EQ(root.denied().size(), 1U);
  EXPECT_EQ(root.denied()[0].what, "software.libraries.0.supported");
  EXPECT_EQ(found("580.65.06")[0]["supported"], true);  // which serves either
}

TEST_F(CudaSoftware, OfTheDriverHasToBeOfTheModulesVersion) {
  install(system_folder, "libcuda.so.1", "libcuda.so.580.65.06");
  EXPECT_EQ(found("580.65.06")[0]["supported"], true);
  const json after_an_upgrade = found("575.57.08");
  EXPECT_EQ(after_an_upgrade[0]["supported"], false);
  EXPECT_THAT(after_an_upgrade[0]["why"].get<std::string>(), HasSubstr("the kernel has driver 575.57.08: restart"));
}

TEST_F(CudaSoftware, OfTheDriverHasNoVersionByTheNumberOfItsInterface) {
  install("/usr/local/nvidia/lib64", "libcuda.so.1", "libcuda.so.1");
  const FileRoot root = tree_.root();
  const json libraries = cuda_libraries(root, {}, "580.65.06");
  EXPECT_EQ(libraries[0]["version"], nullptr);
  EXPECT_EQ(libraries[0]["supported"], nullptr);
  EXPECT_EQ(root.denied().size(), 2U);
}

TEST_F(CudaSoftware, SeesStubsAndCopiesForOlderDrivers) {
  environment_["LD_LIBRARY_PATH"] = "/usr/local/cuda/lib64/stubs::relative:/usr/local/cuda/compat";
  install("/usr/local/cuda/lib64/stubs", "libcuda.so.1", "libcuda.so");
  install("/usr/local/cuda/compat", "libcuda.so.1", "libcuda.so.580.65.06");
  const json libraries = found("535.104.05");
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0]["supported"], false);
  EXPECT_THAT(libraries[0]["why"].get<std::string>(), HasSubstr("stub"));
  EXPECT_EQ(libraries[1]["supported"], nullptr);
  EXPECT_THAT(libraries[1]["why"].get<std::string>(), HasSubstr("data centre GPUs"));
}

TEST_F(CudaSoftware, LooksWhereTheLoaderIsToldToLook) {
  tree_.write("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n");
  tree_.write("/etc/ld.so.conf.d/nvidia.conf", "# theirs\n/opt/nvidia/lib\n");
  install("/opt/nvidia/lib", "libnvidia-ml.so.1", "libnvidia-ml.so.580.65.06");
  EXPECT_EQ(found("580.65.06")[0]["path"], "/opt/nvidia/lib/libnvidia-ml.so.1");
  tree_.remove("/etc/ld.so.conf.d/nvidia.conf");
  EXPECT_THAT(found("580.65.06"), IsEmpty());
}

TEST_F(CudaSoftware, OfTwoNamesIsOneFile) {
  install(system_folder, "libnccl.so.2", "libnccl.so.2.21.5");
  tree_.link("/lib", "usr/lib");
  EXPECT_EQ(found("580.65.06").size(), 1U);
}

TEST_F(CudaSoftware, DoesNotLeaveTheRoot) {
  std::filesystem::create_directories(tree_.outside() / "lib");
  std::ofstream(tree_.outside() / "lib/libcublasLt.so.13.1") << "x";
  tree_.link("/usr/local/cuda/lib64/libcublasLt.so.13", tree_.outside() / "lib/libcublasLt.so.13.1");
  EXPECT_THAT(found("580.65.06"), IsEmpty());
}

}  // namespace
}  // namespace warpmark
