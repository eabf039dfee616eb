#include "backend/cuda/library.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::cuda {

Expected<Library> Library::open(std::span<const std::string> names) {
  std::string first;
  for (const std::string& name : names) {
    if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return Library(handle, name);
    const char* why = ::dlerror();
    if (first.empty() && why != nullptr) first = escaped(why);
  }
  return backend_error("{}", first);
}

void* Library::find(const char* symbol) const { return ::dlsym(handle_, symbol); }

std::filesystem::path Library::file_of(const void* function) {
  Dl_info info{};
  if (::dladdr(function, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  std::filesystem::path file = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::filesystem::path() : file;
}

Expected<void> lacks(const Library& library, const char* symbol, const std::string& remedy) {
  return backend_error("{} has no function {}; {}", library.name(), symbol, remedy);
}

}  // namespace vyre::backend::cuda
