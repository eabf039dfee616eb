// Agreeing: many processes of one application serve one set of decisions.
//
// Processes (ranks) that work together must launch alike, or one of them waits for the others: some
// have a warm cache and some a cold one, and each may tune on its own. Runtime::agree gives all
// ranks one snapshot, through a function of the application that sends bytes to all ranks.
//
// How it works. Each rank sends a ballot: the decisions that it would serve, what it has found
// wrong (vetoes), what it has missed (wishes), and which version, device and spaces it has. The
// exchange is made once, whatever is cached. Then each rank computes the snapshot from all the
// ballots, which are the same everywhere, by rules that look at nothing else: no file, no clock, no
// number of its own. So the snapshots are equal, and nobody has to send a result.
//
// What is promised:
// - `agree` calls the exchange exactly once. A rank that cannot take part (out of memory, a forked
//   child) makes the call all the same, and says so in its ballot.
// - A ballot that is missing, damaged, too large or of another version is an error on every rank,
//   and every rank keeps the snapshot that it had. Ballots are read like files of strangers.
// - Afterwards `resolve` and `launch` serve the snapshot on every rank. New decisions, of this
//   process or in files, are kept for the next `agree`. Between two calls nothing communicates.
// - A configuration that the device refuses is an error of the launch, not a silent default. One
//   that fails its proof (made for another shape, device or space) never serves: that rank launches
//   the default, which gives the same results. Both are vetoes at the next `agree`.
//
// What the application promises: the exchange returns the same ballots in the same order on every
// rank, as MPI_Allgatherv does, and it returns. It has a time limit, so that a rank that is gone is
// an error. docs/fleet.md has the format of a ballot, the rules, and an example with MPI.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/decisions.h"
#include "vyre/error.h"
#include "vyre/program.h"

namespace vyre {

// Sends `mine` to all ranks, and returns what every rank has sent, by rank, `mine` included. An
// error of it is the error of `agree`; an exception is one, too.
using Exchange = std::function<Expected<std::vector<std::string>>(std::string_view mine)>;

struct AgreeOptions {
  // How many ranks there are; 0: as many as the exchange returns. The number must be the same on
  // all ranks, and a list of another length is an error.
  std::uint32_t ranks = 0;
};

// A key that ranks have launched without a decision of their own device and space for it.
struct Wish {
  Key key = {};
  std::string identity = {};  // id of the ranks' devices
  std::string program = {};   // its name, for people
  ir::Fingerprint fingerprint = {};
  std::vector<std::uint64_t> shape = {};  // as key_of takes it
  std::uint32_t ranks = 0;                // that have this wish

  bool operator==(const Wish&) const = default;
};

struct Agreement {
  // 64 hexadecimal digits over everything that is served now: equal on all ranks.
  std::string digest = {};
  std::uint32_t ranks = 0;
  std::size_t decisions = 0;
  std::size_t vetoes = 0;
  // Two ranks had different snapshots before. An exchange that failed on some ranks only does that.
  bool was_divided = false;
  // These keys wait for a tuner: nobody has decided them. The snapshot has nothing for them, or
  // something that was made for another device or space.
  std::vector<Wish> wishes = {};
};

// Leaves wishes for vyre-agent (docs/fleet.md), as a file in its folder of wishes. Needs no server:
// the agent posts them when it can. A process that is alone has its wishes from an `agree` whose
// exchange returns its own ballot. An empty list leaves nothing.
[[nodiscard]] Expected<void> save_wishes(const std::filesystem::path& folder,
                                         std::span<const Wish> wishes);

}  // namespace vyre
