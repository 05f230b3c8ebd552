// SPDX-License-Identifier: Apache-2.0
// Which device code which chips and drivers take: the rules, and the product's own images under them.
#include <string>

#include "embedded/stream_kernels_code.h"
#include "tests/fakes/machine/image.h"
#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

constexpr ChipAndDriver h200_580{.major = 9, .minor = 0, .driver_version = 13000};
constexpr ChipAndDriver h200_550{.major = 9, .minor = 0, .driver_version = 12040};

std::string ptx(const std::string& version, const std::string& target) {
  return ".version " + version + "\n.target " + target + "\n.visible .entry k()\n";
}

CUresult serve(const std::string& text, const ChipAndDriver& on) { return DeviceImages(text.c_str()).serve(on); }

TEST(Images, PtxServesItsChipAndLaterOnes) {
  EXPECT_EQ(CUDA_SUCCESS, serve(ptx("8.0", "sm_75"), h200_580));
  EXPECT_EQ(CUDA_SUCCESS, serve(ptx("8.0", "sm_90"), h200_580));
  EXPECT_EQ(CUDA_ERROR_NO_BINARY_FOR_GPU, serve(ptx("8.0", "sm_100"), h200_580));
  EXPECT_EQ(CUDA_SUCCESS, serve(ptx("8.0", "sm_90a"), h200_580));
  EXPECT_EQ(CUDA_ERROR_NO_BINARY_FOR_GPU, serve(ptx("8.0", "sm_80a"), h200_580)) << "specific to its chip";
}

TEST(Images, PtxMayNotBeNewerThanTheDriver) {
  struct Step {
    int driver;
    const char* taken;
    const char* too_new;
  };
  for (const Step& step : {Step{12000, "8.0", "8.1"}, Step{12020, "8.2", "8.3"}, Step{12040, "8.4", "8.5"},
                           Step{12080, "8.7", "8.8"}, Step{13000, "9.0", "9.1"}}) {
    const ChipAndDriver on{.major = 9, .minor = 0, .driver_version = step.driver};
    EXPECT_EQ(CUDA_SUCCESS, serve(ptx(step.taken, "sm_75"), on)) << step.driver;
    EXPECT_EQ(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, serve(ptx(step.too_new, "sm_75"), on)) << step.driver;
  }
}

TEST(Images, OtherDataAreRefused) {
  EXPECT_THROW((void)DeviceImages("nothing like it"), Refusal);
  EXPECT_THROW((void)DeviceImages(".version of nothing"), Refusal);
}

TEST(Images, NamesAreThoseOfTheText) {
  const std::string text = ptx("8.0", "sm_75");
  const DeviceImages images(text.c_str());
  EXPECT_TRUE(images.has_kernel("k"));
  EXPECT_FALSE(images.has_kernel("kk"));
}

const char* data_of(std::string_view ending) {
  for (const embedded::File& file : embedded::stream_kernels_code())
    if (file.name.ends_with(ending)) return file.text.data();
  ADD_FAILURE() << "the build has no " << ending;
  return test_ptx;
}

/// The first is of the toolkit that built this, which has to be of CUDA 13 for what is expected here.
TEST(Images, MachineCodeOfCuda13IsForDriversOfCuda13) {
  const DeviceImages images(data_of(".fatbin"));
  EXPECT_EQ(CUDA_SUCCESS, images.serve(h200_580));
  EXPECT_EQ(CUDA_ERROR_NO_BINARY_FOR_GPU, images.serve({.major = 7, .minor = 0, .driver_version = 13000}));
  EXPECT_TRUE(images.has_kernel("stream_hold"));
  EXPECT_FALSE(images.has_kernel("stream_hol"));
  if (CUDA_VERSION >= 13000) {
    EXPECT_EQ(CUDA_ERROR_NO_BINARY_FOR_GPU, images.serve(h200_550));
  }
}

TEST(Images, TheProductsPtxServesTheOldestDriver) {
  const DeviceImages images(data_of(".75.ptx"));
  EXPECT_EQ(CUDA_SUCCESS, images.serve({.major = 9, .minor = 0, .driver_version = 12000}));
  EXPECT_TRUE(images.has_kernel("stream_hold"));
}

TEST(Images, LoadingIsLazyAndTheFunctionTellsWhatIsMissing) {
  Rig rig(machine("h200", {{"driver_version", 12020}}));
  const std::string too_new = ptx("9.0", "sm_75");
  CUfunction function = nullptr;
  EXPECT_EQ(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, cuKernelGetFunction(&function, rig.kernel("k", too_new.c_str())));
  const std::string other_chip = ptx("8.0", "sm_100");
  EXPECT_EQ(CUDA_ERROR_NO_BINARY_FOR_GPU, cuKernelGetFunction(&function, rig.kernel("k", other_chip.c_str())));
  CUkernel kernel = nullptr;
  CUlibrary library = nullptr;
  Rig::ok(cuLibraryLoadData(&library, too_new.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "other"));
}

}  // namespace
}  // namespace warpmark::fakes
