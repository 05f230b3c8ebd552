// SPDX-License-Identifier: Apache-2.0
#include "harness/device/host_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "harness/core/error.h"

namespace warpmark {
namespace {

using ::testing::HasSubstr;

template <class Thrown, class Body>
std::string why(const Body& body) {
  try {
    body();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(HostPages, AreTouchedAndPoisoned) {
  const HostPages pages(10'000, PageKind::ordinary, std::nullopt);
  EXPECT_EQ(pages.bytes(), 12'288U);
  const std::vector<unsigned char> poison(pages.bytes(), 0xff);
  EXPECT_EQ(std::memcmp(pages.data(), poison.data(), poison.size()), 0);
  EXPECT_EQ(pages.about().at("pages"), "4 KiB");
}

TEST(HostPages, SayWhichHugePagesTheyAreOrThatThereAreNone) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  try {
    const HostPages pages(huge_page + 1, PageKind::huge, std::nullopt);
    EXPECT_EQ(pages.bytes(), 2 * huge_page);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.data()) % huge_page, 0U);
    EXPECT_THAT(pages.about().at("pages").get<std::string>(), HasSubstr("huge, "));
  } catch (const Skipped& none) {
    EXPECT_THAT(none.what(), HasSubstr("/sys/kernel/mm/transparent_hugepage/enabled"));
  }
}

/// In a process of its own: without privileges, which would lock what they like, and with that limit. Says on stderr
/// why it may not.
[[noreturn]] void lock_as_anybody(rlim_t limit_bytes) {
  constexpr uid_t nobody = 65534;
  const rlimit limit{.rlim_cur = limit_bytes, .rlim_max = limit_bytes};
  if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 || (geteuid() == 0 && setuid(nobody) != 0)) _exit(2);
  const std::string text =
      why<PermissionDenied>([] { const HostPages pages(std::size_t{1} << 20, PageKind::locked, std::nullopt); });
  std::fputs(text.c_str(), stderr);
  _exit(0);
}

TEST(HostPages, ThatMayNotBeLockedNameTheLimit) {
  EXPECT_EXIT(lock_as_anybody(4096), testing::ExitedWithCode(0),
              "refused to lock 1 MiB of memory: the limit is 4 KiB; raise it .ulimit -l");
}

TEST(HostPages, AreLockedWithinTheLimit) {
  EXPECT_EXIT(lock_as_anybody(2 << 20), testing::ExitedWithCode(0), "nothing was thrown");
}

TEST(OnNode, RefusesNodesThatThereAreNot) {
  EXPECT_THAT(why<Skipped>([] { const OnNode node(100'000); }), HasSubstr("no NUMA node 100000"));
  EXPECT_THAT(why<Error>([] { const OnNode node(1000); }),
              ::testing::AnyOf(HasSubstr("NUMA node 1000"), HasSubstr("choose a NUMA node")));
  EXPECT_NO_THROW({ const OnNode none(std::nullopt); });
}

TEST(Rewrite, LeavesEveryByteAsItIs) {
  std::vector<unsigned char> data(1000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i);
  const std::vector<unsigned char> before = data;
  rewrite(data.data(), data.size());
  EXPECT_EQ(data, before);
}

}  // namespace
}  // namespace warpmark
