// Context: one device with its OpenCL context and queue, shared by what was made from it.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/common/binary_store.h"
#include "backend/opencl/api.h"

namespace vyre::backend::opencl {

class Program;

class Context {
 public:
  static Expected<std::shared_ptr<Context>> make(cl_device_id device, const DeviceOptions& options);
  static Expected<std::shared_ptr<Context>> adopt(const OpenclHandles& handles,
                                                  const DeviceOptions& options);

  cl_device_id device() const { return device_; }
  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }
  const DeviceOptions& options() const { return options_; }
  const BinaryStore& store() const { return store_; }

  // Programs that are in use: none is compiled twice while it is.
  std::shared_ptr<Program> find_program(const Hash& key);
  void add_program(const Hash& key, const std::shared_ptr<Program>& program);

  // Whether launches on this queue are timed by the device's clock.
  bool profiles() const { return profiles_; }

  // Waits for everything enqueued.
  Expected<void> finish();

 private:
  Context(cl_device_id device, const DeviceOptions& options);

  cl_device_id device_;
  DeviceOptions options_;
  BinaryStore store_;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
  bool profiles_ = false;
  std::mutex mutex_;
  std::map<Hash, std::weak_ptr<Program>> programs_;
};

}  // namespace vyre::backend::opencl
