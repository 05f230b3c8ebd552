// SPDX-License-Identifier: Apache-2.0
#include "harness/device/host_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

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

/// Nobody in this process may lock more than that while it lives; a privileged process may anyhow.
class LockLimit {
 public:
  explicit LockLimit(rlim_t bytes) {
    (void)getrlimit(RLIMIT_MEMLOCK, &before_);
    const rlimit lower{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    (void)setrlimit(RLIMIT_MEMLOCK, &lower);
  }
  LockLimit(const LockLimit&) = delete;
  LockLimit& operator=(const LockLimit&) = delete;
  ~LockLimit() { (void)setrlimit(RLIMIT_MEMLOCK, &before_); }

 private:
  rlimit before_{};
};

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

TEST(HostPages, ThatMayNotBeLockedNameTheLimit) {
  const LockLimit limit(4096);
  const std::string text =
      why<PermissionDenied>([] { const HostPages pages(std::size_t{1} << 20, PageKind::locked, std::nullopt); });
  if (text == "nothing was thrown") GTEST_SKIP() << "this process may lock what it likes";
  EXPECT_THAT(text, HasSubstr("refused to lock 1 MiB of memory: the limit is 4 KiB; raise it (ulimit -l"));
}

TEST(OnNode, RefusesNodesThatThereAreNot) {
  EXPECT_THAT(why<Skipped>([] { const OnNode node(100'000); }), HasSubstr("no NUMA node 100000"));
  EXPECT_THAT(why<Error>([] { const OnNode node(1000); }),
              ::testing::AnyOf(HasSubstr("NUMA node 1000"), HasSubstr("choose a NUMA node")));
  EXPECT_NO_THROW(OnNode(std::nullopt));
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
