// SPDX-License-Identifier: Apache-2.0
// An NVTX injection library: loaded by NVTX itself (NVTX_INJECTION64_PATH), it writes what the program tells NVTX into
// the file that TEST_NVTX_LOG names, one event per line, its fields set apart by tabs.
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

struct State {
  std::mutex guard{};
  std::map<std::uintptr_t, std::string> domains{}, strings{};
  std::uintptr_t last_handle = 0;
};

State& state() {
  static auto* const all = new State;  // ranges may end while the program does: never destroyed
  return *all;
}

void log_line(const std::string& line) {
  const char* const path = std::getenv("TEST_NVTX_LOG");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) return;
  (void)std::fputs((std::to_string(gettid()) + "\t" + line + "\n").c_str(), file);
  (void)std::fclose(file);
}

template <class Handle>
Handle new_handle(std::map<std::uintptr_t, std::string>& names, const char* name) {
  const std::scoped_lock lock(state().guard);
  names[++state().last_handle] = name;
  return reinterpret_cast<Handle>(state().last_handle);  // NOLINT(performance-no-int-to-ptr): opaque to the program
}

template <class Handle>
std::string name_of(const std::map<std::uintptr_t, std::string>& names, Handle handle) {
  const std::scoped_lock lock(state().guard);
  const auto found = names.find(reinterpret_cast<std::uintptr_t>(handle));
  return found == names.end() ? "?" : found->second;
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  return new_handle<nvtxDomainHandle_t>(state().domains, name);
}

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t domain, const char* text) {
  log_line("register\t" + name_of(state().domains, domain) + "\t" + text);
  return new_handle<nvtxStringHandle_t>(state().strings, text);
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  const bool registered = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  log_line("push\t" + name_of(state().domains, domain) + "\t" + (registered ? "registered" : "other") + "\t" +
           (registered ? name_of(state().strings, attributes->message.registered) : std::string("?")));
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  log_line("pop\t" + name_of(state().domains, domain));
  return 0;
}

template <class Function>
void answer(NvtxFunctionTable table, int id, Function* function) {
  *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

// The name is NVTX's.
extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {  // NOLINT(readability-identifier-naming)
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  answer(table, NVTX_CBID_CORE2_DomainCreateA, create_domain);
  answer(table, NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  answer(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
  answer(table, NVTX_CBID_CORE2_DomainRangePop, pop);
  return 1;
}
