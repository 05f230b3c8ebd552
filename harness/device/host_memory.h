// SPDX-License-Identifier: Apache-2.0
// Memory of the host's that copies begin or end in: whole pages on a NUMA node, ordinary, locked, or huge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace warpmark {

enum class PageKind : std::uint8_t {
  ordinary,
  locked,  // mlock: the kernel may not take them away
  huge,    // of 2 MiB, from the reserved pool where it has enough, else transparent ones
};

/// While it lives, pages that the calling thread touches first lie on the node. Throws PermissionDenied where the
/// system forbids to choose one, Skipped where there is no such node.
class OnNode {
 public:
  explicit OnNode(std::optional<int> node);
  ~OnNode();
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;

 private:
  bool bound_ = false;
  int mode_before_ = 0;  // the policy that comes back: MPOL_DEFAULT where it is not known
  std::vector<unsigned long> nodes_before_{};
};

/// Whether the system lets this program choose where its memory lies.
[[nodiscard]] bool may_choose_node();

/// The NUMA node that memory lies on, which has to have been touched; empty where the system does not tell.
[[nodiscard]] std::optional<int> node_of(const void* data);

class HostPages {
 public:
  /// Mapped and touched, every byte 0xff. Throws Skipped where there is not so much, or no page of that kind, and
  /// PermissionDenied with the limit where locking is refused.
  HostPages(std::size_t bytes, PageKind kind, std::optional<int> node);
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// What was really had: "pages", and where it is known "node".
  [[nodiscard]] nlohmann::json about() const;

 private:
  void map_huge(std::size_t wanted);
  void map_small(std::size_t wanted);
  void touch(std::optional<int> node);

  PageKind kind_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool reserved_ = false;  // from the pool of huge pages
};

/// Locks touched memory in place. Throws PermissionDenied with the limit where the system refuses.
void lock_memory(void* data, std::size_t bytes);

/// Ordinary pages that nobody has touched: the first write to each waits for the kernel to find and clear it.
class UntouchedPages {
 public:
  /// Throws Skipped where there is not so much.
  explicit UntouchedPages(std::size_t bytes);
  ~UntouchedPages();
  UntouchedPages(const UntouchedPages&) = delete;
  UntouchedPages& operator=(const UntouchedPages&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_;
  std::size_t bytes_;
};

/// Writes every cache line again with what it holds, so that the next reader finds it as after a producer's work.
void rewrite(void* data, std::size_t bytes);

}  // namespace warpmark
