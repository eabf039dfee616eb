#include "fuse/finish.h"

#include <algorithm>

#include "fuse/forward.h"
#include "fuse/keep_local.h"
#include "fuse/reside.h"

namespace vyre::fuse {
namespace {

// Buffers of the program that are scratch of the sequence and that no other step reads.
std::vector<bool> droppable(const ir::Program& program, const JoinContext& context) {
  std::vector<bool> out;
  const auto& buffers = context.sequence.buffers;
  for (const ir::Buffer& b : program.buffers) {
    const auto it = std::ranges::find(buffers, b.name, &ir::Buffer::name);
    const bool is_scratch = it != buffers.end() && it->access == ir::Access::private_;
    const auto index = static_cast<std::size_t>(it - buffers.begin());
    out.push_back(is_scratch && !context.is_needed[index] && b.access == ir::Access::write);
  }
  return out;
}

// The variables with these names.
std::vector<std::uint32_t> find_variables(const ir::Program& program,
                                          const std::vector<std::string>& names) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t k = 0; k < program.variables.size(); ++k) {
    const bool is_one = std::ranges::find(names, program.variables[k].name) != names.end();
    if (is_one) out.push_back(k);
  }
  return out;
}

}  // namespace

std::expected<Stage, Refusal> finish(const JoinedCores& joined, const JoinContext& context) {
  if (joined.by_group) {
    ir::Program kept = keep_local(joined.program, droppable(joined.program, context));
    kept = reside(kept, RowOwner{.is_group = true}, droppable(kept, context));
    return make_stage(context.sequence, std::move(kept));
  }
  std::vector<std::string> names;
  for (const std::uint32_t v : joined.numbers) names.push_back(joined.program.variables[v].name);
  ir::Program program =
      forward(joined.program, {joined.numbers, droppable(joined.program, context)});
  program = reside(program, RowOwner{find_variables(program, names)}, droppable(program, context));
  return make_stage(context.sequence, std::move(program));
}

}  // namespace vyre::fuse
