// SPDX-License-Identifier: Apache-2.0
// Sections of the machine card about the system: host, operating system, control groups.
#include <sys/utsname.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <string_view>

#include "harness/telemetry/cgroup.h"
#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/machine_parts.h"

namespace warpmark::card {
namespace {

using nlohmann::json;

/// A name-based UUID (RFC 9562, version 5) in a namespace of our own. The machine id is random, so that the host name
/// cannot be found by hashing likely ones; it is confidential itself (machine-id(5)), hence the hash.
std::string hashed(const std::string& text) {
  const auto ours = boost::uuids::string_generator()("8b3f2c52-9d0e-4c1e-8a57-2f1f6f0c9e11");
  return "host-" + boost::uuids::to_string(boost::uuids::name_generator_sha1(ours)(text)).substr(0, 8);
}

/// Value of KEY="value" in /etc/os-release.
std::optional<std::string> os_release(const std::string& text, std::string_view key) {
  auto value = value_of(text, key, '=');
  if (!value || value->empty()) return std::nullopt;
  const char quote = value->front();
  if (value->size() >= 2 && (quote == '"' || quote == '\'') && value->back() == quote) {
    value = value->substr(1, value->size() - 2);
  }
  return std::string(*value);
}

std::optional<std::string> architecture(const FileRoot& root) {
  auto arch = root.read("/proc/sys/kernel/arch");  // Linux 6.1 and later
  utsname name{};
  if (!arch && root.live() && ::uname(&name) == 0) arch = name.machine;
  return arch;
}

json cpu_limit(const FileRoot& root, const CgroupLimits& limits) {
  if (!limits.cpu_unknown.empty()) return known(root, "cgroup.cpu", std::optional<bool>(), limits.cpu_unknown);
  json card{{"limited", limits.quota_cores.has_value()}};
  if (!limits.quota_cores) return card;
  card["cores"] = *limits.quota_cores;
  if (limits.throttling.periods) card["periods"] = *limits.throttling.periods;
  if (limits.throttling.throttled_periods) card["throttled_periods"] = *limits.throttling.throttled_periods;
  if (limits.throttling.throttled_seconds) card["throttled_seconds"] = *limits.throttling.throttled_seconds;
  return card;
}

json memory_limit(const FileRoot& root, const CgroupLimits& limits) {
  if (!limits.memory_unknown.empty()) return known(root, "cgroup.memory", std::optional<bool>(), limits.memory_unknown);
  json card{{"limited", limits.memory_limit_bytes.has_value()}};
  if (limits.memory_limit_bytes) card["bytes"] = *limits.memory_limit_bytes;
  if (limits.memory_free_bytes) card["free_bytes"] = *limits.memory_free_bytes;
  return card;
}

}  // namespace

json host(const FileRoot& root, const std::string& label) {
  if (!label.empty()) return {{"name", label}, {"name_from", "label"}};
  const std::string id = root.read("/etc/machine-id").value_or("");
  const std::string name = root.read("/proc/sys/kernel/hostname").value_or("");
  if (id.empty() && name.empty()) {
    root.deny("host.name", reason(root, "/etc/machine-id") + "; " + reason(root, "/proc/sys/kernel/hostname"));
    return {{"name", nullptr}, {"name_from", "hash"}};
  }
  return {{"name", hashed(id + '\n' + name)}, {"name_from", "hash"}};
}

json os(const FileRoot& root) {
  const std::string release = "/etc/os-release", kernel = "/proc/sys/kernel/osrelease", arch = "/proc/sys/kernel/arch";
  auto text = root.read(release);
  if (!text) text = root.read("/usr/lib/os-release");  // os-release(5): the first that is there counts
  const auto name = text ? os_release(*text, "PRETTY_NAME") : std::nullopt;
  return {{"name", known_from(root, "os.name", name, release)},
          {"kernel", known_from(root, "os.kernel", root.read(kernel), kernel)},
          {"arch", known_from(root, "os.arch", architecture(root), arch)}};
}

json cgroup(const FileRoot& root) {
  const CgroupLimits limits = cgroup_limits(root);
  const auto cpus = limits.cpus ? std::optional(cpu_list_text(*limits.cpus)) : std::nullopt;
  const std::string no_cpuset =
      limits.cpu_unknown.empty() ? "no control group on the way up has a cpuset" : limits.cpu_unknown;
  return {{"version", known(root, "cgroup.version", limits.version, limits.cpu_unknown)},
          {"cpu", cpu_limit(root, limits)},
          {"cpus", known(root, "cgroup.cpus", cpus, no_cpuset)},
          {"memory", memory_limit(root, limits)}};
}

}  // namespace warpmark::card
