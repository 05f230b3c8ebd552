// SPDX-License-Identifier: Apache-2.0
#include "harness/store/durable_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "harness/core/error.h"
#include "tests/harness/store/full_disk.h"
#include "tests/harness/store/refusal.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

std::size_t entries_of(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

auto writing(std::string_view text) {
  return [=](DurableFile& file) { file.write(text); };
}

TEST(DurableFile, GrowsAtItsEnd) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "f";
  {
    DurableFile file = DurableFile::create(path);
    file.write("one,");
    file.write("two");
    file.sync();
    EXPECT_EQ(file.size(), 7U);
    EXPECT_EQ(file.read(), "one,two");
  }
  DurableFile file = DurableFile::open(path);
  file.cut(4);
  file.write("three");
  EXPECT_EQ(text_of_file(path), "one,three");
}

TEST(DurableFile, IsNotCreatedOverAnother) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("f", "mine");
  EXPECT_THROW((void)DurableFile::create(path), std::system_error);
  EXPECT_EQ(text_of_file(path), "mine");
  EXPECT_THROW((void)DurableFile::open(folder.path() / "none"), std::system_error);
  EXPECT_THROW((void)DurableFile::open(folder.path()), std::system_error);
}

TEST(DurableFile, AWriteThatDoesNotFitLeavesNothing) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "f";
  const std::string said = with_file_limit(100, [&] {
    DurableFile file = DurableFile::create(path);
    file.write(std::string(60, 'a'));
    try {
      file.write(std::string(60, 'b'));
    } catch (const std::system_error& error) {
      file.write(std::string(40, 'c'));
      return error.code().message();
    }
    return std::string("it fitted");
  });
  EXPECT_EQ(said, "File too large");
  EXPECT_EQ(text_of_file(path), std::string(60, 'a') + std::string(40, 'c'));
}

TEST(DurableFile, IsLockedByOneAtATime) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("f", "x");
  DurableFile second = DurableFile::open(path);
  {
    DurableFile first = DurableFile::open(path);
    EXPECT_TRUE(first.lock());
    EXPECT_FALSE(second.lock());
  }
  EXPECT_TRUE(second.lock());
}

TEST(DurableFile, NoChildInheritsIt) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("f", "x");
  const DurableFile file = DurableFile::open(path);
  int found = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry.path(), gone) != fs::canonical(path)) continue;
    ++found;
    EXPECT_NE(::fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(found, 1);
}

TEST(ReplaceFile, MakesAFileAndReplacesOne) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "f";
  replace_file(path, writing("first"));
  EXPECT_EQ(text_of_file(path), "first");
  replace_file(path, writing("2"));
  EXPECT_EQ(text_of_file(path), "2");
  EXPECT_EQ(entries_of(folder.path()), 1U);
}

TEST(ReplaceFile, WritesBesideALongName) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / std::string(255, 'n');
  replace_file(path, writing("x"));
  EXPECT_EQ(text_of_file(path), "x");
}

TEST(ReplaceFile, StepsOverWhatAKilledProcessLeft) {
  const TemporaryFolder folder;
  const std::string left = ".warpmark-" + std::to_string(::getpid()) + "-0.tmp";
  (void)folder.write(left, "left over");
  replace_file(folder.path() / "f", writing("x"));
  EXPECT_EQ(text_of_file(folder.path() / "f"), "x");
  EXPECT_EQ(text_of_file(folder.path() / left), "left over");
}

TEST(ReplaceFile, FollowsALinkAndKeepsIt) {
  const TemporaryFolder folder;
  const fs::path real = folder.write("real", "old");
  fs::create_symlink("real", folder.path() / "link");
  replace_file(folder.path() / "link", writing("new"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(text_of_file(real), "new");
}

TEST(ReplaceFile, LeavesTheOldFileWhenTheNewOneDoesNotFit) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("f", "old");
  const std::string said = with_file_limit(100, [&] {
    return refusal([&] {
      replace_file(path, [](DurableFile& file) {
        file.write(std::string(60, 'a'));
        file.write(std::string(60, 'b'));
      });
    });
  });
  EXPECT_EQ(said, path.string() + ": cannot be written: File too large");
  EXPECT_EQ(text_of_file(path), "old");
  EXPECT_EQ(entries_of(folder.path()), 1U) << "the temporary file is gone";
}

TEST(ReplaceFile, LeavesTheOldFileWhenTheWriterThrows) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("f", "old");
  const auto fill = [](DurableFile& file) {
    file.write("half");
    throw std::runtime_error("no more");
  };
  EXPECT_THROW(replace_file(path, fill), std::runtime_error);
  EXPECT_EQ(text_of_file(path), "old");
  EXPECT_EQ(entries_of(folder.path()), 1U);
}

TEST(ReplaceFile, RefusesWhatIsNoRegularFile) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal([&] { replace_file(pipe, writing("x")); }), pipe.string() + ": is not a regular file; name one");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(refusal([&] { replace_file(folder.path(), writing("x")); }),
            folder.path().string() + ": is a folder; name a file in it");
}

TEST(ReplaceFile, NamesAFolderThatIsNotThereAndOneThatIsClosed) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "none").string();
  EXPECT_EQ(refusal([&] { replace_file(missing + "/f", writing("x")); }),
            missing + "/f: cannot be written: there is no folder " + missing);
  // /proc takes no files, whoever asks.
  EXPECT_THAT(refusal([&] { replace_file("/proc/f", writing("x")); }),
              testing::StartsWith("/proc/f: cannot be written: "));
}

}  // namespace
}  // namespace warpmark
