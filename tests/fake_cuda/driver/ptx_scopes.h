// Scopes: the registers and variables that a name means within the braces of a function.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fake_cuda/driver/ptx_module.h"

namespace fake_cuda {

class Scopes {
 public:
  // Registers are numbered in `function`, which outlives this.
  explicit Scopes(Function& function);

  void open();
  void close();
  std::uint32_t current() const { return open_.back().id; }
  std::size_t depth() const { return open_.size(); }

  void declare(const std::string& name, Type type);
  // name0 to name(count - 1), as `.reg .b32 %r<8>` does. Only those that are used get a slot.
  void declare_range(const std::string& prefix, std::uint64_t count, Type type);
  void declare(const Variable& variable);

  // A register or a variable.
  std::optional<Operand> find(std::string_view name);

 private:
  struct Range {
    std::uint64_t count = 0;
    Type type = Type::kNone;
  };
  struct Scope {
    std::uint32_t id = 0;
    std::map<std::string, Operand, std::less<>> names;
    std::map<std::string, Range, std::less<>> ranges;
  };

  std::optional<Operand> find_in(Scope& scope, std::string_view name);
  Operand new_register(Type type);

  Function& function_;
  std::vector<Scope> open_;
};

}  // namespace fake_cuda
