// A shared library that is opened at run time, and stays open until the process ends: drivers start
// threads and register handlers, so that closing one ends badly.

#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "vyre/error.h"

namespace vyre::backend::cuda {

class Library {
 public:
  // The first of the names that opens. The error says why the first one does not.
  static Expected<Library> open(std::span<const std::string> names);

  // Null: the library has no such function.
  void* find(const char* symbol) const;
  // The file that has the function.
  static std::filesystem::path file_of(const void* function);

  const std::string& name() const { return name_; }

 private:
  Library(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}

  void* handle_;
  std::string name_;
};

// Finds a function. An empty symbol leaves it null: the interface has none of that shape. `remedy`
// ends the message of a library that lacks the function.
template <class Function>
Expected<void> resolve(const Library& library, const char* symbol, Function*& function,
                       const std::string& remedy);

Expected<void> lacks(const Library& library, const char* symbol, const std::string& remedy);

template <class Function>
Expected<void> resolve(const Library& library, const char* symbol, Function*& function,
                       const std::string& remedy) {
  if (*symbol == '\0') return {};
  function = reinterpret_cast<Function*>(library.find(symbol));
  return function == nullptr ? lacks(library, symbol, remedy) : Expected<void>();
}

}  // namespace vyre::backend::cuda
