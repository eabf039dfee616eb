#include "fuse/widener.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "fuse/link_values.h"
#include "fuse/plan_space.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

using ir::ExprId;
using ir::SequenceDef;

// All names of the sequence and of its programs, so that new ones differ from them.
class Names {
 public:
  explicit Names(const SequenceDef& def) {
    add(def);
    for (const ir::Program& program : def.programs) {
      taken_.insert(program.name);
      add(program);
    }
  }

  std::string free(std::string wish) {
    while (!taken_.insert(wish).second) wish += '_';
    return wish;
  }

 private:
  template <class Def>
  void add(const Def& def) {
    for (const ir::Symbol& symbol : def.symbols) taken_.insert(symbol.name);
    for (const ir::Buffer& buffer : def.buffers) taken_.insert(buffer.name);
  }

  std::set<std::string> taken_;
};

// "fused_0_2_ie"
std::string program_name(const FoundInterval& interval) {
  std::string out = fmt::format("fused_{}_{}_", interval.first, interval.last);
  for (const Kind kind : interval.kinds) out += to_string(kind).front();
  return out;
}

class Widener {
 public:
  Widener(const SequenceDef& original, FoundIntervals found)
      : original_(original), found_(std::move(found)), names_(original), def_(original) {}

  Expected<Widened> run() {
    declare_tunables();
    def_.steps.clear();
    std::vector<std::uint32_t> places;  // by original step; and the end
    for (std::uint32_t step = 0; step < original_.steps.size(); ++step) {
      places.push_back(static_cast<std::uint32_t>(def_.steps.size()));
      add_original(step);
      for (const FoundInterval& interval : found_.intervals) {
        if (interval.last == step) add_fused(interval);
      }
    }
    places.push_back(static_cast<std::uint32_t>(def_.steps.size()));
    if (def_.repeat) {
      def_.repeat->first = places[def_.repeat->first];
      def_.repeat->last = places[def_.repeat->last];
    }
    VYRE_TRY(ir::Sequence sequence, ir::Sequence::make(std::move(def_)));
    Widened out{.sequence = std::move(sequence)};
    out.space = plan_space(original_, found_.links, found_.intervals, out.sequence.tunables());
    out.links = std::move(found_.links);
    out.intervals = std::move(intervals_);
    out.limits = std::move(found_.limits);
    return out;
  }

 private:
  void declare_tunables() {
    symbols_.assign(found_.links.size(), ir::kNone);
    for (Link& link : found_.links) {
      const std::vector<Kind> kinds = kinds_of_link(found_.intervals, link.first);
      if (kinds.empty()) continue;
      link.tunable = names_.free(fmt::format("{}{}", kTunable, link.first));
      ir::Symbol symbol{.name = link.tunable,
                        .kind = ir::SymbolKind::tunable,
                        .type = ir::Scalar::u32,
                        .values = {0}};
      for (const Kind kind : kinds) symbol.values.push_back(static_cast<std::uint64_t>(kind));
      symbols_[link.first] = static_cast<std::uint32_t>(def_.symbols.size());
      def_.symbols.push_back(std::move(symbol));
    }
  }

  // An original step runs unless an interval runs in its place. So values of fuse_* that are no
  // legal plan lose no step.
  void add_original(std::uint32_t step) {
    ir::Step out = original_.steps[step];
    std::vector<std::vector<LinkValue>> replaced;
    for (const FoundInterval& i : found_.intervals) {
      if (i.first > step || i.last < step) continue;
      replaced.push_back(values_of(found_.links, i.first, i.last, i.kinds));
    }
    if (!replaced.empty()) out.when = none_of(def_.exprs, symbols_, replaced);
    def_.steps.push_back(std::move(out));
  }

  void add_fused(const FoundInterval& interval) {
    ir::Step out;
    out.program = static_cast<std::uint32_t>(def_.programs.size());
    out.buffers = interval.stage.buffers;
    ir::Program program = interval.stage.program;
    program.name = names_.free(program_name(interval));
    for (const ir::Symbol& symbol : program.symbols) {
      if (symbol.kind != ir::SymbolKind::tunable) out.symbols.push_back(value_of(symbol));
    }
    out.when = all_of(def_.exprs, symbols_,
                      values_of(found_.links, interval.first, interval.last, interval.kinds));
    intervals_.push_back({interval.first, interval.last, interval.kinds,
                          static_cast<std::uint32_t>(def_.steps.size())});
    def_.programs.push_back(std::move(program));
    def_.steps.push_back(std::move(out));
  }

  // Symbols of a stage are the sequence's, by name.
  ExprId value_of(const ir::Symbol& symbol) {
    const auto it = std::ranges::find(def_.symbols, symbol.name, &ir::Symbol::name);
    def_.exprs.push_back({.op = ir::Op::symbol,
                          .type = {symbol.type, 1},
                          .index = static_cast<std::uint32_t>(it - def_.symbols.begin())});
    return static_cast<ExprId>(def_.exprs.size() - 1);
  }

  const SequenceDef& original_;
  FoundIntervals found_;
  Names names_;
  SequenceDef def_;
  std::vector<std::uint32_t> symbols_;  // by link: its tunable in def_; kNone: none
  std::vector<Interval> intervals_;
};

}  // namespace

Expected<Widened> widened_by(const SequenceDef& original, FoundIntervals found) {
  return Widener(original, std::move(found)).run();
}

}  // namespace vyre::fuse
