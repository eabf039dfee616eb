#include "fuse/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>

#include "bounds/analysis_cache.h"
#include "bounds/proof_budget.h"
#include "fuse/join.h"
#include "fuse/needed.h"

namespace vyre::fuse {
namespace {

std::uint64_t nodes_of(const Stage& stage) {
  return stage.program.exprs.size() + stage.program.stmts.size();
}

// Two ways to join may give one program. Fingerprints leave out the workgroup, which is compared as
// text.
std::string identity_of(const ir::Program& program) {
  std::string out = ir::to_hex(ir::fingerprint(program));
  for (const ir::ExprId axis : program.workgroup) {
    out += '|';
    if (axis != ir::kNone) out += ir::print_expr(program, axis);
  }
  return out;
}

// Joins breadth first: all runs of two steps, then those of three, and so on. Each run keeps the
// smallest few programs, and only those are made longer, so the work grows with the number of runs
// and not with the number of plans.
class Finder {
 public:
  Finder(const ir::SequenceDef& sequence, const WidenOptions& options)
      : sequence_(sequence), options_(options), budget_(options.most_proof_steps) {}

  FoundIntervals run() {
    const auto steps = static_cast<std::uint32_t>(sequence_.steps.size());
    for (std::uint32_t k = 0; k < steps; ++k) stages_.push_back(instantiate(sequence_, k));
    for (std::uint32_t k = 0; k + 1 < steps; ++k) join_pair(k);
    std::size_t begin = 0;
    for (std::uint32_t length = 3; length <= options_.most_interval_steps; ++length) {
      const std::size_t end = found_.intervals.size();
      for (std::size_t k = begin; k < end; ++k) extend(k);
      if (is_over_) break;
      keep_smallest(end);
      begin = end;
    }
    if (is_over_) found_.limits.push_back(limit());
    return std::move(found_);
  }

 private:
  std::string limit() const {
    const std::string met =
        nodes_ > options_.most_nodes
            ? fmt::format("joins have looked at {} nodes", options_.most_nodes)
            : fmt::format("proofs have taken {} steps", options_.most_proof_steps);
    return met + "; ways to join that would come behind are left out";
  }

  std::optional<Refusal> limit_refusal() {
    const bool is_too_large = nodes_ > options_.most_nodes;
    if (!is_too_large && !budget_.is_used_up()) return std::nullopt;
    is_over_ = true;
    if (is_too_large) return Refusal{"limit.nodes", "too many nodes were looked at before"};
    return Refusal{"limit.proofs", "proofs took too many steps before"};
  }

  // Why no kind can join a stage that ends before `step` with that step.
  std::optional<Refusal> common_refusal(std::uint32_t step) const {
    const auto& repeat = sequence_.repeat;
    if (repeat && (repeat->first == step || repeat->last == step)) {
      return Refusal{"link.repeat", "the repeat begins or ends between the two steps"};
    }
    for (const std::uint32_t k : {step - 1, step}) {
      if (sequence_.steps[k].when != ir::kNone) {
        return Refusal{"link.when", fmt::format("step {} has a condition of its own", k)};
      }
      if (!stages_[k]) return stages_[k].error();
    }
    return std::nullopt;
  }

  void join_pair(std::uint32_t first) {
    Link& link = found_.links.emplace_back(Link{.first = first});
    if (const auto refusal = common_refusal(first + 1)) {
      for (const Kind kind : kKinds) link.refused.emplace_back(kind, *refusal);
      return;
    }
    const std::size_t begin = found_.intervals.size();
    for (const Kind kind : kKinds) {
      const auto refusal = add({.first = first, .last = first}, *stages_[first], kind);
      if (refusal) link.refused.emplace_back(kind, *refusal);
    }
    keep_smallest(begin);
    for (std::size_t k = begin; k < found_.intervals.size(); ++k) {
      link.kinds.push_back(found_.intervals[k].kinds.front());
    }
    std::ranges::sort(link.kinds);
    note_dropped(link);
  }

  void note_dropped(Link& link) const {
    for (const Kind kind : kKinds) {
      const auto is_it = [&](const auto& refused) { return refused.first == kind; };
      if (std::ranges::find(link.kinds, kind) != link.kinds.end() ||
          std::ranges::any_of(link.refused, is_it)) {
        continue;
      }
      link.refused.emplace_back(
          kind, Refusal{"link.variants",
                        fmt::format("{} smaller programs do the same", options_.most_variants)});
    }
  }

  // One step longer, in all ways.
  void extend(std::size_t index) {
    const std::uint32_t step = found_.intervals[index].last + 1;
    if (is_over_ || step >= sequence_.steps.size() || common_refusal(step)) return;
    const FoundInterval shorter = found_.intervals[index];
    for (const Kind kind : kKinds) (void)add(shorter, shorter.stage, kind);
  }

  std::optional<Refusal> add(const FoundInterval& shorter, const Stage& producer, Kind kind) {
    const std::uint32_t last = shorter.last + 1;
    const Stage& consumer = *stages_[last];
    nodes_ += nodes_of(producer) + nodes_of(consumer);
    if (auto refusal = limit_refusal()) return refusal;
    const JoinContext context{sequence_, needed_after(sequence_, shorter.first, last)};
    auto joined = join(kind, producer, consumer, context);
    if (!joined) {
      auto refusal = limit_refusal();
      return refusal ? refusal : std::move(joined).error();
    }
    FoundInterval longer{shorter.first, last, shorter.kinds, *std::move(joined)};
    longer.kinds.push_back(kind);
    const auto [other, is_new] = known_.emplace(
        std::tuple(shorter.first, last, identity_of(longer.stage.program)), longer.kinds);
    if (!is_new) {
      return Refusal{"link.same",
                     fmt::format("{} gives the same program", to_string(other->second.back()))};
    }
    found_.intervals.push_back(std::move(longer));
    return std::nullopt;
  }

  // Of each run of steps from `begin` on, the programs with the fewest nodes.
  void keep_smallest(std::size_t begin) {
    const auto fresh = std::ranges::subrange(
        found_.intervals.begin() + static_cast<std::ptrdiff_t>(begin), found_.intervals.end());
    std::ranges::sort(fresh, {}, [](const FoundInterval& f) {
      return std::tuple(f.first, nodes_of(f.stage), f.kinds);
    });
    std::map<std::uint32_t, std::uint32_t> kept;  // by first step
    const auto dropped = std::ranges::remove_if(
        fresh, [&](const FoundInterval& f) { return ++kept[f.first] > options_.most_variants; });
    found_.intervals.erase(dropped.begin(), dropped.end());
  }

  const ir::SequenceDef& sequence_;
  const WidenOptions& options_;
  std::vector<std::expected<Stage, Refusal>> stages_;  // by step
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::vector<Kind>> known_;
  std::uint64_t nodes_ = 0;
  bounds::ProofBudget budget_;
  bounds::AnalysisCache cache_;
  bool is_over_ = false;
  FoundIntervals found_;
};

}  // namespace

FoundIntervals find_intervals(const ir::SequenceDef& sequence, const WidenOptions& options) {
  return Finder(sequence, options).run();
}

}  // namespace vyre::fuse
