// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/cudnn/real_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace warpmark::fakes {
namespace {

template <class Function>
void find(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

const RealCudnn& real_cudnn() {
  static const RealCudnn functions = [] {
    void* const library = dlopen(WARPMARK_REAL_CUDNN, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "simulated cuDNN: %s\n", dlerror());
      std::abort();
    }
    RealCudnn found;
    find(library, "cudnnGetVersion", found.get_version);
    find(library, "cudnnGetCudartVersion", found.get_cudart_version);
    find(library, "cudnnGetErrorString", found.get_error_string);
    find(library, "cudnnGetLastErrorString", found.get_last_error_string);
    find(library, "cudnnBackendCreateDescriptor", found.create);
    find(library, "cudnnBackendDestroyDescriptor", found.destroy);
    find(library, "cudnnBackendFinalize", found.finalize);
    find(library, "cudnnBackendSetAttribute", found.set);
    find(library, "cudnnBackendGetAttribute", found.get);
    return found;
  }();
  return functions;
}

const CudnnDriver& cudnn_driver() {
  static const CudnnDriver functions = [] {
    CudnnDriver found;
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return found;
    find(library, "cu_simulation_fault", found.fault);
    find(library, "cu_simulation_capability", found.capability);
    find(library, "cu_simulation_launch", found.launch);
    return found;
  }();
  return functions;
}

}  // namespace warpmark::fakes
