#include "convert.h"

namespace vyre::python {
namespace {

const char* exception_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_inputs:
      return "BadInputs";
    case ErrorKind::rejected:
      return "Rejected";
    case ErrorKind::backend:
      return "BackendFailed";
    case ErrorKind::io:
      return "IoFailed";
  }
  return "Error";
}

}  // namespace

void raise(const Error& error) {
  const nb::object type = nb::module_::import_("vyre._errors").attr(exception_of(error.kind));
  const nb::object exception = type(text_of(error.message), error.code);
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw nb::python_error();
}

Config to_config(const Entries& entries) {
  Config out;
  for (const auto& [name, value] : entries) out.set(name, value);
  return out;
}

nb::str text_of(const std::string& text) {
  PyObject* decoded =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

nb::dict to_python(const Estimate& estimate) {
  nb::dict out;
  out["ns"] = estimate.ns;
  out["low_ns"] = estimate.low_ns;
  out["high_ns"] = estimate.high_ns;
  return out;
}

nb::dict to_python(const Gain& gain) {
  nb::dict out;
  out["times"] = gain.times;
  out["low"] = gain.low;
  out["high"] = gain.high;
  out["pairs"] = gain.pairs;
  return out;
}

std::span<std::byte> memory_at(std::uintptr_t address, std::size_t bytes) {
  return {reinterpret_cast<std::byte*>(address), bytes};
}

Files files_of(const std::string& folder, const std::string& system_folder) {
  return {.folder = folder, .system_folder = system_folder};
}

}  // namespace vyre::python

// Python's own classes are in python/vyre; this module is private to them.
NB_MODULE(_core, module) {
  using namespace vyre::python;
  module.doc() = "The library behind the package vyre; private to it.";
  module.attr("version") = VYRE_VERSION;
  add_devices(module);
  add_problems(module);
  add_tune(module);
  add_runtime(module);
  add_search(module);
}
