#include "fuse/cores.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fuse/element_rules.h"
#include "fuse/groups.h"
#include "fuse/reindex.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

using bounds::Poly;
using bounds::RadixAxis;
using ir::ExprId;
using ir::kNone;
using ir::Op;
using ir::StmtId;
using ir::StmtKind;

std::optional<Refusal> refused(const CoreParts& parts, std::string_view rule, std::string why) {
  return Refusal{fmt::format("{}.{}", parts.kind, rule), std::move(why)};
}

bool contains(const ir::Program& program, const ir::Block& block, StmtKind kind) {
  return std::ranges::any_of(block, [&](StmtId id) {
    const ir::Stmt& s = program.stmts[id];
    return s.kind == kind || contains(program, s.body, kind) ||
           contains(program, s.otherwise, kind);
  });
}

// The moved core's numbers as variables of the frame.
std::vector<ReindexRule> same_rules(const Domain& moved,
                                    const std::vector<std::uint32_t>& numbers) {
  std::vector<ReindexRule> out;
  for (std::size_t k = 0; k < moved.axes.size(); ++k) {
    out.push_back({moved.axes[k].number, numbers[k]});
  }
  return out;
}

// One stage's core in the other one's frame.
class CoreWriter {
 public:
  CoreWriter(const CoreParts& parts, const CorePlan& plan)
      : parts_(parts),
        plan_(plan),
        kept_(plan.keeps_producer ? parts.producer : parts.consumer),
        other_(plan.keeps_producer ? parts.consumer : parts.producer),
        to_(start_program(parts.sequence, fmt::format("{}_{}", parts.producer.program.name,
                                                      parts.consumer.program.name))),
        frame_(kept_.program, to_, kept_.accesses, plan.frame),
        moved_(other_.program, to_, other_.accesses) {}

  std::expected<JoinedCores, Refusal> run() {
    ir::Rewriter& first = plan_.keeps_producer ? static_cast<ir::Rewriter&>(frame_) : moved_;
    ir::Rewriter& second = plan_.keeps_producer ? static_cast<ir::Rewriter&>(moved_) : frame_;
    // Symbols are declared where they are used: the launch that is left behind takes its tunables
    // with it.
    for (ir::Rewriter* r : {&first, &second}) r->declare_buffers();
    frame_.declare_launch();
    (plan_.keeps_producer ? frame_.after : frame_.before) = [this] { write_moved(); };
    frame_.write();
    if (frame_.problem || moved_.problem || !has_size_) return problem();
    out_.numbers = frame_.axes;
    out_.program = std::move(to_).finish();
    return std::move(out_);
  }

 private:
  std::expected<JoinedCores, Refusal> problem() const {
    const Analysed& side = frame_.problem ? kept_ : other_;
    const std::string what = frame_.problem   ? *frame_.problem
                             : moved_.problem ? *moved_.problem
                                              : "a row's size";
    return std::unexpected(*refused(
        parts_, "frame",
        fmt::format("{} uses {}, which only its own launch has", quote(side.program.name), what)));
  }

  void write_moved() {
    out_.first_moved = static_cast<StmtId>(to_.program().stmts.size());
    if (plan_.is_loop) {
      write_loop();
    } else {
      write_here();
    }
    out_.last_moved = static_cast<StmtId>(to_.program().stmts.size());
  }

  void write_here() {
    if (plan_.row_size) {
      set_element_rules(frame_.axes[plan_.row_axis], frame_.axes[1 - plan_.row_axis]);
    } else {
      moved_.rules = same_rules(plan_.moved, frame_.axes);
    }
    if (has_size_) moved_.write(plan_.moved);
  }

  // for column in 0 .. size { the core for row * size + column }
  void write_loop() {
    const auto size = write_size(*plan_.row_size, other_, to_);
    has_size_ = size.has_value();
    if (!has_size_) return;
    const std::uint32_t column = to_.variable("column", ir::kU32, false);
    to_.open();
    set_loop_rules(column);
    moved_.write(plan_.moved);
    ir::Stmt loop;
    loop.kind = StmtKind::for_;
    loop.variable = column;
    loop.args = {to_.u32(0), *size, to_.u32(1)};
    loop.body = to_.close();
    to_.stmt(std::move(loop));
  }

  void set_loop_rules(std::uint32_t column) {
    const std::uint32_t row = frame_.axes[0];
    const std::vector<RadixAxis>& axes = plan_.moved.axes;
    if (axes.size() == 1) return set_element_rules(row, column);
    moved_.rules = {{axes[plan_.row_axis].number, row}, {axes[1 - plan_.row_axis].number, column}};
  }

  void set_element_rules(std::uint32_t row, std::uint32_t column) {
    auto rules =
        element_rules({other_, plan_.moved.axes[0].number, *plan_.row_size}, row, column, to_);
    has_size_ = rules.has_value();
    if (has_size_) moved_.rules = *std::move(rules);
  }

  const CoreParts& parts_;
  const CorePlan& plan_;
  const Analysed& kept_;
  const Analysed& other_;
  ir::ProgramWriter to_;
  FrameRewriter frame_;
  Reindexer moved_;
  bool has_size_ = true;
  JoinedCores out_;
};

}  // namespace

std::optional<Refusal> refuse_side(const CoreParts& parts, const Analysed& side) {
  const ir::Program& p = side.program;
  if (contains(p, p.body, StmtKind::barrier)) {
    return refused(parts, "barrier", fmt::format("{} has a barrier", quote(p.name)));
  }
  const auto is_array = [](const ir::Buffer& b) { return !ir::is_bound(b.access); };
  const auto array = std::ranges::find_if(p.buffers, is_array);
  if (array != p.buffers.end()) {
    return refused(
        parts, "array",
        fmt::format("{} keeps values in the array {}", quote(p.name), quote(array->name)));
  }
  const std::size_t frame = frame_size(p, p.body);
  const bool ends_early = contains(
      p, {p.body.begin() + static_cast<std::ptrdiff_t>(frame), p.body.end()}, StmtKind::return_);
  if (ends_early) {
    return refused(parts, "return",
                   fmt::format("an invocation of {} may end early", quote(p.name)));
  }
  return std::nullopt;
}

std::expected<JoinedCores, Refusal> write_cores(const CoreParts& parts, const CorePlan& plan) {
  return CoreWriter(parts, plan).run();
}

std::optional<Refusal> refuse_parts(const CoreParts& parts) {
  for (const Analysed* side : {&parts.producer, &parts.consumer}) {
    if (auto refusal = refuse_side(parts, *side)) return refusal;
  }
  return std::nullopt;
}

std::optional<Refusal> refuse_zeroed(const CoreParts& parts) {
  for (const ir::Buffer& b : parts.consumer.program.buffers) {
    if (b.access != ir::Access::write) continue;
    const auto& before = parts.producer.program.buffers;
    if (std::ranges::find(before, b.name, &ir::Buffer::name) == before.end()) continue;
    return refused(
        parts, "zeroed",
        fmt::format("{} starts {} as zeros, which {} uses", quote(parts.consumer.program.name),
                    quote(b.name), quote(parts.producer.program.name)));
  }
  return std::nullopt;
}

namespace {

// The accesses of one buffer that both cores touch.
class SharedBuffer {
 public:
  SharedBuffer(const JoinedCores& joined, bounds::Accesses& accesses, std::uint32_t buffer)
      : joined_(joined), accesses_(accesses) {
    for (const bounds::MemoryAccess& a : accesses.all()) {
      if (a.buffer != buffer) continue;
      const bool is_moved = a.stmt >= joined.first_moved && a.stmt < joined.last_moved;
      all_.push_back(&a);
      (is_moved ? in_moved_ : in_frame_) = true;
      is_written_ = is_written_ || a.kind != bounds::AccessKind::load;
    }
  }

  bool is_shared() const { return in_moved_ && in_frame_ && is_written_; }

  // How the frame's numbers follow from an element, the same for all accesses. None if two numbers
  // may touch one element.
  std::optional<std::vector<bounds::Digit>> owner() {
    for (const bounds::MemoryAccess* first : all_) {
      const auto digits = accesses_.digits(*first, owner_atoms(first->index));
      if (digits && std::ranges::all_of(all_, [&](const bounds::MemoryAccess* a) {
            return accesses_.has_digits(*a, *digits);
          })) {
        return digits;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<bounds::Atom> owner_atoms(const Poly& index) const {
    if (joined_.by_group) return group_atoms(accesses_);
    if (joined_.numbers.empty()) return accesses_.invocation_atoms(index);
    std::vector<bounds::Atom> out;
    for (const std::uint32_t variable : joined_.numbers) {
      if (const auto atom = bounds::as_atom(accesses_.variable(variable))) out.push_back(*atom);
    }
    return out;
  }

  const JoinedCores& joined_;
  bounds::Accesses& accesses_;
  std::vector<const bounds::MemoryAccess*> all_;
  bool in_moved_ = false;
  bool in_frame_ = false;
  bool is_written_ = false;
};

}  // namespace

std::expected<bool, Refusal> check_sharing(const CoreParts& parts, const JoinedCores& joined) {
  bounds::Assumptions assumptions;
  assumptions.opaque = joined.numbers;
  bounds::Accesses accesses(joined.program, assumptions);
  bool has_segments = false;
  for (std::uint32_t k = 0; k < joined.program.buffers.size(); ++k) {
    SharedBuffer buffer(joined, accesses, k);
    if (!buffer.is_shared()) continue;
    const auto owner = buffer.owner();
    if (!owner) {
      return std::unexpected(*refused(
          parts, "shared",
          fmt::format("{} is written by one of {} and {} and touched by the other one at elements "
                      "that may belong to other {}",
                      quote(joined.program.buffers[k].name), quote(parts.producer.program.name),
                      quote(parts.consumer.program.name),
                      joined.by_group ? "workgroups" : "invocations")));
    }
    const bool has_digit = !owner->empty() && !owner->back().stride.terms().empty();
    has_segments = has_segments || (has_digit && owner->back().stride != Poly(1));
  }
  return has_segments;
}

}  // namespace vyre::fuse
