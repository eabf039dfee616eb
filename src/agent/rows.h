// Decisions as rows of the table vyre.decision, and back.
//
// A row was written by another machine. Its entry is read like a file of strangers, and everything
// else in the row must follow from the entry, so that a row cannot claim what its decision does not
// say.

#pragma once

#include <string>

#include "agent/connection.h"
#include "vyre/decisions.h"

namespace vyre::agent {

inline constexpr std::size_t kMostEntryBytes = 65536;

struct SharedDecision {
  std::string adapter = {};  // names the file
  Identity identity = {};
  Key key = {};
  Decision decision = {};

  bool operator==(const SharedDecision&) const = default;
};

// Whether it may travel: measured, with a v2 key, and found by an adapter's own name.
bool is_shareable(const SharedDecision& shared);

// adapter, identity, key, evidence, superseded, hash in hexadecimal digits, entry. bad_inputs: it
// is too large.
Expected<Row> to_row(const SharedDecision& shared);

// bad_inputs says what does not fit.
Expected<SharedDecision> from_row(const Row& row);

}  // namespace vyre::agent
