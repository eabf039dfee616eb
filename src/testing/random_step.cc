#include "testing/random_step.h"

#include <fmt/format.h>

#include "ir/ops.h"
#include "testing/step_lines.h"

namespace vyre::testing {
namespace {

using ir::Scalar;

class StepWriter : public StripLines {
 public:
  using StripLines::StripLines;

  std::string write() {
    declare();
    switch (step_.kind) {
      case StepKind::map:
        map();
        break;
      case StepKind::map2:
        map2();
        break;
      case StepKind::row_sum:
        row_sum();
        break;
      case StepKind::row_write:
        row_write();
        break;
      case StepKind::column_sum:
        column_sum();
        break;
      case StepKind::slide:
        slide();
        break;
      case StepKind::group_sum:
        group_sum();
        break;
      case StepKind::atomic_count:
        atomic_count();
        break;
    }
    return text_ + "}\n";
  }

 private:
  // --- Maps. ---

  void map() {
    const std::string n = length_text(step_.output.span);
    const bool has_items = chance(2);
    per_group_ = has_items ? fmt::format("block{0} * items{0}", own_) : "block" + own_;
    if (has_items || !chance(4)) launch(n);  // else the grid follows from the output
    add_loads_of_map();
    if (has_items) {
      line("  for k: u32 in 0u .. items{0}{1} {{", own_, chance(2) ? " unroll items" + own_ : "");
      line("    let i: u32 = global_id(0) * items{} + k", own_);
    } else {
      line("  let i: u32 = global_id(0)");
      if (chance(16)) line("  if i >= {} {{\n    return\n  }}", n);
    }
    guarded_store("i", "i < " + n, "i + 1u < " + n);
    if (has_items) line("  }}");
  }

  void add_loads_of_map() {
    const bool is_matrix = step_.output.span == Span::matrix;
    for (const ChainBuffer& b : step_.reads) {
      if (b.span == step_.output.span) {
        add(b, "i");
        if (chance(3)) add(b, "i + 1u");
        if (chance(4)) add(b, "i - 1u");
        if (chance(12)) add(b, length_text(b.span) + " - 1u - i");
      } else if (b.span == Span::matrix) {
        add(b, step_.output.span == Span::row ? "i * cols" : "i");
      } else if (is_matrix) {
        add(b, b.span == Span::row ? "i / cols" : "i % cols");
      } else {
        add(b, "i");
      }
    }
    add_own("i");
  }

  // With several rows for an invocation, or several columns.
  void map2() {
    const std::uint64_t form = below(3);
    per_group_ = form == 1 ? fmt::format("block{0} * items{0}", own_) : "block" + own_;
    launch("cols", form == 2 ? fmt::format("(rows + items{0} - 1u) / items{0}", own_) : "rows");
    const std::string unroll = chance(2) ? " unroll items" + own_ : "";
    if (form == 0) line("  let r: u32 = global_id(1)\n  let c: u32 = global_id(0)");
    if (form != 0) line("  for k: u32 in 0u .. items{}{} {{", own_, unroll);
    if (form == 1) {
      line("    let r: u32 = global_id(1)\n    let c: u32 = global_id(0) * items{} + k", own_);
    }
    if (form == 2) {
      line("    let r: u32 = global_id(1) * items{} + k\n    let c: u32 = global_id(0)", own_);
    }
    add_loads_of_matrix();
    const bool is_transposed = !step_.in_place && chance(12);
    guarded_store(is_transposed ? "c * rows + r" : "r * cols + c", "c < cols & r < rows",
                  "c < cols & r + 1u < rows");
    if (form != 0) line("  }}");
  }

  // The condition of a store: mostly the one that covers everything. A condition on a value stands
  // inside, because both sides of `&` are evaluated and the value of an element outside would be
  // one of another invocation.
  void guarded_store(const std::string& index, const std::string& all, const std::string& not_all) {
    line("    if {} {{", chance(16) ? not_all : all);
    const bool asks_values = chance(16);
    if (asks_values) line("    if {} > {} {{", expr(Scalar::u32, 1), expr(Scalar::u32, 1));
    if (chance(3)) {
      line("      let value: f32 = {}", expr(Scalar::f32, 2));
      terms_.add("value", Scalar::f32);
    }
    line("      {}[{}] = {}", step_.output.name, index, expr(step_.output.type, 3));
    if (chance(14)) line("      {}[{}] = {}", step_.output.name, index, expr(step_.output.type, 1));
    if (asks_values) line("    }}");
    line("    }}");
  }

  // --- Rows. ---

  void begin_rows() {
    per_group_ = "block" + own_;
    launch("rows");
    line("  let r: u32 = global_id(0)\n  if r < rows {{");
  }

  void row_sum() {
    begin_rows();
    const Scalar type = step_.output.type;
    line("    var sum: {} = {}", ir::name_of(type), terms_.constant(type));
    static constexpr const char* kRanges[] = {"0u .. cols", "0u .. cols", "0u .. cols unroll 2u",
                                              "1u .. cols", "0u .. cols step 2u"};
    line("    for c: u32 in {} {{", kRanges[below(std::size(kRanges))]);
    add_loads_of_matrix();
    const std::string term = expr(type, 2);
    line("      sum = {}", chance(4) ? fmt::format("max(sum, {})", term) : "sum + " + term);
    line("    }}");
    keep_loads_of_rows();
    terms_.add("sum", type);
    line("    {}[r] = {}", step_.output.name, chance(2) ? "sum" : "sum + " + expr(type, 1));
    line("  }}");
  }

  // Only what needs no column.
  void keep_loads_of_rows() {
    terms_.clear();
    for (const ChainBuffer& b : step_.reads) {
      if (b.span == Span::row) add(b, "r");
    }
    if (step_.output.span == Span::row) add_own("r");
  }

  void row_write() {
    begin_rows();
    line("    for c: u32 in 0u .. cols{} {{", chance(2) ? " unroll 2u" : "");
    add_loads_of_matrix();
    line("      {}[r * cols + c] = {}", step_.output.name, expr(step_.output.type, 3));
    line("    }}\n  }}");
  }

  // Each invocation sums a part of the row; the first adds the parts in order.
  void group_sum() {
    const Scalar type = step_.output.type;
    const auto name = ir::name_of(type);
    line("  local parts: {}[block{}]", name, own_);
    line("  workgroup [block{}]\n  grid [rows]", own_);
    line("  let r: u32 = group_id(0)\n  let lane: u32 = local_id(0)");
    line("  var part: {} = {}", name, zero(type));
    line("  for c: u32 in lane .. cols step block{} {{", own_);
    add_loads_of_matrix();
    line("    part = part + {}", expr(type, 2));
    line("  }}\n  parts[lane] = part\n  barrier\n  if lane == 0u {{");
    line("    var sum: {} = {}", name, zero(type));
    line("    for k: u32 in 0u .. block{} {{\n      sum = sum + parts[k]\n    }}", own_);
    line("    {}[r] = sum\n  }}", step_.output.name);
  }

  void atomic_count() {
    per_group_ = "block" + own_;
    launch("rows * cols");
    line("  let i: u32 = global_id(0)\n  if i < rows * cols {{");
    for (const ChainBuffer& b : step_.reads) add(b, "i");
    line("    atomic_add({}, i % {}, {})\n  }}", step_.output.name, length_text(step_.output.span),
         expr(Scalar::u32, 2));
  }

  static const char* zero(Scalar type) {
    return type == Scalar::f32 ? "0.0f" : type == Scalar::u32 ? "0u" : "0i";
  }
};

}  // namespace

std::string length_text(Span span) {
  if (span == Span::matrix) return "(rows * cols)";
  return span == Span::row ? "rows" : "cols";
}

std::string program_text(const StepPlan& step, std::mt19937_64& random) {
  return StepWriter(step, random).write();
}

}  // namespace vyre::testing
