#include "backend/vulkan/spirv_info.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

using Words = std::span<const std::uint32_t>;

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kModuleHeaderWords = 5;

enum class Opcode : std::uint16_t {
  name = 5,
  member_name = 6,
  execution_mode = 16,
  capability = 17,
  type_bool = 20,
  type_int = 21,
  type_float = 22,
  type_vector = 23,
  type_array = 28,
  type_struct = 30,
  type_pointer = 32,
  constant = 43,
  spec_constant_true = 48,
  spec_constant_false = 49,
  spec_constant = 50,
  spec_constant_composite = 51,
  variable = 59,
  decorate = 71,
  member_decorate = 72,
};

// Numbers of SPIR-V's specification.
constexpr std::uint32_t kSpecId = 1, kBufferBlock = 3, kBuiltIn = 11, kBinding = 33, kSet = 34,
                        kOffset = 35;
constexpr std::uint32_t kWorkgroupSize = 25;
constexpr std::uint32_t kLocalSize = 17;
constexpr std::uint32_t kUniformConstant = 0, kUniform = 2, kWorkgroup = 4, kPushConstant = 9,
                        kStorageBuffer = 12;

struct Type {
  SpirvType type = SpirvType::other;
  std::uint64_t bytes = 0;
};

// What the instructions say of each id, by the id.
class Reader {
 public:
  void take(Opcode opcode, Words w) {
    switch (opcode) {
      case Opcode::capability:
        out_.capabilities.push_back(at(w, 0));
        break;
      case Opcode::name:
        names_[at(w, 0)] = text(w, 1);
        break;
      case Opcode::member_name:
        member_names_[{at(w, 0), at(w, 1)}] = text(w, 2);
        break;
      case Opcode::execution_mode:
        if (at(w, 1) == kLocalSize) out_.workgroup = {at(w, 2), at(w, 3), at(w, 4)};
        break;
      case Opcode::decorate:
        decorations_[{at(w, 0), at(w, 1)}] = at(w, 2);
        break;
      case Opcode::member_decorate:
        if (at(w, 2) == kOffset) offsets_[{at(w, 0), at(w, 1)}] = at(w, 3);
        break;
      default:
        take_type_or_value(opcode, w);
    }
  }

  SpirvInfo finish() && {
    find_workgroup();
    std::ranges::sort(out_.resources, {}, &SpirvInfo::Resource::binding);
    return std::move(out_);
  }

 private:
  static std::uint32_t at(Words w, std::size_t k) { return k < w.size() ? w[k] : 0; }

  static std::string text(Words w, std::size_t from) {
    std::string out;
    for (std::size_t k = from; k < w.size(); ++k) {
      for (std::uint32_t shift = 0; shift < 32; shift += 8) {
        const char c = static_cast<char>(w[k] >> shift & 0xffU);
        if (c == '\0') return escaped(out);
        out += c;
      }
    }
    return escaped(out);
  }

  void take_type_or_value(Opcode opcode, Words w) {
    switch (opcode) {
      case Opcode::type_bool:
        types_[at(w, 0)] = {SpirvType::boolean, 4};
        break;
      case Opcode::type_int:
        types_[at(w, 0)] = {at(w, 2) == 0 ? SpirvType::natural : SpirvType::whole, at(w, 1) / 8};
        break;
      case Opcode::type_float:
        types_[at(w, 0)] = {SpirvType::real, at(w, 1) / 8};
        break;
      case Opcode::type_vector:
        types_[at(w, 0)] = {SpirvType::other, types_[at(w, 1)].bytes * at(w, 2)};
        break;
      case Opcode::type_array:
        types_[at(w, 0)] = {SpirvType::other, types_[at(w, 1)].bytes * values_[at(w, 2)]};
        break;
      case Opcode::constant:
        values_[at(w, 1)] = at(w, 2);
        break;
      case Opcode::type_struct:
        structs_[at(w, 0)].assign(w.begin() + 1, w.end());
        break;
      case Opcode::type_pointer:
        pointees_[at(w, 0)] = at(w, 2);
        break;
      case Opcode::spec_constant_true:
      case Opcode::spec_constant_false:
      case Opcode::spec_constant:
        take_constant(at(w, 0), at(w, 1));
        break;
      case Opcode::spec_constant_composite:
        if (find(at(w, 1), kBuiltIn) == kWorkgroupSize) workgroup_ids_ = {w.begin() + 2, w.end()};
        break;
      case Opcode::variable:
        take_variable(at(w, 0), at(w, 1), at(w, 2));
        break;
      default:
        break;
    }
  }

  std::optional<std::uint32_t> find(std::uint32_t id, std::uint32_t decoration) const {
    const auto it = decorations_.find({id, decoration});
    return it == decorations_.end() ? std::nullopt : std::optional(it->second);
  }

  void take_constant(std::uint32_t type, std::uint32_t id) {
    const auto spec = find(id, kSpecId);
    if (!spec) return;
    const Type& of = types_[type];
    constants_[id] = out_.constants.size();
    out_.constants.push_back({.id = *spec,
                              .name = names_[id],
                              .type = of.type,
                              .bytes = static_cast<std::uint32_t>(of.bytes)});
  }

  void take_variable(std::uint32_t pointer, std::uint32_t id, std::uint32_t storage) {
    const std::uint32_t type = pointees_[pointer];
    if (storage == kPushConstant) return take_push_constants(type);
    if (storage == kWorkgroup) out_.shared_bytes += types_[type].bytes;
    const bool is_resource =
        storage == kUniformConstant || storage == kUniform || storage == kStorageBuffer;
    if (!is_resource) return;
    const std::string& name = names_[id].empty() ? names_[type] : names_[id];
    const bool is_buffer =
        storage == kStorageBuffer || (storage == kUniform && find(type, kBufferBlock));
    out_.resources.push_back({.name = name,
                              .set = find(id, kSet).value_or(0),
                              .binding = find(id, kBinding).value_or(0),
                              .is_storage_buffer = is_buffer});
  }

  void take_push_constants(std::uint32_t type) {
    const std::vector<std::uint32_t>& members = structs_[type];
    for (std::uint32_t k = 0; k < members.size(); ++k) {
      out_.push_constants.push_back(
          {.name = member_names_[{type, k}],
           .offset = offsets_[{type, k}],
           .bytes = static_cast<std::uint32_t>(types_[members[k]].bytes)});
    }
  }

  void find_workgroup() {
    for (std::size_t axis = 0; axis < workgroup_ids_.size() && axis < 3; ++axis) {
      const auto it = constants_.find(workgroup_ids_[axis]);
      if (it == constants_.end()) continue;
      out_.constants[it->second].axis = axis;
      out_.workgroup[axis] = 0;
    }
  }

  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  SpirvInfo out_;
  std::map<std::uint32_t, std::string> names_;
  std::map<Pair, std::string> member_names_;
  std::map<Pair, std::uint32_t> decorations_;  // of an id, by the decoration
  std::map<Pair, std::uint32_t> offsets_;      // of a struct's members
  std::map<std::uint32_t, Type> types_;
  std::map<std::uint32_t, std::uint32_t> values_;  // of constants
  std::map<std::uint32_t, std::vector<std::uint32_t>> structs_;
  std::map<std::uint32_t, std::uint32_t> pointees_;
  std::map<std::uint32_t, std::size_t> constants_;  // their places in out_
  std::vector<std::uint32_t> workgroup_ids_;
};

}  // namespace

Expected<SpirvInfo> describe_spirv(std::span<const std::uint32_t> words) {
  if (words.size() < kModuleHeaderWords || words[0] != kMagic) {
    return backend_error("{} words are no SPIR-V module", words.size());
  }
  Reader reader;
  for (std::size_t at = kModuleHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16U;
    if (count == 0 || count > words.size() - at) {
      return backend_error("a SPIR-V module ends within an instruction, at word {}", at);
    }
    reader.take(static_cast<Opcode>(words[at] & 0xffffU), words.subspan(at + 1, count - 1));
    at += count;
  }
  return std::move(reader).finish();
}

}  // namespace vyre::backend::vulkan
