#include "backend/opencl/context.h"

namespace vyre::backend::opencl {
namespace {

Expected<void> fill_time(cl_event event, std::uint64_t& elapsed_ns) {
  cl_int status = CL_COMPLETE;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  if (status < 0) return cl_error(status, "a launch failed");
  cl_ulong start = 0;
  cl_ulong end = 0;
  cl_int code =
      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr);
  if (code == CL_SUCCESS) {
    code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
  }
  if (code != CL_SUCCESS) return cl_error(code, "the device's clock cannot be read");
  elapsed_ns = end > start ? end - start : 0;
  return {};
}

}  // namespace

Expected<std::shared_ptr<Context>> Context::make(cl_device_id device,
                                                 const DeviceOptions& options) {
  std::shared_ptr<Context> out(new Context(device, options));
  cl_int code = CL_SUCCESS;
  out->context_ = Owned(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return cl_error(code, "the device cannot be opened");
  out->queue_ =
      Owned(clCreateCommandQueue(out->context(), device, CL_QUEUE_PROFILING_ENABLE, &code));
  if (code != CL_SUCCESS) return cl_error(code, "no queue can be made on the device");
  out->profiles_ = true;
  return out;
}

Expected<std::shared_ptr<Context>> Context::adopt(const OpenclHandles& handles,
                                                  const DeviceOptions& options) {
  if (handles.context == nullptr || handles.device == nullptr || handles.queue == nullptr) {
    return bad_inputs("an OpenCL context, device or queue is null; hand in all three");
  }
  std::shared_ptr<Context> out(new Context(handles.device, options));
  cl_command_queue_properties properties = 0;
  cl_context of_queue = nullptr;
  cl_device_id device = nullptr;
  clGetCommandQueueInfo(handles.queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties,
                        nullptr);
  clGetCommandQueueInfo(handles.queue, CL_QUEUE_CONTEXT, sizeof(of_queue), &of_queue, nullptr);
  clGetCommandQueueInfo(handles.queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr);
  if (of_queue != handles.context || device != handles.device) {
    return bad_inputs("the OpenCL queue is not of that context and device; hand in one that is");
  }
  if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) {
    return bad_inputs("the OpenCL queue runs out of order; hand in one that is in order");
  }
  out->context_ = Owned<cl_context>::share(handles.context);
  out->queue_ = Owned<cl_command_queue>::share(handles.queue);
  out->profiles_ = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
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

void Context::time(Owned<cl_event> event, std::uint64_t* elapsed_ns) {
  *elapsed_ns = 0;
  const std::lock_guard lock(mutex_);
  timed_.push_back({std::move(event), elapsed_ns});
}

Expected<void> Context::finish() {
  const cl_int code = clFinish(queue());
  const std::lock_guard lock(mutex_);
  Expected<void> result;
  if (code != CL_SUCCESS) result = cl_error(code, "waiting for the device failed");
  for (const Timed& timed : timed_) {
    if (result) result = fill_time(timed.event.get(), *timed.elapsed_ns);
  }
  timed_.clear();
  return result;
}

}  // namespace vyre::backend::opencl
