#include "backend/opencl/context.h"

namespace vyre::backend::opencl {
namespace {

// PoCL keeps compiled kernels itself, for all processes, and compiles a program once more when it
// is asked for its binary: 0.16 to 0.53 s (PoCL 3.1), as long as the first time.
bool is_store_cheap(cl_device_id device) {
  cl_platform_id platform = nullptr;
  api().clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, nullptr);
  return platform_text(platform, CL_PLATFORM_NAME) != "Portable Computing Language";
}

bool has_clock(cl_device_id device) {
  std::size_t step_ns = 0;
  api().clGetDeviceInfo(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(step_ns), &step_ns,
                        nullptr);
  return step_ns > 0;
}

BinaryStore store_for(cl_device_id device, const DeviceOptions& options) {
  const bool is_used = options.store_use == StoreUse::always || is_store_cheap(device);
  return BinaryStore(is_used ? options.binary_store : std::filesystem::path());
}

}  // namespace

Context::Context(cl_device_id device, const DeviceOptions& options)
    : device_(device), options_(options), store_(store_for(device, options)) {}

Expected<std::shared_ptr<Context>> Context::make(cl_device_id device,
                                                 const DeviceOptions& options) {
  std::shared_ptr<Context> out(new Context(device, options));
  cl_int code = CL_SUCCESS;
  out->context_ = Owned(api().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return cl_error(code, "the device cannot be opened");
  out->queue_ =
      Owned(api().clCreateCommandQueue(out->context(), device, CL_QUEUE_PROFILING_ENABLE, &code));
  if (code != CL_SUCCESS) return cl_error(code, "no queue can be made on the device");
  out->profiles_ = has_clock(device);
  return out;
}

Expected<std::shared_ptr<Context>> Context::adopt(const OpenclHandles& handles,
                                                  const DeviceOptions& options) {
  if (handles.context == nullptr || handles.device == nullptr || handles.queue == nullptr) {
    return bad_inputs("an OpenCL context, device or queue is null; hand in all three");
  }
  VYRE_TRY_VOID(has_api());
  std::shared_ptr<Context> out(new Context(handles.device, options));
  cl_command_queue_properties properties = 0;
  cl_context of_queue = nullptr;
  cl_device_id device = nullptr;
  api().clGetCommandQueueInfo(handles.queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties,
                              nullptr);
  api().clGetCommandQueueInfo(handles.queue, CL_QUEUE_CONTEXT, sizeof(of_queue), &of_queue,
                              nullptr);
  api().clGetCommandQueueInfo(handles.queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr);
  if (of_queue != handles.context || device != handles.device) {
    return bad_inputs("the OpenCL queue is not of that context and device; hand in one that is");
  }
  if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) {
    return bad_inputs("the OpenCL queue runs out of order; hand in one that is in order");
  }
  out->context_ = Owned<cl_context>::share(handles.context);
  out->queue_ = Owned<cl_command_queue>::share(handles.queue);
  out->profiles_ = (properties & CL_QUEUE_PROFILING_ENABLE) != 0 && has_clock(handles.device);
  return out;
}

std::shared_ptr<Program> Context::find_program(const Hash& key) {
  const std::lock_guard lock(mutex_);
  const auto it = programs_.find(key);
  return it == programs_.end() ? nullptr : it->second.lock();
}

void Context::add_program(const Hash& key, const std::shared_ptr<Program>& program) {
  const std::lock_guard lock(mutex_);
  std::erase_if(programs_, [](const auto& entry) { return entry.second.expired(); });
  programs_[key] = program;
}

Expected<void> Context::finish() {
  const cl_int code = api().clFinish(queue());
  if (code != CL_SUCCESS) return cl_error(code, "waiting for the device failed");
  return {};
}

}  // namespace vyre::backend::opencl
