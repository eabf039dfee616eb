// The data of a problem on its way to a node: by digest, so that data that a node has, reads from a
// file of its own or makes from a seed is not sent.
//
// Belongs to one thread.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "fleet/messages.h"
#include "fleet/streams.h"
#include "vyre/problem.h"

namespace vyre::fleet {

// What a campaign sends. The problem's data must be on the host.
struct Parcel {
  JobMessage job = {};
  std::vector<SharedBytes> blobs = {};  // as Want numbers them
};
// bad_inputs: the text of the problem is longer than a frame may be.
Expected<Parcel> pack(const Problem& problem);

// What a node makes of it.
class Unpacking {
 public:
  // Of an earlier job, which may have had the same data.
  using Known = std::map<Hash, SharedBytes>;

  // Reads the files that are named, and makes what has a seed. bad_inputs, naming the file: one has
  // another digest than the campaign's, or cannot be read.
  static Expected<Unpacking> begin(JobMessage job, const Known& known);

  const JobHead& head() const { return job_.head; }
  Want want() const;
  bool is_complete() const { return want().blobs.empty(); }

  // Refuses data that was not asked for, is too long, or has another digest.
  Expected<void> add(const DataMessage& data);

  // Once all data is there. Its space holds the default configuration only.
  Expected<Problem> problem() const;
  Known known() const;

 private:
  explicit Unpacking(JobMessage job) : job_(std::move(job)) {}
  const Blob& description(std::size_t number) const;
  std::size_t count() const;

  JobMessage job_;
  std::vector<SharedBytes> blobs_;                          // null: not complete
  std::map<std::uint64_t, std::vector<std::byte>> pieces_;  // of those
};

}  // namespace vyre::fleet
