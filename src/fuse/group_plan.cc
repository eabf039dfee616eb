#include "fuse/group_plan.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fuse/element_rules.h"
#include "fuse/launches.h"
#include "fuse/reindex.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

using bounds::Poly;
using bounds::RadixAxis;
using ir::IdKind;

// The plans with one stage as the keeper.
class GroupPlanner {
 public:
  GroupPlanner(const CoreParts& parts, bool keeps_producer, GroupPlans& out)
      : parts_(parts),
        keeps_producer_(keeps_producer),
        kept_(keeps_producer ? parts.producer : parts.consumer),
        other_(keeps_producer ? parts.consumer : parts.producer),
        out_(out) {}

  // A body that ends early would take the half behind it with it.
  void run() {
    const auto launch = find_group_launch(kept_.accesses);
    const auto rows = launch ? translate(launch->rows, kept_, other_) : std::nullopt;
    if (!rows) return;
    if (keeps_producer_ && has_return(kept_.program)) {
      out_.refusal = Refusal{"rows.return", fmt::format("an invocation of {} may end early",
                                                        quote(kept_.program.name))};
      return;
    }
    if (auto refusal = refuse_side(parts_, other_)) {
      out_.refusal = std::move(refusal);
      return;
    }
    const std::size_t before = out_.plans.size();
    for (const Domain& moved : other_.domains) add({{}, keeps_producer_, *launch, moved}, *rows);
    if (out_.plans.size() == before) out_.refusal = no_domain();
  }

 private:
  Refusal no_domain() const {
    return {"rows.domain",
            fmt::format("{} does not run for the rows that the workgroups of {} have, or for their "
                        "elements",
                        quote(other_.program.name), quote(kept_.program.name))};
  }

  void add(GroupPlan plan, const Poly& rows) {
    const std::vector<RadixAxis>& axes = plan.moved.axes;
    if (axes.size() == 1) return add_single(std::move(plan), rows);
    for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
      if (axes[axis].count != rows) continue;
      plan.form = GroupForm::elements;
      plan.row_axis = axis;
      plan.row_size = axes[1 - axis].count;
      out_.plans.push_back(plan);
    }
  }

  void add_single(GroupPlan plan, const Poly& rows) {
    const auto size = bounds::exact_quotient(plan.moved.axes[0].count, rows);
    if (!size) return;
    plan.form = *size == Poly(1) ? GroupForm::numbers : GroupForm::elements;
    plan.row_size = *size;
    out_.plans.push_back(std::move(plan));
  }

  const CoreParts& parts_;
  bool keeps_producer_;
  const Analysed& kept_;
  const Analysed& other_;
  GroupPlans& out_;
};

class GroupWriter {
 public:
  GroupWriter(const CoreParts& parts, const GroupPlan& plan)
      : parts_(parts),
        plan_(plan),
        kept_(plan.keeps_producer ? parts.producer : parts.consumer),
        other_(plan.keeps_producer ? parts.consumer : parts.producer),
        to_(start_program(parts.sequence, fmt::format("{}_{}", parts.producer.program.name,
                                                      parts.consumer.program.name))),
        keeper_(kept_.program, to_),
        body_(other_.program, to_),
        moved_(other_.program, to_, other_.accesses) {}

  std::expected<JoinedCores, Refusal> run() {
    ir::Rewriter& other = plan_.form == GroupForm::bodies ? body_ : moved_;
    (plan_.keeps_producer ? keeper_ : other).declare_buffers();
    (plan_.keeps_producer ? other : keeper_).declare_buffers();
    keeper_.declare_launch();
    if (plan_.keeps_producer) write_keeper();
    if (plan_.keeps_producer) write_barrier();
    write_other();
    if (!plan_.keeps_producer) write_barrier();
    if (!plan_.keeps_producer) write_keeper();
    if (moved_.problem || !has_size_) return problem();
    out_.by_group = true;
    out_.program = std::move(to_).finish();
    return std::move(out_);
  }

 private:
  std::expected<JoinedCores, Refusal> problem() const {
    return refuse("rows.frame",
                  fmt::format("{} uses {}, which only its own launch has",
                              quote(other_.program.name), moved_.problem.value_or("a row's size")));
  }

  void write_keeper() { keeper_.rewrite(kept_.program.body); }

  void write_barrier() {
    ir::Stmt barrier;
    barrier.kind = ir::StmtKind::barrier;
    to_.stmt(std::move(barrier));
  }

  void write_other() {
    out_.first_moved = static_cast<ir::StmtId>(to_.program().stmts.size());
    if (plan_.form == GroupForm::bodies) body_.rewrite(other_.program.body);
    if (plan_.form == GroupForm::elements) write_elements();
    if (plan_.form == GroupForm::numbers) write_numbers();
    out_.last_moved = static_cast<ir::StmtId>(to_.program().stmts.size());
  }

  std::uint32_t name_row() {
    return to_.let("row", to_.id(IdKind::group_id, plan_.launch.row_axis));
  }

  // for column in lane .. size step lanes { the core for row * size + column }
  void write_elements() {
    const std::uint32_t row = name_row();
    const auto size = write_size(*plan_.row_size, other_, to_);
    has_size_ = size.has_value();
    if (!has_size_) return;
    const std::uint32_t column = to_.variable("column", ir::kU32, false);
    to_.open();
    set_rules(row, column);
    if (has_size_) moved_.write(plan_.moved);
    ir::Stmt loop;
    loop.kind = ir::StmtKind::for_;
    loop.variable = column;
    loop.args = {to_.id(IdKind::local_id, plan_.launch.lane_axis), *size,
                 to_.id(IdKind::local_size, plan_.launch.lane_axis)};
    loop.body = to_.close();
    to_.stmt(std::move(loop));
  }

  void set_rules(std::uint32_t row, std::uint32_t column) {
    const std::vector<RadixAxis>& axes = plan_.moved.axes;
    if (axes.size() == 2) {
      moved_.rules = {{axes[plan_.row_axis].number, row},
                      {axes[1 - plan_.row_axis].number, column}};
      return;
    }
    auto rules = element_rules({other_, axes[0].number, *plan_.row_size}, row, column, to_);
    has_size_ = rules.has_value();
    if (has_size_) moved_.rules = *std::move(rules);
  }

  // if lane == 0 { the core for the row }
  void write_numbers() {
    const std::uint32_t row = name_row();
    to_.open();
    moved_.rules = {{plan_.moved.axes[0].number, row}};
    moved_.write(plan_.moved);
    const ir::ExprId lane = to_.id(IdKind::local_id, plan_.launch.lane_axis);
    to_.close_if(to_.op(ir::Op::eq, {lane, to_.u32(0)}));
  }

  const CoreParts& parts_;
  const GroupPlan& plan_;
  const Analysed& kept_;
  const Analysed& other_;
  ir::ProgramWriter to_;
  ir::Rewriter keeper_;
  ir::Rewriter body_;  // of the other stage as a whole
  Reindexer moved_;    // of its core
  bool has_size_ = true;
  JoinedCores out_;
};

}  // namespace

// Two bodies that cannot leave their launches have only one way. Two that both could are joined
// without a barrier by a merge, or by rows of invocations.
GroupPlans plan_groups(const CoreParts& parts) {
  GroupPlans out;
  const ir::Program& first = parts.producer.program;
  const ir::Program& second = parts.consumer.program;
  const bool is_same = have_same_launch(first, second);
  if (is_same && !has_return(first)) out.plans.push_back({});
  if (is_cooperative(first) != is_cooperative(second)) {
    GroupPlanner(parts, is_cooperative(first), out).run();
  } else if (is_cooperative(first) && is_same && has_return(first)) {
    out.refusal =
        Refusal{"rows.return", fmt::format("an invocation of {} may end early", quote(first.name))};
  } else if (is_cooperative(first) && !is_same) {
    out.refusal =
        Refusal{"rows.launch", fmt::format("{} and {} do not have the same workgroups and the same "
                                           "number of them",
                                           quote(first.name), quote(second.name))};
  }
  return out;
}

std::expected<JoinedCores, Refusal> write_groups(const CoreParts& parts, const GroupPlan& plan) {
  return GroupWriter(parts, plan).run();
}

}  // namespace vyre::fuse
