#include "fake_cuda/driver/ptx_scopes.h"

#include <charconv>

#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {

Scopes::Scopes(Function& function) : function_(function) { open_.emplace_back(); }

void Scopes::open() {
  const auto id = static_cast<std::uint32_t>(function_.scope_parents.size());
  function_.scope_parents.push_back(current());
  open_.push_back({id, {}, {}});
}

void Scopes::close() { open_.pop_back(); }

Operand Scopes::new_register(Type type) {
  Operand operand;
  operand.kind = OperandKind::kRegister;
  operand.type = type;
  operand.slot = kFirstRegister + function_.registers++;
  return operand;
}

void Scopes::declare(const std::string& name, Type type) {
  open_.back().names[name] = new_register(type);
}

void Scopes::declare_range(const std::string& prefix, std::uint64_t count, Type type) {
  open_.back().ranges[prefix] = {count, type};
}

void Scopes::declare(const Variable& variable) {
  Operand operand;
  operand.kind = OperandKind::kVariable;
  operand.variable = &variable;
  open_.back().names[variable.name] = operand;
}

std::optional<Operand> Scopes::find(std::string_view name) {
  for (auto scope = open_.rbegin(); scope != open_.rend(); ++scope) {
    if (auto found = find_in(*scope, name)) return found;
  }
  return std::nullopt;
}

std::optional<Operand> Scopes::find_in(Scope& scope, std::string_view name) {
  if (const auto known = scope.names.find(name); known != scope.names.end()) return known->second;
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const auto range = scope.ranges.find(name.substr(0, digits));
  if (range == scope.ranges.end() || digits == name.size()) return std::nullopt;
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(name.data() + digits, name.data() + name.size(), number);
  if (parsed.ec != std::errc() || number >= range->second.count) return std::nullopt;
  return scope.names[std::string(name)] = new_register(range->second.type);
}

}  // namespace fake_cuda
