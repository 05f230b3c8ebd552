// SPDX-License-Identifier: Apache-2.0
#include "harness/device/host_memory.h"

#include <fmt/format.h>
#include <linux/mempolicy.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "harness/core/error.h"
#include "harness/core/units.h"

namespace warpmark {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t line_bytes = 64;
constexpr int most_nodes = 1024;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::string size_text(std::size_t bytes) { return format_bytes(static_cast<double>(bytes)); }

/// Bytes of the mapping that begins at `data` which lie in transparent huge pages, as the kernel counts them.
std::size_t transparent_bytes(const void* data) {
  std::ifstream maps("/proc/self/smaps");
  const std::string start = fmt::format("{:x}-", reinterpret_cast<std::uintptr_t>(data));
  bool is_ours = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.compare(0, start.size(), start) == 0) is_ours = true;
    constexpr std::string_view key = "AnonHugePages:";
    if (is_ours && line.compare(0, key.size(), key) == 0) return std::stoull(line.substr(key.size())) << 10U;
  }
  return 0;
}

void* mapped(std::size_t bytes) {
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    throw Skipped(fmt::format("the system refused {} of memory: {}", size_text(bytes), std::strerror(errno)));
  return data;
}

/// Where huge pages come unasked, ordinary memory would not be what it is named for.
void without_huge_pages(void* data, std::size_t bytes) { (void)madvise(data, bytes, MADV_NOHUGEPAGE); }

std::string lock_limit_text() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return "the limit is not known";
  if (limit.rlim_cur == RLIM_INFINITY) return "no limit is set";
  return fmt::format("the limit is {}", size_text(limit.rlim_cur));
}

}  // namespace

OnNode::OnNode(std::optional<int> node) {
  if (!node) return;
  if (*node < 0 || *node >= most_nodes) throw Skipped(fmt::format("this machine has no NUMA node {}", *node));
  constexpr std::size_t bits = 8 * sizeof(unsigned long);
  std::array<unsigned long, most_nodes / bits> before{};
  int mode = MPOL_DEFAULT;
  if (syscall(SYS_get_mempolicy, &mode, before.data(), most_nodes, nullptr, 0) == 0) {
    mode_before_ = mode;
    nodes_before_.assign(before.begin(), before.end());
  }
  std::array<unsigned long, most_nodes / bits> mask{};
  const auto place = static_cast<std::size_t>(*node);
  mask.at(place / bits) |= 1UL << place % bits;
  if (syscall(SYS_set_mempolicy, MPOL_BIND, mask.data(), most_nodes) == 0) {
    bound_ = true;
    return;
  }
  if (errno == EPERM || errno == ENOSYS)
    throw PermissionDenied(fmt::format(
        "the system does not let this program choose a NUMA node for its memory ({}): in a container, allow "
        "set_mempolicy (docker run --cap-add SYS_NICE)",
        std::strerror(errno)));
  throw Skipped(fmt::format("NUMA node {} has no memory for this program: {}", *node, std::strerror(errno)));
}

OnNode::~OnNode() {
  if (!bound_) return;
  const bool had_nodes =
      std::any_of(nodes_before_.begin(), nodes_before_.end(), [](unsigned long w) { return w != 0; });
  (void)syscall(SYS_set_mempolicy, mode_before_, had_nodes ? nodes_before_.data() : nullptr,
                had_nodes ? most_nodes : 0);
}

bool may_choose_node() {
  int mode = 0;
  return syscall(SYS_get_mempolicy, &mode, nullptr, 0, nullptr, 0) == 0;
}

std::optional<int> node_of(const void* data) {
  int node = -1;
  if (syscall(SYS_get_mempolicy, &node, nullptr, 0, data, MPOL_F_NODE | MPOL_F_ADDR) != 0 || node < 0)
    return std::nullopt;
  return node;
}

HostPages::HostPages(std::size_t bytes, PageKind kind, std::optional<int> node) : kind_(kind) {
  if (kind == PageKind::huge)
    map_huge(rounded_up(bytes, huge_page_bytes));
  else
    map_small(rounded_up(bytes, page_bytes));
  try {
    touch(node);
    if (kind == PageKind::locked) lock_memory(data_, bytes_);
    if (kind == PageKind::huge && !reserved_ && transparent_bytes(data_) < bytes_)
      throw Skipped(
          "the kernel gave huge pages for a part at most: let it (madvise in "
          "/sys/kernel/mm/transparent_hugepage/enabled), or reserve some in /proc/sys/vm/nr_hugepages");
  } catch (...) {
    (void)munmap(data_, bytes_);
    throw;
  }
}

HostPages::~HostPages() { (void)munmap(data_, bytes_); }

void HostPages::map_small(std::size_t wanted) {
  data_ = mapped(wanted);
  bytes_ = wanted;
  without_huge_pages(data_, bytes_);
}

void HostPages::map_huge(std::size_t wanted) {
  void* const pool =
      mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_2MB, -1, 0);
  reserved_ = pool != MAP_FAILED;
  if (reserved_) {
    data_ = pool;
    bytes_ = wanted;
    return;
  }
  // Room to begin on a boundary; what lies before and behind goes back.
  auto* const first = static_cast<std::byte*>(mapped(wanted + huge_page_bytes));
  const std::size_t before =
      rounded_up(reinterpret_cast<std::uintptr_t>(first), huge_page_bytes) - reinterpret_cast<std::uintptr_t>(first);
  if (before > 0) (void)munmap(first, before);
  if (before < huge_page_bytes) (void)munmap(first + before + wanted, huge_page_bytes - before);
  data_ = first + before;
  bytes_ = wanted;
  (void)madvise(data_, bytes_, MADV_HUGEPAGE);  // whether the kernel did is looked up afterwards
}

void HostPages::touch(std::optional<int> node) {
  const OnNode there(node);
  std::memset(data_, 0xff, bytes_);
}

void lock_memory(void* data, std::size_t bytes) {
  if (mlock(data, bytes) == 0) return;
  const int why = errno;
  if (why == ENOMEM || why == EPERM || why == EAGAIN)
    throw PermissionDenied(fmt::format(
        "the system refused to lock {} of memory: {}; raise it (ulimit -l, or docker run --ulimit memlock=-1)",
        size_text(bytes), lock_limit_text()));
  throw Error(fmt::format("mlock of {}: {}", size_text(bytes), std::strerror(why)));
}

nlohmann::json HostPages::about() const {
  nlohmann::json about = {{"pages", kind_ == PageKind::huge
                                        ? (reserved_ ? "huge, of the reserved pool" : "huge, transparent")
                                    : kind_ == PageKind::locked ? "4 KiB, locked"
                                                                : "4 KiB"}};
  if (const auto node = node_of(data_)) about["host_node"] = *node;
  return about;
}

UntouchedPages::UntouchedPages(std::size_t bytes) : data_(mapped(bytes)), bytes_(bytes) {
  without_huge_pages(data_, bytes_);
}
UntouchedPages::~UntouchedPages() { (void)munmap(data_, bytes_); }

void rewrite(void* data, std::size_t bytes) {
  auto* const first = static_cast<volatile unsigned char*>(data);
  for (std::size_t at = 0; at < bytes; at += line_bytes) {
    const unsigned char value = first[at];
    first[at] = value;
  }
}

}  // namespace warpmark
