// Error: the one error type of vyre. Everything that can fail in the world returns
// Expected<T>; a bug of ours aborts with its place (VYRE_CHECK) instead.
//
// `message` is one line: the mistake, its place, and what to do about it. It never
// contains a newline or a control character, even if names in the input do.

#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace vyre {

enum class ErrorKind : std::uint8_t {
  bad_inputs,  // the caller's input is wrong: a size, a value, a file's text, a missing argument
  rejected,    // the program is not valid, or this device will not run it
  backend,     // the device failed, or gave back something impossible
  io,          // the file system refused
};

std::string_view to_string(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::bad_inputs;
  // Stable and short, for example "V012" for a rule of `validate`; may be empty.
  std::string code{};
  std::string message{};

  bool operator==(const Error&) const = default;
};

template <class T>
using Expected = std::expected<T, Error>;

}  // namespace vyre
