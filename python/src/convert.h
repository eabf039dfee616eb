// What all parts of the module share: errors as Python's exceptions, and plain values.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/vyre.h"

namespace vyre::python {

namespace nb = nanobind;

// Raises the exception of the error's kind (vyre._errors). Needs the GIL.
[[noreturn]] void raise(const Error& error);

// The value, or the exception.
template <class T>
T value_of(Expected<T> expected) {
  if (!expected) raise(expected.error());
  if constexpr (!std::is_void_v<T>) return *std::move(expected);
}

// Names and values, in order: Python's side makes a dict of them.
using Entries = std::vector<std::pair<std::string, Value>>;
Config to_config(const Entries& entries);

// Drivers may give any bytes as names, and messages cut them; bytes that are no text are replaced.
nb::str text_of(const std::string& text);

nb::dict to_python(const Estimate& estimate);
nb::dict to_python(const Gain& gain);

// Memory of a Python object that the caller keeps alive.
std::span<std::byte> memory_at(std::uintptr_t address, std::size_t bytes);

// Handles. Python's side has classes of its own around them.
struct DeviceHandle {
  std::shared_ptr<Device> device;
};
struct BufferHandle {
  std::shared_ptr<Buffer> buffer;
};
struct SpaceHandle {
  space::Space space;
};
struct ProblemHandle {
  Problem problem;
};

// Empty texts: no folder.
Files files_of(const std::string& folder, const std::string& system_folder);

void add_devices(nb::module_& module);
void add_problems(nb::module_& module);
void add_tune(nb::module_& module);
void add_runtime(nb::module_& module);
void add_search(nb::module_& module);

}  // namespace vyre::python
