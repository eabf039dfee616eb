#include "fuse/needed.h"

#include "ir/ops.h"

namespace vyre::fuse {
namespace {

enum class Use : std::uint8_t { none, loads, replaces };

// How a step begins to use a buffer: a program's `write` buffer is zeros when the step starts, so
// its old content is gone.
Use use_of(const ir::SequenceDef& sequence, std::uint32_t step, std::uint32_t buffer) {
  const ir::Step& s = sequence.steps[step];
  std::size_t bound = 0;
  Use out = Use::none;
  for (const ir::Buffer& b : sequence.programs[s.program].buffers) {
    if (!ir::is_bound(b.access) || s.buffers[bound++] != buffer) continue;
    if (b.access != ir::Access::write) return Use::loads;
    // A step that may be off does not replace anything for sure.
    if (s.when == ir::kNone) out = Use::replaces;
  }
  return out;
}

// Whether the content is loaded by the steps [from, to) before one of them replaces it.
Use first_use(const ir::SequenceDef& sequence, std::uint32_t from, std::uint32_t to,
              std::uint32_t buffer) {
  for (std::uint32_t step = from; step < to; ++step) {
    const Use use = use_of(sequence, step, buffer);
    if (use != Use::none) return use;
  }
  return Use::none;
}

bool is_loaded_later(const ir::SequenceDef& sequence, std::uint32_t first, std::uint32_t last,
                     std::uint32_t buffer) {
  const auto steps = static_cast<std::uint32_t>(sequence.steps.size());
  const auto& repeat = sequence.repeat;
  const bool is_repeated = repeat && first >= repeat->first && last < repeat->last;
  if (!is_repeated) return first_use(sequence, last + 1, steps, buffer) == Use::loads;
  const Use rest = first_use(sequence, last + 1, repeat->last, buffer);
  if (rest != Use::none) return rest == Use::loads;
  return first_use(sequence, repeat->last, steps, buffer) == Use::loads ||
         first_use(sequence, repeat->first, last + 1, buffer) == Use::loads;
}

}  // namespace

std::vector<bool> needed_after(const ir::SequenceDef& sequence, std::uint32_t first,
                               std::uint32_t last) {
  std::vector<bool> out;
  for (std::uint32_t buffer = 0; buffer < sequence.buffers.size(); ++buffer) {
    const bool is_flag = sequence.repeat && sequence.repeat->until == buffer;
    out.push_back(is_flag || ir::gives_output(sequence.buffers[buffer].access) ||
                  is_loaded_later(sequence, first, last, buffer));
  }
  return out;
}

}  // namespace vyre::fuse
