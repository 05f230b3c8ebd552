// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cloud.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace warpmark {
namespace {

enum class Match : std::uint8_t { whole, start };

struct Rule {
  std::string Dmi::*field;
  const char* field_name;
  Match match;
  const char* text;
  const char* kind;
};

/// What the makers document, and what cloud-init's ds-identify looks for. The first match counts.
constexpr std::array<Rule, 27> cloud_rules{{
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Amazon EC2", "aws"},
    {&Dmi::bios_version, "bios_version", Match::start, "4.11.amazon", "aws"},  // instances on Xen
    {&Dmi::bios_version, "bios_version", Match::start, "4.2.amazon", "aws"},
    {&Dmi::product_name, "product_name", Match::whole, "Google Compute Engine", "gcp"},
    {&Dmi::chassis_asset_tag, "chassis_asset_tag", Match::whole, "7783-7084-3265-9085-8269-3286-77", "azure"},
    {&Dmi::chassis_asset_tag, "chassis_asset_tag", Match::whole, "OracleCloud.com", "oracle"},
    {&Dmi::chassis_asset_tag, "chassis_asset_tag", Match::whole, "HUAWEICLOUD", "huawei"},
    {&Dmi::chassis_asset_tag, "chassis_asset_tag", Match::whole, "OpenTelekomCloud", "open-telekom"},
    {&Dmi::chassis_asset_tag, "chassis_asset_tag", Match::whole, "SAP CCloud VM", "sap"},
    {&Dmi::product_name, "product_name", Match::start, "Alibaba Cloud", "alibaba"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Alibaba Cloud", "alibaba"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Tencent Cloud", "tencent"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "DigitalOcean", "digitalocean"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Hetzner", "hetzner"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Linode", "akamai"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Akamai", "akamai"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Vultr", "vultr"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Scaleway", "scaleway"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "UpCloud", "upcloud"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "3DS Outscale", "outscale"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "e24cloud", "e24cloud"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "NWCS", "nwcs"},
    {&Dmi::product_name, "product_name", Match::start, "Exoscale", "exoscale"},
    {&Dmi::product_name, "product_name", Match::whole, "CloudSigma", "cloudsigma"},
    {&Dmi::product_name, "product_name", Match::start, "CloudStack", "cloudstack"},
    {&Dmi::product_name, "product_name", Match::whole, "OpenStack Nova", "openstack"},
    {&Dmi::product_name, "product_name", Match::whole, "OpenStack Compute", "openstack"},
}};

/// Bare-metal machines of AWS, Google and Oracle have their makers' names too, so this is read only for virtual ones.
constexpr std::array<Rule, 14> hypervisor_rules{{
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Amazon EC2", "kvm"},  // Nitro
    {&Dmi::product_name, "product_name", Match::whole, "Google Compute Engine", "kvm"},
    {&Dmi::product_name, "product_name", Match::start, "KVM", "kvm"},
    {&Dmi::product_name, "product_name", Match::start, "OpenStack", "kvm"},
    {&Dmi::product_name, "product_name", Match::start, "Alibaba Cloud", "kvm"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "QEMU", "qemu"},
    {&Dmi::sys_vendor, "sys_vendor", Match::start, "VMware", "vmware"},
    {&Dmi::product_name, "product_name", Match::start, "VMware", "vmware"},
    {&Dmi::product_name, "product_name", Match::whole, "VirtualBox", "virtualbox"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "innotek GmbH", "virtualbox"},
    {&Dmi::sys_vendor, "sys_vendor", Match::whole, "Xen", "xen"},
    {&Dmi::sys_vendor, "sys_vendor", Match::start, "Parallels", "parallels"},
    {&Dmi::product_name, "product_name", Match::whole, "Virtual Machine", "hyperv"},
    {&Dmi::product_name, "product_name", Match::start, "BHYVE", "bhyve"},
}};

bool holds(const Rule& rule, const Dmi& dmi) {
  const std::string_view value = dmi.*rule.field;
  return rule.match == Match::whole ? value == rule.text : value.starts_with(rule.text);
}

template <std::size_t count>
Origin first_match(const std::array<Rule, count>& rules, const Dmi& dmi) {
  const auto* rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return holds(r, dmi); });
  if (rule == rules.end()) return {};
  return {.kind = rule->kind, .evidence = std::string("DMI ") + rule->field_name + ": " + dmi.*rule->field};
}

/// cpuid leaf 0x40000000 has the hypervisor's signature in EBX, ECX and EDX.
Origin hypervisor_by_cpuid() {
#if defined(__x86_64__)
  struct Signature {
    std::string_view text;
    const char* kind;
  };
  constexpr std::array<Signature, 8> signatures{{{"KVMKVMKVM", "kvm"},
                                                 {"Linux KVM Hv", "kvm"},
                                                 {"XenVMMXenVMM", "xen"},
                                                 {"VMwareVMware", "vmware"},
                                                 {"Microsoft Hv", "hyperv"},
                                                 {"TCGTCGTCGTCG", "qemu"},
                                                 {"bhyve bhyve ", "bhyve"},
                                                 {"ACRNACRNACRN", "acrn"}}};
  std::array<unsigned, 4> registers{};
  __cpuid(0x40000000, registers[0], registers[1], registers[2], registers[3]);
  std::array<char, 13> text{};
  std::memcpy(text.data(), registers.data() + 1, 12);
  const std::string_view signature(text.data());
  const auto* found =
      std::find_if(signatures.begin(), signatures.end(), [&](const Signature& s) { return s.text == signature; });
  if (found != signatures.end()) return {found->kind, "cpuid signature: " + std::string(signature)};
#endif
  return {};
}

}  // namespace

Origin cloud_of(const FileRoot& root, const Dmi& dmi) {
  Origin cloud = first_match(cloud_rules, dmi);
  if (!cloud.kind.empty()) return cloud;
  if (root.read("/sys/hypervisor/uuid").value_or("").starts_with("ec2")) {
    return {.kind = "aws", .evidence = "/sys/hypervisor/uuid starts with ec2"};
  }
  if (dmi.empty()) {
    const std::string why = root.why_not("/sys/class/dmi/id/sys_vendor");
    return {.evidence = why.empty() ? "DMI has no text" : why};
  }
  return {.evidence = "no known provider in DMI (" + dmi.sys_vendor + ", " + dmi.product_name + ")"};
}

Origin instance_type_of(const Origin& cloud, const Dmi& dmi) {
  if (cloud.kind.empty()) return {.evidence = cloud.evidence};
  const bool has_type = cloud.kind == "aws" && dmi.product_name.find('.') != std::string::npos;  // "p5.48xlarge"
  if (!has_type) return {.evidence = "DMI of " + cloud.kind + " does not have it"};
  return {.kind = dmi.product_name, .evidence = "DMI product_name"};
}

Origin hypervisor_of(const FileRoot& root, const Dmi& dmi, const CpuModel& cpu) {
  const std::string kernel = root.read("/proc/sys/kernel/osrelease").value_or("");
  if (kernel.find("microsoft") != std::string::npos) return {.kind = "wsl2", .evidence = "kernel " + kernel};
  if (!cpu.flags) {
    const std::string why = cpu.unknown.empty() ? "/proc/cpuinfo has no flags" : cpu.unknown;
    return {.evidence = why};
  }
  const bool flag = cpu.has("hypervisor");
  Origin named = first_match(hypervisor_rules, dmi);
  const bool x86 = cpu.vendor.has_value();  // other architectures have no such flag
  if (x86 && !flag) return {.kind = "none", .evidence = "no hypervisor flag in /proc/cpuinfo"};
  if (!named.kind.empty()) return named;
  if (root.read("/sys/hypervisor/type").value_or("") == "xen") return {"xen", "/sys/hypervisor/type"};
  if (x86 && root.live()) named = hypervisor_by_cpuid();
  if (!named.kind.empty()) return named;
  return {.evidence = flag ? "virtual by the hypervisor flag, of unknown kind" : "no mark of a hypervisor to look for"};
}

}  // namespace warpmark
