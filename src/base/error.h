// Making and passing on errors: short forms for the library's own code.

#pragma once

#include <fmt/format.h>

#include <utility>

#include "vyre/error.h"

namespace vyre {

template <class... Args>
std::unexpected<Error> fail(ErrorKind kind, std::string_view code,
                            fmt::format_string<Args...> format, Args&&... args) {
  return std::unexpected(
      Error{kind, std::string(code), fmt::format(format, std::forward<Args>(args)...)});
}

template <class... Args>
std::unexpected<Error> bad_inputs(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorKind::bad_inputs, "", format, std::forward<Args>(args)...);
}

template <class... Args>
std::unexpected<Error> rejected(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorKind::rejected, "", format, std::forward<Args>(args)...);
}

template <class... Args>
std::unexpected<Error> backend_error(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorKind::backend, "", format, std::forward<Args>(args)...);
}

template <class... Args>
std::unexpected<Error> io_error(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorKind::io, "", format, std::forward<Args>(args)...);
}

}  // namespace vyre

#define VYRE_CONCAT_(a, b) a##b
#define VYRE_CONCAT(a, b) VYRE_CONCAT_(a, b)

// VYRE_TRY(auto file, open(path)); declares `file` or returns open's error from this function.
#define VYRE_TRY(declaration, ...) \
  VYRE_TRY_(VYRE_CONCAT(vyre_try_, __LINE__), declaration, __VA_ARGS__)
#define VYRE_TRY_(temporary, declaration, ...)                          \
  auto temporary = __VA_ARGS__;                                         \
  if (!temporary) return std::unexpected(std::move(temporary).error()); \
  declaration = *std::move(temporary)

// VYRE_TRY_VOID(save()); returns save's error from this function, if it has one.
#define VYRE_TRY_VOID(...)                                        \
  do {                                                            \
    if (auto vyre_try_result = __VA_ARGS__; !vyre_try_result)     \
      return std::unexpected(std::move(vyre_try_result).error()); \
  } while (false)
