// The functions that expressions may call.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "space/python/evaluation.h"

namespace vyre::space::detail {

enum class Function : std::uint8_t {
  abs,
  all,
  any,
  boolean,
  floating,
  integer,
  length,
  list,
  max,
  min,
  range,
  round,
};

struct FunctionInfo {
  std::string_view name;
  std::size_t least_arguments;
  std::size_t most_arguments;
};

const FunctionInfo& info(Function function);
std::optional<Function> find_function(std::string_view name);
std::span<const std::string> function_names();

// As many arguments as `info` allows. False, with the evaluation's problem set, where Python
// raises.
bool call(Evaluation& evaluation, Function function, std::span<const Cell> arguments, Cell& out);

}  // namespace vyre::space::detail
