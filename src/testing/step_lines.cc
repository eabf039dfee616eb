#include "testing/step_lines.h"

#include <algorithm>

#include "ir/ops.h"

namespace vyre::testing {

void StepLines::declare() {
  own_ = chance(3) ? "_" + step_.name : "";
  line("program {} {{", step_.name);
  line("  shape rows: u32\n  shape cols: u32\n  scalar s: f32\n  scalar t: u32");
  line("  tunable block{}: u32 = 4u in 1u, 4u, 8u", own_);
  line("  tunable items{}: u32 = 1u in 1u, 2u, 3u", own_);
  for (const ChainBuffer& b : step_.reads) declare_buffer("read", b);
  declare_buffer(step_.in_place ? "read_write" : "write", step_.output);
}

void StepLines::declare_buffer(const char* access, const ChainBuffer& b) {
  line("  {} {}: {}[{}]", access, b.name, ir::name_of(b.type), length_text(b.span));
}

void StepLines::launch(const std::string& across, const std::string& down) {
  line("  workgroup [block{}]", own_);
  line("  grid [({} + {} - 1u) / ({}){}]", across, per_group_, per_group_,
       down.empty() ? "" : ", " + down);
}

void StepLines::add_loads_of_matrix() {
  for (const ChainBuffer& b : step_.reads) {
    if (b.span == Span::row) add(b, "r");
    if (b.span == Span::column) add(b, "c");
    if (b.span != Span::matrix) continue;
    add(b, "r * cols + c");
    if (!chance(3)) continue;
    static constexpr const char* kOthers[] = {
        "(r + 1u) * cols + c",
        "min(r + 1u, rows - 1u) * cols + c",
        "r * cols + min(c + 1u, cols - 1u)",
        "r * cols + (c - min(c, 1u))",
        "(r - min(r, 1u)) * cols + c",
        "r * cols + c + 1u",
        "c * rows + r",
    };
    for (std::uint64_t k = 1 + below(3); k > 0; --k) add(b, kOthers[below(std::size(kOthers))]);
  }
  if (step_.output.span == Span::matrix) add_own("r * cols + c");
}

// The last strip may be shorter: it has a loop of its own, or the end of the loop is the smaller of
// two numbers. Some strips leave a column out.
void StripLines::column_sum() {
  per_group_ = fmt::format("block{0} * items{0}", own_);
  line("  private sums: {}[items{}]", ir::name_of(step_.output.type), own_);
  launch("cols");
  line("  let first: u32 = min(global_id(0) * items{}, cols)", own_);
  if (chance(4)) {
    sum_columns(fmt::format("min(items{}, cols - first)", own_));
  } else {
    line("  if cols - first {} items{} {{", chance(6) ? ">" : ">=", own_);
    sum_columns("items" + own_);
    line("  }} else {{");
    sum_columns(chance(10) ? "cols - first - min(cols - first, 1u)" : "cols - first");
    line("  }}");
  }
  line("  for k: u32 in 0u .. items{0} {{\n    let c: u32 = global_id(0) * items{0} + k", own_);
  line("    if c < cols {{\n      {}[c] = sums[k]\n    }}\n  }}", step_.output.name);
}

void StripLines::sum_columns(const std::string& columns) {
  line("  for r: u32 in 0u .. rows {{\n    for k: u32 in 0u .. {} {{", columns);
  line("      let c: u32 = first + k");
  terms_.clear();
  add_loads_of_matrix();
  line("      sums[k] = sums[k] + {}{}\n    }}\n  }}", expr(step_.output.type, 2), own_element());
}

// The element of the first matrix that every strip adds.
std::string StripLines::own_element() const {
  const auto matrix = std::ranges::find(step_.reads, Span::matrix, &ChainBuffer::span);
  if (matrix == step_.reads.end()) return "";
  const std::string load = matrix->name + "[r * cols + first + k]";
  if (matrix->type == step_.output.type) return " + " + load;
  return fmt::format(" + {}({})", ir::name_of(step_.output.type), load);
}

// An invocation goes down a few rows and keeps the value of the row before. Rows are clamped to the
// last one, and at times to one that does not exist.
void StripLines::slide() {
  per_group_ = "block" + own_;
  launch("cols", fmt::format("(rows + items{0} - 1u) / items{0}", own_));
  const char* last = chance(6) ? "rows" : "rows - 1u";
  line("  let c: u32 = global_id(0)\n  if c < cols {{");
  const auto add_row = [&](const std::string& row) {
    terms_.clear();
    for (const ChainBuffer& b : step_.reads) {
      if (b.span == Span::matrix) add(b, fmt::format("min({}, {}) * cols + c", row, last));
    }
  };
  add_row(fmt::format("global_id(1) * items{}", own_));
  line("    var above: f32 = {}", expr(ir::Scalar::f32, 2));
  line("    for k: u32 in 0u .. items{0} unroll items{0} {{", own_);
  line("      let r: u32 = global_id(1) * items{} + k", own_);
  add_row("r + 1u");
  line("      let here: f32 = {}", expr(ir::Scalar::f32, 2));
  terms_.add("above", ir::Scalar::f32);
  terms_.add("here", ir::Scalar::f32);
  line("      if r < rows {{\n        {}[r * cols + c] = {}\n      }}", step_.output.name,
       expr(step_.output.type, 2));
  line("      above = here\n    }}\n  }}");
}

}  // namespace vyre::testing
