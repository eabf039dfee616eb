#include "base/error.h"

namespace vyre {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_inputs:
      return "bad_inputs";
    case ErrorKind::rejected:
      return "rejected";
    case ErrorKind::backend:
      return "backend";
    case ErrorKind::io:
      return "io";
  }
  return "unknown";
}

}  // namespace vyre
