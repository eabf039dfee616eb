// Card: the fake driver opened as a program would open the real one, with a context of its own.

#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/cuda/driver.h"

namespace vyre::fake_cuda_test {

using backend::cuda::DriverContext;
using backend::cuda::DriverFunction;
using backend::cuda::DriverFunctions;
using backend::cuda::DriverModule;
using backend::cuda::DriverPointer;

// The library's functions. Opened once, and never closed.
const DriverFunctions& driver();
std::string last_fault();

// Names of the functions that the library lacks.
std::vector<std::string> missing_functions();

struct Size {
  std::array<unsigned, 3> blocks{1, 1, 1};
  std::array<unsigned, 3> threads{1, 1, 1};
  unsigned shared_bytes = 0;
};

// A primary context that is current for as long as this lives, and released by all at its end.
class Card {
 public:
  Card();
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  // The module, or null; `log` has the line of the log then.
  DriverModule load(const std::string& ptx);
  DriverFunction function(DriverModule module, const std::string& name);

  template <class T>
  DriverPointer buffer(const std::vector<T>& data) {
    return copy_in(data.data(), data.size() * sizeof(T));
  }
  template <class T>
  std::vector<T> read(DriverPointer from, std::size_t count) {
    std::vector<T> data(count);
    copy_out(data.data(), from, count * sizeof(T));
    return data;
  }

  // Launches and waits; the error of either.
  template <class... Parameters>
  int launch(DriverFunction kernel, const Size& size, Parameters... parameters) {
    std::array<void*, sizeof...(Parameters) + 1> pointers{&parameters..., nullptr};
    return launch_with(kernel, size, pointers.data());
  }
  int launch_with(DriverFunction kernel, const Size& size, void** parameters);

  std::string log;

 private:
  DriverPointer copy_in(const void* from, std::size_t bytes);
  void copy_out(void* to, DriverPointer from, std::size_t bytes);
};

// A variable of the environment for as long as this lives.
class Wish {
 public:
  Wish(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Wish() { ::unsetenv(name_); }
  Wish(const Wish&) = delete;
  Wish& operator=(const Wish&) = delete;

 private:
  const char* name_;
};

// A module's first lines.
inline std::string header() { return ".version 8.0\n.target sm_80\n.address_size 64\n"; }

}  // namespace vyre::fake_cuda_test
