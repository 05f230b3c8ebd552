// SPDX-License-Identifier: Apache-2.0
#include "harness/dynlib/library.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

TEST(Library, IsTheFirstThatTheLoaderFinds) {
  const Library maths = Library::open({"libnone-such.so.1", "libm.so.6"}, "");
  EXPECT_THAT(maths.path(), HasSubstr("libm.so.6"));
  EXPECT_DOUBLE_EQ(maths.function<double(double)>("cbrt")(27), 3);
}

TEST(Library, SaysWhatItTriedAndWhatToInstall) {
  const auto open = [] { (void)Library::open({"libnone-such.so.1", "libnone-such.so"}, "install none-such"); };
  EXPECT_THAT(complaint(open), AllOf(HasSubstr("libnone-such.so.1, libnone-such.so"), HasSubstr("install none-such")));
}

TEST(Library, ThatIsThereAndDamagedIsNotAbsent) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "libdamaged.so.1";
  std::ofstream(path) << "no library";
  const auto open = [&] { (void)Library::open({path, "libm.so.6"}, "install it again"); };
  EXPECT_THAT(complaint(open), AllOf(HasSubstr(path + " cannot be loaded: "), HasSubstr("; install it again")));
  EXPECT_THROW(Library::open({path}, ""), Unsupported);
  try {
    (void)Library::open({path}, "");
  } catch (const LibraryMissing&) {
    FAIL() << "a damaged file passed for none";
  } catch (const Unsupported&) {
  }
  std::filesystem::remove(path);
  EXPECT_THROW(Library::open({path}, ""), LibraryMissing);
}

TEST(Library, SaysWhichFunctionItLacks) {
  const Library maths = Library::open({"libm.so.6"}, "");
  const auto find = [&] { (void)maths.function<void()>("none_such"); };
  EXPECT_THAT(complaint(find), AllOf(HasSubstr("libm.so.6"), HasSubstr("none_such")));
}

}  // namespace
}  // namespace warpmark
