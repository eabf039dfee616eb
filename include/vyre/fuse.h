// Fusion: which steps of a sequence may become one kernel, and a sequence that lets a tuner choose.
//
// `widen` looks at every run of neighbouring steps, joins those that it can prove to give the same
// results, and returns one sequence that holds both: the original steps, and one fused step for
// each way to join a run. Tunables decide which of them run: `fuse_0` is the link between the steps
// 0 and 1, and so on. Its value is 0 (not joined, the default) or a Kind. So a plan is a
// configuration like any other: it is tuned, remembered, keyed and served like any other.
//
// Every configuration gives the results of the original, integers and f32 to the last bit on the
// interpreter: an order of summation is never changed. Values of fuse_* that are no legal plan
// leave the steps that they are about as they were.
//
// Pure functions: the same sequence gives the same result on every machine. docs/fusion.md has the
// rules.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/config.h"
#include "vyre/error.h"
#include "vyre/program.h"
#include "vyre/space.h"

namespace vyre::fuse {

// How two steps are joined. The numbers are the values of the tunables fuse_*.
enum class Kind : std::uint8_t {
  none = 0,
  inline_ = 1,   // the producer's value is computed where the consumer loads it
  epilogue = 2,  // the consumer's work is done where the producer stores its value
  merge = 3,     // both bodies run one after the other in one launch
  rows = 4,      // one invocation or workgroup does a whole row of both
};
std::string_view to_string(Kind kind);  // "inline"

struct Refusal {
  std::string rule;  // short and stable: "inline.once"
  std::string why;   // one sentence for people, names in quotes
};

// Between the steps `first` and `first + 1` of the original.
struct Link {
  std::uint32_t first = 0;
  std::string tunable = {};      // "fuse_0"; empty: no kind is legal in any run of steps
  std::vector<Kind> kinds = {};  // those with which the two steps alone can be joined
  std::vector<std::pair<Kind, Refusal>> refused = {};  // the others
};

// Steps `first` to `last` of the original as one program.
struct Interval {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::vector<Kind> kinds = {};  // of its links
  std::uint32_t step = 0;        // of the widened sequence
};

struct Widened {
  ir::Sequence sequence;         // the original itself if nothing can be joined
  space::Definition space = {};  // fuse_* and all tunables with values; may have no parameters
  std::vector<Link> links = {};
  std::vector<Interval> intervals = {};
  std::vector<std::string> limits = {};  // what was left out because a limit was met; for people
};

struct WidenOptions {
  std::uint32_t most_steps = 32;               // of the sequence; more are an error
  std::uint32_t most_interval_steps = 0;       // of one fused step; 0: 7, or 5 of a longer sequence
  std::uint32_t most_variants = 3;             // ways to join the same steps
  std::uint64_t most_nodes = 50'000;           // that all joins together may look at
  std::uint64_t most_proof_steps = 5'000'000;  // that all proofs together may take
};

// bad_inputs: the sequence is longer than the options allow.
[[nodiscard]] Expected<Widened> widen(const ir::Sequence& sequence,
                                      const WidenOptions& options = {});

// The plan of a configuration in words: "steps 1 to 3 in one kernel: inline, epilogue". Steps are
// counted from 1. Empty: the configuration has no fuse_*.
std::string describe_plan(const Config& config);

// --- Long chains: too many plans for a search. ---

// The number of links with which a search over all plans still pays.
inline constexpr std::size_t kFewLinks = 6;

// This interval is fused, everything else is at its default.
Config single_plan(const Widened& widened, std::size_t interval);

// One such configuration per interval, the short ones first.
std::vector<Config> single_plans(const Widened& widened);

// The time of one of them; 0 or less: it failed.
struct PlanTime {
  Config config;
  double time = 0;
};

// The plans with the least time in sum, the best first, at most `most`: a plan is taken to save
// what its intervals saved one by one. `unfused` is the time of the default.
std::vector<Config> best_plans(const Widened& widened, double unfused,
                               const std::vector<PlanTime>& singles, std::size_t most = 3);

}  // namespace vyre::fuse
