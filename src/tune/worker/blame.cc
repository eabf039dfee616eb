#include "tune/worker/blame.h"

#include <algorithm>
#include <array>

namespace vyre::worker {
namespace {

// The system's words for errors that no kernel can cause, as compilers and linkers pass them on;
// then the words of a compiler that names no error: PoCL's, whose log has nothing else when its
// disk is full, and ours for an empty log.
constexpr std::array<std::string_view, 9> kWordsOfTheMachine{"No space left on device",
                                                             "Disk quota exceeded",
                                                             "Input/output error",
                                                             "Too many open files",
                                                             "Cannot allocate memory",
                                                             "Read-only file system",
                                                             "Resource temporarily unavailable",
                                                             "failed to build the program",
                                                             "the compiler says nothing"};

}  // namespace

bool is_own_failure(Status status, std::string_view why) {
  if (status == Status::runtime || status == Status::timeout) return false;
  if (status != Status::compile) return true;
  return std::ranges::none_of(kWordsOfTheMachine, [&](std::string_view words) {
    return why.find(words) != std::string_view::npos;
  });
}

}  // namespace vyre::worker
