// The job of a worker: a problem and the device to run it on.
//
// The campaign writes the job once, as a memory file that every worker inherits (kJobFd): a 64-bit
// length, so many bytes of JSON, the text of the sequence, whose sources need not be UTF-8, and the
// bytes of all inputs and reference outputs.

#pragma once

#include <string>

#include "base/files/file_descriptor.h"
#include "tune/reference.h"
#include "vyre/tune.h"

namespace vyre::worker {

inline constexpr int kJobFd = 4;
// A memory file for the outputs of the default configuration: one worker writes it, and all others
// read it when they need it.
inline constexpr int kReferenceFd = 5;

struct Job {
  std::string device = {};  // as open_device takes it; empty: the best
  DeviceOptions options = {};
  std::uint64_t memory_limit = 0;  // bytes on top of what the process starts with; 0: none
  Problem problem;                 // its space holds the default configuration only
};

Expected<FileDescriptor> write_job(const Job& job);
// Reads it from its beginning, however often it was read before. Never trusts what it reads.
Expected<Job> read_job(int fd);

Expected<FileDescriptor> make_reference_file();
Expected<void> write_reference(int fd, const Reference& reference);
Expected<Reference> read_reference(int fd);

}  // namespace vyre::worker
