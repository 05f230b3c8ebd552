// SPDX-License-Identifier: Apache-2.0
#include "harness/profile/range.h"

#ifdef WARPMARK_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>

#include <map>
#include <mutex>
#include <string>
#endif

namespace warpmark {

#ifdef WARPMARK_HAVE_NVTX
namespace {

nvtxDomainHandle_t domain() {
  static nvtxDomainHandle_t const handle = nvtxDomainCreateA("warpmark");
  return handle;
}

// nsys matches registered strings only, unless told otherwise; each is registered once.
nvtxStringHandle_t registered(std::string_view name) {
  static std::mutex guard;
  static std::map<std::string, nvtxStringHandle_t, std::less<>> known;
  const std::scoped_lock lock(guard);
  if (const auto found = known.find(name); found != known.end()) return found->second;
  const std::string text(name);
  return known.emplace(text, nvtxDomainRegisterStringA(domain(), text.c_str())).first->second;
}

}  // namespace

bool nvtx_built_in() { return true; }

Range::Range(std::string_view name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = registered(name);
  nvtxDomainRangePushEx(domain(), &attributes);
}

Range::~Range() { nvtxDomainRangePop(domain()); }
#else
bool nvtx_built_in() { return false; }
Range::Range(std::string_view) {}
Range::~Range() = default;
#endif

}  // namespace warpmark
