// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/file_root.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/telemetry/kernel_text.h"
#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Root may read everything, so a test of permissions is somebody else while it lasts.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0), changed_(!was_root_ || ::seteuid(65534) == 0) {}
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() {
    if (was_root_ && ::seteuid(0) != 0) std::abort();
  }
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  bool was_root_;
  bool changed_;
};

/// Bytes that this process has read so far, by the kernel's count.
std::int64_t bytes_read() {
  const auto io = FileRoot().read("/proc/self/io");
  return io ? integer(value_of(*io, "rchar", ':').value_or("")).value_or(-1) : -1;
}

TEST(FileRootRead, TrimsBlanksLineEndsAndNuls) {
  const Tree tree;
  tree.write("/a", std::string_view(" two words\n\0", 12));
  EXPECT_EQ(tree.root().read("/a"), "two words");
  EXPECT_EQ(tree.root().read_bytes("/a", 100), std::string(" two words\n\0", 12));
}

TEST(FileRootRead, TellsAnEmptyFileFromNone) {
  const Tree tree;
  tree.write("/empty", "");
  const FileRoot root = tree.root();
  EXPECT_EQ(root.read("/empty"), "");
  EXPECT_EQ(root.read("/none"), std::nullopt);
  EXPECT_EQ(root.why_not("/empty"), "");
  EXPECT_EQ(root.why_not("/none"), "/none: not there");
}

TEST(FileRootRead, NamesTheFirstPartThatIsNotThere) {
  const Tree tree;
  tree.folder("/sys/class");
  const FileRoot root = tree.root();
  EXPECT_EQ(root.read("/sys/class/dmi/id/sys_vendor"), std::nullopt);
  EXPECT_EQ(root.why_not("/sys/class/dmi/id/sys_vendor"), "/sys/class/dmi: not there");
  EXPECT_TRUE(root.is_missing("/sys/class/dmi/id/sys_vendor"));
}

TEST(FileRootRead, TellsPermissionDeniedFromNotThere) {
  const Tree tree;
  tree.write("/secret", "x");
  tree.write("/open", "y");
  ::chmod(tree.outside().c_str(), 0755);
  ::chmod(tree.on_disk("/secret").c_str(), 0);
  const FileRoot root = tree.root();
  const AsNobody nobody;
  if (!nobody.changed()) GTEST_SKIP() << "this user may not become another";
  EXPECT_EQ(root.read("/open"), "y");
  EXPECT_EQ(root.read("/secret"), std::nullopt);
  EXPECT_EQ(root.why_not("/secret"), "/secret: permission denied");
  EXPECT_FALSE(root.is_missing("/secret"));
}

TEST(FileRootRead, RefusesALargeFileWithoutReadingIt) {
  const Tree tree;
  tree.write("/proc/cpuinfo", "");
  std::filesystem::resize_file(tree.on_disk("/proc/cpuinfo"), 100 << 20);
  const FileRoot root = tree.root();
  const std::int64_t before = bytes_read();
  EXPECT_EQ(root.read("/proc/cpuinfo"), std::nullopt);
  const std::int64_t after = bytes_read();
  EXPECT_EQ(root.why_not("/proc/cpuinfo"), "/proc/cpuinfo: refused: larger than 65536 bytes");
  if (before >= 0) {  // some kernels do not count
    EXPECT_LT(after - before, 1 << 20);
  }
}

TEST(FileRootRead, TakesAFileOfExactlyTheLimit) {
  const Tree tree;
  tree.write("/a", "12345678");
  EXPECT_EQ(tree.root().read("/a", 8), "12345678");
  EXPECT_EQ(tree.root().read("/a", 7), std::nullopt);
}

TEST(FileRootRead, RefusesASymlinkOutOfTheRoot) {
  const Tree tree;
  std::ofstream(tree.outside() / "secret") << "not yours";
  tree.link("/relative", "../secret");
  tree.link("/absolute", tree.outside() / "secret");
  tree.link("/folder", "..");
  const FileRoot root = tree.root();
  for (const char* path : {"/relative", "/absolute", "/folder/secret", "/../secret"}) {
    EXPECT_EQ(root.read(path), std::nullopt) << path;
    EXPECT_EQ(root.why_not(path), std::string(path) + ": refused: a symlink leads out of the root");
  }
  EXPECT_THAT(root.list("/folder"), IsEmpty());
  EXPECT_FALSE(root.has_file("/absolute"));
}

TEST(FileRootRead, FollowsASymlinkWithinTheRoot) {
  const Tree tree;
  tree.write("/usr/lib/os-release", "yes");
  tree.link("/etc/os-release", "../usr/lib/os-release");
  EXPECT_EQ(tree.root().read("/etc/os-release"), "yes");
}

TEST(FileRootRead, DoesNotTakeAFolderWithTheSameBeginningForTheRoot) {
  const Tree tree;  // .../root
  std::filesystem::create_directory(tree.outside() / "root2");
  std::ofstream(tree.outside() / "root2" / "a") << "not yours";
  tree.link("/a", "../root2/a");
  EXPECT_EQ(tree.root().read("/a"), std::nullopt);
}

TEST(FileRootRead, RefusesAPipeInsteadOfWaitingForIt) {
  const Tree tree;
  ASSERT_EQ(::mkfifo(tree.on_disk("/pipe").c_str(), 0600), 0);
  const FileRoot root = tree.root();
  EXPECT_EQ(root.read("/pipe"), std::nullopt);
  EXPECT_EQ(root.why_not("/pipe"), "/pipe: refused: not a regular file");
}

TEST(FileRootRead, ForgetsAFailureThatHasPassed) {
  const Tree tree;
  const FileRoot root = tree.root();
  EXPECT_EQ(root.read("/a"), std::nullopt);
  tree.write("/a", "now");
  EXPECT_EQ(root.read("/a"), "now");
  EXPECT_EQ(root.why_not("/a"), "");
}

TEST(FileRootList, SortsNamesAndSaysWhyThereAreNone) {
  const Tree tree;
  tree.write("/d/b", "");
  tree.write("/d/a", "");
  tree.folder("/d/c");
  const FileRoot root = tree.root();
  EXPECT_THAT(root.list("/d"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(root.list("/e"), IsEmpty());
  EXPECT_EQ(root.why_not("/d"), "");
  EXPECT_EQ(root.why_not("/e"), "/e: not there");
}

TEST(FileRootHasFile, DoesNotTakeAFolderForAFile) {
  const Tree tree;
  tree.folder("/dev/nvidia0");
  tree.write("/dev/nvidia1", "");
  const FileRoot root = tree.root();
  EXPECT_FALSE(root.has_file("/dev/nvidia0"));
  EXPECT_TRUE(root.has_folder("/dev/nvidia0"));
  EXPECT_TRUE(root.has_file("/dev/nvidia1"));
  EXPECT_FALSE(root.has_folder("/dev/nvidia1"));
}

TEST(FileRootLinkName, NeedsNoTarget) {
  const Tree tree;
  tree.link("/device/driver", "../../bus/pci/drivers/nvidia");
  tree.write("/device/plain", "");
  const FileRoot root = tree.root();
  EXPECT_EQ(root.link_name("/device/driver"), "nvidia");
  EXPECT_EQ(root.link_name("/device/plain"), std::nullopt);
  EXPECT_EQ(root.link_name("/device/none"), std::nullopt);
}

TEST(FileRootResolved, IsWhereThePathLeadsWithinTheRoot) {
  const Tree tree;
  tree.write("/usr/lib/libx.so.1.2", "");
  tree.link("/usr/lib/libx.so.1", "libx.so.1.2");
  tree.link("/lib", "usr/lib");
  tree.link("/usr/lib/out", "/etc/passwd");
  const FileRoot root = tree.root();
  EXPECT_EQ(root.resolved("/lib/libx.so.1"), "/usr/lib/libx.so.1.2");
  EXPECT_EQ(root.resolved("/lib/libx.so.2"), std::nullopt);
  EXPECT_EQ(root.resolved("/lib/out"), std::nullopt);
}

TEST(FileRootDenied, KeepsEachFactOnceAndAddsRefusedFilesOfNoFact) {
  const Tree tree;
  tree.write("/large", "123456789");
  const FileRoot root = tree.root();
  EXPECT_EQ(root.fact("cpu.governor", "/none"), std::nullopt);
  root.deny("cpu.governor", "again");
  EXPECT_EQ(root.read("/also/none"), std::nullopt);  // no fact, and nothing odd about it
  EXPECT_EQ(root.read("/large", 3), std::nullopt);
  const auto denied = root.denied();
  ASSERT_EQ(denied.size(), 2U);
  EXPECT_EQ(denied[0].what, "cpu.governor");
  EXPECT_EQ(denied[0].why, "/none: not there");
  EXPECT_EQ(denied[1].what, "/large");
  EXPECT_EQ(denied[1].why, "refused: larger than 3 bytes");
}

TEST(FileRootLive, IsOnlyTheRootItself) {
  const Tree tree;
  EXPECT_TRUE(FileRoot().live());
  EXPECT_FALSE(tree.root().live());
}

}  // namespace
}  // namespace warpmark
