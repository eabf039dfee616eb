// Candidates on the nodes of a fleet, as a campaign sees them.
//
// A fixed number of configurations is in flight, and answers are given in the order in which their
// work was started. So, with a budget in evaluations, a campaign asks the same whether one node
// answers or forty, and whichever of them are lost: its journal differs in times only.
//
// Devices of one kind differ by a few percent. So every node measures the default configuration
// first, and its times are given as multiples of that, in the unit of the first node that was
// ready. The final race and the pairs run on one node, the home, and are verified there; another
// node is home when that one is lost.
//
// What was under way on a lost node is tried once more elsewhere, where it is alone, so that it is
// not blamed for its neighbours. A piece of work that then loses a second node has failed, as
// suspect (tune/suspect.h). The default configuration never is. A node
// that says by itself that it cannot go on blames nobody.

#pragma once

#include <functional>
#include <memory>

#include "fleet/fleet.h"
#include "fleet/parcel.h"
#include "vyre/substrate/search.h"
#include "vyre/tune.h"

namespace vyre::fleet {

inline constexpr std::uint32_t kInFlight = 8;

struct OnNodesOptions {
  std::uint32_t in_flight = kInFlight;
  WorkerOptions workers = {};  // limits for each node's own workers
  // As TuneOptions has it. False: an error for which vyre::is_stop holds.
  std::function<bool(double seconds)> on_wait = {};
};

// Gives the problem to all nodes and waits until the first one is ready. The fleet must outlive the
// evaluator, which is its only one at a time. rejected: the default configuration runs on no node.
Expected<std::unique_ptr<Evaluator>> evaluate_on_nodes(Fleet& fleet, const Problem& problem,
                                                       const OnNodesOptions& options);

}  // namespace vyre::fleet
