// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/container.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

struct Mark {
  const char* path;
  const char* kind;
};

/// The outermost name wins: a pod's containers bear their engine's marks as well.
constexpr std::array<Mark, 6> marks{{{"/run/secrets/kubernetes.io", "kubernetes"},
                                     {"/var/run/secrets/kubernetes.io", "kubernetes"},
                                     {"/run/.containerenv", "podman"},
                                     {"/.dockerenv", "docker"},
                                     {"/.singularity.d", "apptainer"},
                                     {"/dev/lxd/sock", "lxc"}}};

/// Parts of the paths in /proc/self/cgroup: of a container's own group, not of the engine's service.
constexpr std::array<Mark, 8> groups{{{"kubepods", "kubernetes"},
                                      {"libpod", "podman"},
                                      {"/docker/", "docker"},
                                      {"/docker-", "docker"},
                                      {"/lxc/", "lxc"},
                                      {"/lxc.payload", "lxc"},
                                      {"machine.slice/systemd-nspawn", "systemd-nspawn"},
                                      {"/cri-containerd-", "containerd"}}};

struct Mounts {
  std::string disk{};         // device of the root file system when it is a disk's own
  bool by_an_engine = false;  // every engine mounts its own /etc/hosts or /etc/hostname
  bool by_lxcfs = false;
};

Mounts mounts_of(std::string_view mountinfo) {
  Mounts mounts;
  for (const std::string_view line : split(mountinfo, '\n')) {
    const auto fields = words(line);  // id parent major:minor root place options ... - type source options
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 3) continue;
    const std::string_view place = fields[4];
    if (place == "/" && fields[3] == "/" && !fields[2].starts_with("0:")) mounts.disk = dash[2];
    if (place == "/etc/hosts" || place == "/etc/hostname") mounts.by_an_engine = true;
    if (dash[1] == "fuse.lxcfs") mounts.by_lxcfs = true;
  }
  return mounts;
}

Container by_group(const FileRoot& root) {
  const std::string text = root.read("/proc/self/cgroup").value_or("");
  const auto* group =
      std::find_if(groups.begin(), groups.end(), [&](const Mark& g) { return text.find(g.path) != std::string::npos; });
  if (group == groups.end()) return {};
  return {.kind = group->kind, .evidence = std::string("/proc/self/cgroup has ") + group->path};
}

Container by_mark(const FileRoot& root) {
  const auto* mark = std::find_if(marks.begin(), marks.end(),
                                  [&](const Mark& m) { return root.has_file(m.path) || root.has_folder(m.path); });
  if (mark == marks.end()) return {};
  return {.kind = mark->kind, .evidence = std::string(mark->path) + " is there"};
}

/// Written by systemd where it runs as the container's first process, from what the engine told it.
Container by_systemd(const FileRoot& root) {
  const auto text = root.read("/run/systemd/container");
  if (!text || text->empty()) return {};
  return {.kind = text->starts_with("lxc") ? "lxc" : *text, .evidence = "/run/systemd/container: " + *text};
}

}  // namespace

Container container_of(const FileRoot& root) {
  constexpr std::size_t limit_bytes = std::size_t{4} << 20;
  const auto mountinfo = root.read("/proc/self/mountinfo", limit_bytes);
  const Mounts mounts = mountinfo ? mounts_of(*mountinfo) : Mounts{};
  const Container marked = by_mark(root);
  // A microVM may boot from a container's image, marks and all; then its root is a disk, and nobody has mounted files
  // into /etc.
  if (marked.kind == "docker" && !mounts.disk.empty() && !mounts.by_an_engine) {
    return {
        .kind = "none",
        .evidence = marked.evidence + ", but the root is a disk (" + mounts.disk + "): a machine made from an image"};
  }
  for (const Container& found : {marked, by_systemd(root), by_group(root)}) {
    if (!found.kind.empty()) return found;
  }
  if (mounts.by_lxcfs) return {.kind = "lxc", .evidence = "lxcfs is mounted"};
  if (mounts.by_an_engine) return {.evidence = "an engine has mounted /etc/hosts, and left no mark of its name"};
  if (!mountinfo) return {.evidence = root.why_not("/proc/self/mountinfo")};
  return {.kind = "none", .evidence = "no mark of a container engine"};
}

}  // namespace warpmark
