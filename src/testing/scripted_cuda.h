// A driver and a compiler of CUDA that follow a script: they keep memory on the host, note every
// call, compute nothing, and fail where a test says so.
//
// The tables hold plain functions, so there is one script for the process, and one test uses it at
// a time.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "backend/cuda/describe.h"

namespace vyre::testing {

struct CudaScript {
  // By the name of a function in driver_functions.def or compiler_functions.def.
  std::map<std::string, int> fails = {};
  std::vector<std::string> calls = {};
  int driver_version = 13000;
  int devices = 1;
  int capability = 80;
  std::string device_name = "scripted";
  std::string device_properties = "";  // what hipGetDeviceProperties writes
  bool loads_binaries = true;
  int compiler_major = 13;
  int compiler_minor = 0;
  std::vector<int> architectures = {75, 80, 90};
  std::string ptx = "";  // of the next compilations
  std::string log = "";
  std::vector<std::string> options = {};  // of the last compilation
  std::vector<std::string> names = {};    // that it was asked for
  struct Launched {
    std::array<unsigned, 3> grid{};
    std::array<unsigned, 3> block{};
    unsigned shared_bytes = 0;
  };
  std::vector<Launched> launches = {};
  std::map<int, int> function_attributes = {{0, 1024}, {1, 0}, {3, 0}, {4, 32}};
  std::vector<int> asked_shared_bytes = {};          // by function_set_attribute
  std::set<std::string> without_context = {};        // calls that no current context was there for
  std::size_t constant_bytes = 0;                    // of every constant
  std::map<std::uint64_t, std::size_t> memory = {};  // allocated, by address

  std::size_t count(const std::string& name) const;
};

// Starts a new script.
CudaScript& new_cuda_script();

std::shared_ptr<const backend::cuda::Driver> scripted_driver(
    backend::cuda::Api api = backend::cuda::Api::cuda);
// Takes its version and its architectures from the script as it is now.
Expected<backend::cuda::Compilers> scripted_compilers(
    backend::cuda::Api api = backend::cuda::Api::cuda);

// The context that the calling thread has; contexts are numbers from 1 on.
std::uintptr_t current_scripted_context();
void set_scripted_context(std::uintptr_t context);

}  // namespace vyre::testing
