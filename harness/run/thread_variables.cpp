// SPDX-License-Identifier: Apache-2.0
#include "harness/run/thread_variables.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {
namespace {

constexpr std::array<std::string_view, 3> prefixes{"OMP_", "GOMP_", "KMP_"};
constexpr std::array<std::string_view, 2> names{"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS"};
// Ours: harness/run/process.cpp gives it to every worker.
constexpr std::string_view given_by_us = "GOMP_SPINCOUNT";

bool steers_threads(std::string_view name) {
  if (name == given_by_us) return false;
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view each) { return name.starts_with(each); });
}

cpu_set_t cpus_at_start;

// Runs before the initialisers of shared libraries, and so before a runtime can narrow the CPUs; sanitizers are not
// there yet.
__attribute__((no_sanitize("address", "thread", "undefined"))) void note_cpus(int, char**, char**) {
  (void)sched_getaffinity(0, sizeof cpus_at_start, &cpus_at_start);
}
__attribute__((section(".preinit_array"), used)) void (*const before_libraries)(int, char**, char**) = note_cpus;

}  // namespace

void drop_thread_variables(char** arguments) {
  std::vector<std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (steers_threads(name)) found.emplace_back(name);
  }
  if (found.empty()) return;
  for (const std::string& name : found) (void)unsetenv(name.c_str());
  if (sched_setaffinity(0, sizeof cpus_at_start, &cpus_at_start) == 0) (void)execv("/proc/self/exe", arguments);
}

}  // namespace warpmark
