// Child: a launcher as this process sees it, with both ends of its streams.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "vyre/error.h"

namespace vyre::fleet {

class Child {
 public:
  // The program is looked up in PATH. It gets a process group of its own, so that Ctrl-C is the
  // campaign's business, and is asked to end when the calling thread ends. Its standard error is
  // ours. Neither end of the streams blocks.
  static Expected<Child> start(const std::vector<std::string>& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // kills it if it has not ended

  int input() const { return input_.get(); }    // what it reads
  int output() const { return output_.get(); }  // what it writes
  void close_streams();

  void ask_to_end();
  void kill();
  // How it ended, for people; none: it has not.
  std::optional<std::string> ended();

 private:
  Child(pid_t pid, FileDescriptor input, FileDescriptor output)
      : pid_(pid), input_(std::move(input)), output_(std::move(output)) {}

  pid_t pid_ = -1;  // also the number of its group; -1: it has ended
  FileDescriptor input_;
  FileDescriptor output_;
  std::string how_ = {};
};

}  // namespace vyre::fleet
