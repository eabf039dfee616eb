#include "backend/reference/workgroup_runner.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "backend/reference/handlers_control.h"
#include "backend/reference/lanes.h"
#include "ir/native.h"
#include "ir/ops.h"

namespace vyre::backend::reference {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Value of an id for the invocation at `local` of workgroup `group`.
std::uint32_t id_value(std::uint32_t id, const Extent& local, const Extent& group,
                       const Extent& workgroup, const Extent& groups) {
  const std::uint32_t axis = ir::id_axis(id);
  switch (ir::id_kind(id)) {
    case ir::IdKind::global_id:
      return group[axis] * workgroup[axis] + local[axis];
    case ir::IdKind::local_id:
      return local[axis];
    case ir::IdKind::group_id:
      return group[axis];
    case ir::IdKind::global_size:
      return groups[axis] * workgroup[axis];
    case ir::IdKind::local_size:
      return workgroup[axis];
    case ir::IdKind::groups:
      return groups[axis];
  }
  return 0;
}

}  // namespace

void WorkgroupRunner::Free::operator()(std::byte* p) const {
  ::operator delete(p, std::align_val_t{kAlignment});
}

WorkgroupRunner::WorkgroupRunner(const Code& code, const ir::Program& program,
                                 const Extent& workgroup, bool detect_races)
    : code_(code), program_(program), workgroup_(workgroup), detect_races_(detect_races) {
  const std::size_t register_bytes = aligned(code.register_bytes);
  for (const Array& a : code.arrays) array_bytes_ += aligned(a.bytes);
  const std::size_t bytes = register_bytes + array_bytes_;
  memory_.reset(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{kAlignment})));
  std::memset(memory_.get(), 0, bytes);
  arrays_ = memory_.get() + register_bytes;
  machine_.registers = memory_.get();
  machine_.lanes = code.lanes;
  machine_.blocks = code.blocks;
  machine_.end = static_cast<std::uint32_t>(code.instructions.size());
  machine_.races = detect_races ? &races_ : nullptr;
  machine_.buffers.resize(program.buffers.size());
  std::byte* next = arrays_;
  for (const Array& a : code.arrays) {
    machine_.buffers[a.buffer] = {next, a.length};
    next += aligned(a.bytes);
  }
  for (const Preset& p : code.constants) fill_bits(p, p.value);
}

template <class T>
void WorkgroupRunner::fill(std::uint32_t offset, T value) {
  auto* lanes = machine_.reg<Stored<T>>(offset);
  std::fill_n(lanes, machine_.blocks * kLaneBlock, static_cast<Stored<T>>(value));
}

void WorkgroupRunner::fill_bits(const Preset& preset, std::uint64_t bits) {
  ir::with_type(preset.type, [&](auto t) {
    fill(preset.offset, ir::from_bits<decltype(t)>(bits));
    return true;
  });
}

void WorkgroupRunner::begin_launch(std::span<const Storage> bound, const Launch& launch,
                                   std::atomic<std::int64_t>& budget) {
  groups_ = launch.groups;
  std::size_t next = 0;
  for (std::size_t k = 0; k < program_.buffers.size(); ++k) {
    if (ir::is_bound(program_.buffers[k].access)) machine_.buffers[k] = bound[next++];
  }
  for (const Preset& p : code_.symbols) fill_bits(p, launch.symbols[p.value]);
  for (const Preset& p : code_.lengths) fill_bits(p, machine_.buffers[p.value].length);
  machine_.budget = &budget;
  machine_.budget_left = 0;
  machine_.out_of_budget = false;
}

void WorkgroupRunner::fill_ids(const Extent& group) {
  for (const Preset& p : code_.ids) {
    auto* lanes = machine_.reg<std::uint32_t>(p.offset);
    Extent local{0, 0, 0};
    for (std::uint32_t l = 0; l < machine_.lanes; ++l) {
      lanes[l] = id_value(static_cast<std::uint32_t>(p.value), local, group, workgroup_, groups_);
      if (++local[0] < workgroup_[0]) continue;
      local[0] = 0;
      if (++local[1] < workgroup_[1]) continue;
      local[1] = 0;
      ++local[2];
    }
  }
}

bool WorkgroupRunner::run(const Extent& group) {
  auto* mask = machine_.reg<std::uint32_t>(code_.mask);
  auto* alive = machine_.reg<std::uint32_t>(code_.alive);
  std::fill_n(mask, machine_.lanes, 1U);
  std::fill_n(alive, machine_.lanes, 1U);
  std::memset(arrays_, 0, array_bytes_);
  fill_ids(group);
  if (detect_races_) races_.barrier();
  if (!spend(machine_, machine_.end + 1)) return false;
  const Instr* code = code_.instructions.data();
  machine_.pc = 0;
  while (machine_.pc < machine_.end) {
    const Instr& i = code[machine_.pc++];
    i.run(machine_, i);
  }
  return !machine_.out_of_budget && !races_.race();
}

}  // namespace vyre::backend::reference
