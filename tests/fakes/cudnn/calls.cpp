// SPDX-License-Identifier: Apache-2.0
// The functions of the simulated cuDNN. Descriptors are the real library's; where it would want a GPU, which is behind
// a handle, it is given the properties of the simulated one.
#include "tests/fakes/cudnn/descriptors.h"
#include "tests/fakes/cudnn/real_library.h"

namespace {

using namespace warpmark::fakes;  // NOLINT(google-build-using-namespace): the functions themselves are C's

struct Handle {
  cudaStream_t stream = nullptr;
};

cudnnStatus_t launch(const Handle& handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t arrays) {
  const auto of_plan = shadow_of(plan), of_arrays = shadow_of(arrays);
  if (!of_plan || !of_arrays) return CUDNN_STATUS_BAD_PARAM;
  if (of_plan->part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)->refuses)
    return CUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT;
  int64_t workspace_bytes = 0;
  int64_t count = 0;
  if (real_cudnn().get(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count, &workspace_bytes) !=
      CUDNN_STATUS_SUCCESS)
    return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  if (workspace_bytes > 0 && of_arrays->get<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE).at(0) == nullptr)
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const auto parameters = execution_of(*of_plan, *of_arrays);
  if (!parameters) return CUDNN_STATUS_NOT_SUPPORTED;
  return cudnn_driver().launch(handle.stream, &convolution_twin(), &*parameters) == CUDA_SUCCESS
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER;
}

}  // namespace

size_t cudnnGetVersion() { return real_cudnn().get_version(); }
size_t cudnnGetCudartVersion() { return real_cudnn().get_cudart_version(); }
const char* cudnnGetErrorString(cudnnStatus_t status) { return real_cudnn().get_error_string(status); }
void cudnnGetLastErrorString(char* message, size_t most) { real_cudnn().get_last_error_string(message, most); }

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  return enter_cudnn("cudnnCreate", [=] {
    if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    if (cudnn_driver().launch == nullptr || device_properties() == nullptr) return CUDNN_STATUS_NOT_INITIALIZED;
    *handle = reinterpret_cast<cudnnHandle_t>(new Handle);
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return enter_cudnn("cudnnDestroy", [=] {
    delete reinterpret_cast<Handle*>(handle);
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  return enter_cudnn("cudnnSetStream", [=] {
    if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    reinterpret_cast<Handle*>(handle)->stream = stream;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor) {
  return enter_cudnn("cudnnBackendCreateDescriptor", [=] {
    const cudnnStatus_t status = real_cudnn().create(type, descriptor);
    if (status == CUDNN_STATUS_SUCCESS) add_shadow(*descriptor, type);
    return status;
  });
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  return enter_cudnn("cudnnBackendDestroyDescriptor", [=] {
    drop_shadow(descriptor);
    return real_cudnn().destroy(descriptor);
  });
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count, const void* values) {
  return enter_cudnn("cudnnBackendSetAttribute", [=] {
    const auto shadow = shadow_of(descriptor);
    if (!shadow || values == nullptr) return CUDNN_STATUS_BAD_PARAM;
    if (name == CUDNN_ATTR_OPERATIONGRAPH_HANDLE) return CUDNN_STATUS_SUCCESS;  // a graph needs none
    if (name == CUDNN_ATTR_EXECUTION_PLAN_HANDLE) {
      cudnnBackendDescriptor_t properties = device_properties();
      return real_cudnn().set(descriptor, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                              &properties);
    }
    const cudnnStatus_t status = real_cudnn().set(descriptor, name, type, count, values);
    if (status == CUDNN_STATUS_SUCCESS) note_attribute(*shadow, name, type, count, values);
    return status;
  });
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  return enter_cudnn("cudnnBackendFinalize", [=] {
    const auto shadow = shadow_of(descriptor);
    if (!shadow) return CUDNN_STATUS_BAD_PARAM;
    if (shadow->type == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR) {
      cudnnBackendDescriptor_t properties = device_properties();
      const cudnnStatus_t status =
          real_cudnn().set(descriptor, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &properties);
      if (status != CUDNN_STATUS_SUCCESS) return status;
    }
    return real_cudnn().finalize(descriptor);
  });
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t most, int64_t* count, void* values) {
  return enter_cudnn("cudnnBackendGetAttribute", [=] {
    const cudnnStatus_t status = real_cudnn().get(descriptor, name, type, most, count, values);
    const auto shadow = shadow_of(descriptor);
    if (status == CUDNN_STATUS_SUCCESS && shadow && name == CUDNN_ATTR_ENGINEHEUR_RESULTS && values != nullptr)
      rate_engines(*shadow, static_cast<const cudnnBackendDescriptor_t*>(values), static_cast<std::size_t>(*count));
    return status;
  });
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t arrays) {
  return enter_cudnn("cudnnBackendExecute", [=] {
    if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    return launch(*reinterpret_cast<const Handle*>(handle), plan, arrays);
  });
}
