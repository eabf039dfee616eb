#include "fleet/parcel.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "problems/fill.h"
#include "tune/worker/job.h"

namespace vyre::fleet {
namespace {

using Bytes = std::vector<std::byte>;

Hash digest_of(const Bytes& bytes) {
  return blake3(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

Expected<std::string> content_of(int fd) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return backend_error("cannot read a memory file");
  std::string out(static_cast<std::size_t>(info.st_size), '\0');
  for (std::size_t at = 0; at < out.size();) {
    const ssize_t got = ::pread(fd, out.data() + at, out.size() - at, static_cast<off_t>(at));
    if (got <= 0) return backend_error("cannot read a memory file");
    at += static_cast<std::size_t>(got);
  }
  return out;
}

// JSON has no infinities.
Origin sendable(const Origin& origin) {
  return std::isfinite(origin.from) && std::isfinite(origin.span) ? origin : Origin();
}

std::vector<Blob> pack_blobs(const std::vector<Bytes>& from, const std::vector<Origin>& origins,
                             std::vector<SharedBytes>& to) {
  std::vector<Blob> out;
  for (std::size_t k = 0; k < from.size(); ++k) {
    out.push_back({.bytes = from[k].size(),
                   .digest = digest_of(from[k]),
                   .origin = k < origins.size() ? sendable(origins[k]) : Origin()});
    to.push_back(std::make_shared<const Bytes>(from[k]));
  }
  return out;
}

// Null: this machine makes other bytes, or the origin says nothing of how.
SharedBytes made_here(const Blob& blob) {
  const T1Type* const type = type_named(blob.origin.type);
  if (type == nullptr || blob.origin.lanes * type->bytes != blob.bytes) return nullptr;
  auto bytes = made_from(blob.origin);
  if (!bytes || digest_of(*bytes) != blob.digest) return nullptr;
  return std::make_shared<const Bytes>(*std::move(bytes));
}

Expected<SharedBytes> read_own(const Blob& blob) {
  auto text = read_file(blob.origin.file, blob.bytes);
  if (!text && text.error().kind == ErrorKind::io) return std::unexpected(text.error());
  if (text) {
    const auto bytes = std::as_bytes(std::span(*text));
    auto out = std::make_shared<const Bytes>(bytes.begin(), bytes.end());
    if (out->size() == blob.bytes && digest_of(*out) == blob.digest) return out;
  }
  return bad_inputs("{} has another content here than where vyre tune runs; copy it anew",
                    quote(blob.origin.file));
}

}  // namespace

Expected<Parcel> pack(const Problem& problem) {
  Parcel out;
  out.job.head.default_index = problem.default_index;
  Problem bare = problem;
  bare.inputs = nullptr;
  bare.reference = nullptr;
  VYRE_TRY(const FileDescriptor job, worker::write_job({.problem = std::move(bare)}));
  VYRE_TRY(out.job.problem, content_of(job.get()));
  if (out.job.problem.size() > kMostFrameBytes / 2) {
    return bad_inputs("{}: its text has {} bytes, too many for other nodes; tune it here",
                      problem.name, out.job.problem.size());
  }
  if (problem.inputs != nullptr) {
    out.job.head.inputs = pack_blobs(*problem.inputs, problem.input_origins, out.blobs);
  }
  if (problem.reference != nullptr) {
    out.job.head.reference = pack_blobs(*problem.reference, problem.reference_origins, out.blobs);
  }
  return out;
}

const Blob& Unpacking::description(std::size_t number) const {
  const auto& inputs = job_.head.inputs;
  return number < inputs.size() ? inputs[number] : (*job_.head.reference)[number - inputs.size()];
}

std::size_t Unpacking::count() const {
  return job_.head.inputs.size() + (job_.head.reference ? job_.head.reference->size() : 0);
}

Expected<Unpacking> Unpacking::begin(JobMessage job, const Known& known) {
  Unpacking out(std::move(job));
  out.blobs_.resize(out.count());
  std::uint64_t bytes = 0;
  for (std::size_t k = 0; k < out.count(); ++k) {
    bytes = saturating_sum(bytes, out.description(k).bytes);
  }
  VYRE_TRY_VOID(check_memory("the data of the problem", bytes));
  for (std::size_t k = 0; k < out.count(); ++k) {
    const Blob& blob = out.description(k);
    const auto found = known.find(blob.digest);
    if (found != known.end()) {
      out.blobs_[k] = found->second;
    } else if (!blob.origin.file.empty()) {
      VYRE_TRY(out.blobs_[k], read_own(blob));
    } else {
      out.blobs_[k] = made_here(blob);
    }
  }
  return out;
}

Want Unpacking::want() const {
  Want out{.job = job_.head.id};
  for (std::size_t k = 0; k < blobs_.size(); ++k) {
    if (blobs_[k] == nullptr) out.blobs.push_back(k);
  }
  return out;
}

Expected<void> Unpacking::add(const DataMessage& data) {
  const auto unwanted = [] { return backend_error("data came that nobody has asked for"); };
  if (data.job != job_.head.id) return {};  // of a job that was given up
  if (data.blob >= blobs_.size() || blobs_[data.blob] != nullptr) return unwanted();
  const Blob& blob = description(data.blob);
  Bytes& so_far = pieces_[data.blob];
  if (data.bytes.size() > blob.bytes - so_far.size()) return unwanted();
  const auto more = std::as_bytes(std::span(data.bytes));
  so_far.insert(so_far.end(), more.begin(), more.end());
  if (so_far.size() < blob.bytes) return {};
  if (digest_of(so_far) != blob.digest) return backend_error("data came that is damaged");
  blobs_[data.blob] = std::make_shared<const Bytes>(std::move(so_far));
  pieces_.erase(data.blob);
  return {};
}

Expected<Problem> Unpacking::problem() const {
  const FileDescriptor file(::memfd_create("vyre-job", MFD_CLOEXEC));
  const auto size = static_cast<ssize_t>(job_.problem.size());
  if (!file.is_open() ||
      ::pwrite(file.get(), job_.problem.data(), job_.problem.size(), 0) != size) {
    return backend_error("no memory for the problem");
  }
  VYRE_TRY(worker::Job job, worker::read_job(file.get()));
  const auto part = [&](std::size_t first, std::size_t end) {
    std::vector<Bytes> out;
    for (std::size_t k = first; k < end; ++k) out.push_back(*blobs_[k]);
    return std::make_shared<const std::vector<Bytes>>(std::move(out));
  };
  const std::size_t inputs = job_.head.inputs.size();
  job.problem.inputs = part(0, inputs);
  if (job_.head.reference) job.problem.reference = part(inputs, count());
  return std::move(job.problem);
}

Unpacking::Known Unpacking::known() const {
  Known out;
  for (std::size_t k = 0; k < blobs_.size(); ++k) {
    if (blobs_[k] != nullptr) out.emplace(description(k).digest, blobs_[k]);
  }
  return out;
}

}  // namespace vyre::fleet
