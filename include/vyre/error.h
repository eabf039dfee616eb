// Error: the one error type of vyre. Everything that can fail in the world returns
// Expected<T>; a bug of ours aborts with its place (VYRE_CHECK) instead.
//
// `message` is one line: what was wrong, where, and what to do about it. It never
// contains a newline or a control character, whatever names the input contained.

#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace vyre {

enum class ErrorKind : std::uint8_t {
  bad_inputs,  // what the caller gave is wrong: a size, a value, a file's text, a missing argument
  rejected,    // the program is not valid, or this device will not run it
  backend,     // the device failed, or gave back something impossible
  io,          // the file system said no
};

std::string_view to_string(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::bad_inputs;
  std::string
      code{};  // stable and short, for example "V012" for a rule of `validate`; may be empty
  std::string message{};

  bool operator==(const Error&) const = default;
};

template <class T>
using Expected = std::expected<T, Error>;

}  // namespace vyre
