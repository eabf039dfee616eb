// Store: the database's decisions and wishes, as typed calls. The rules (which decision is greater,
// who holds a claim and until when) are the server's: src/agent/sql/2_functions.sql.
//
// Errors of kind backend mean that the server is away, and that the store is of no more use. Errors
// of kind rejected are the server's refusals, for example for want of a right.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/connection.h"
#include "agent/mirror.h"
#include "agent/rows.h"
#include "vyre/agree.h"

namespace vyre::agent {

// A wish on the server. `holder` is empty if nobody works on it.
struct PostedWish {
  std::uint64_t id = 0;
  Wish wish = {};
  std::string holder = {};
};

// The right to answer a wish, until another claimer gets a greater token.
struct Claim {
  std::uint64_t wish = 0;
  std::uint64_t token = 0;
};

struct Pulled {
  std::size_t rows = 0;                   // that were new
  std::vector<std::string> skipped = {};  // why rows were not taken
};

class Store {
 public:
  // Connects, and checks the schema.
  static Expected<Store> open(const Target& target);

  // Listens for changes of decisions or wishes: `wait` then returns early.
  Expected<void> listen();
  Expected<void> wait(Milliseconds limit, int wake = -1) { return connection_.wait(limit, wake); }
  bool is_open() const { return connection_.is_open(); }

  Expected<bool> may_publish();
  Expected<bool> may_post();

  // Brings the mirror up to date with one state of the table: takes what was published since the
  // last time, or everything where rows have vanished since.
  Expected<Pulled> pull(Mirror& mirror);

  // Whether it was greater than the one that was there.
  Expected<bool> publish(const SharedDecision& shared);

  // Whether it is new. bad_inputs: its key does not follow from its shape and fingerprint.
  Expected<bool> post(const Wish& wish);
  // Those for one identity, the ones that were asked for most first. Rows that are wrong are left
  // out.
  Expected<std::vector<PostedWish>> wishes(const std::string& identity);

  // None: it is held by another, or is no more.
  Expected<std::optional<Claim>> claim(std::uint64_t wish, const std::string& holder,
                                       Milliseconds lease);
  // False: another claimer has it now, or the wish is no more.
  Expected<bool> renew(const Claim& claim, Milliseconds lease);
  // Publishes the answer and removes the wish. The number of wishes that were answered: 0 if the
  // claim is another's by now, and then nothing has changed.
  Expected<std::uint64_t> fulfil(const Claim& claim, const SharedDecision& answer);

 private:
  explicit Store(Connection connection) : connection_(std::move(connection)) {}

  Expected<std::string> scalar(const std::string& statement,
                               const std::vector<std::string>& values = {});
  Expected<Pulled> pull_since(Mirror& mirror);
  Expected<void> pull_pages(Mirror& mirror, Pulled& pulled);

  Connection connection_;
  std::uint64_t revision_ = 0;  // the mirror has everything up to here
};

}  // namespace vyre::agent
