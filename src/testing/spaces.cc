#include "testing/spaces.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "space/python/stack_machine.h"

namespace vyre::testing {
namespace {

space::Parameter steps(const std::string& name, std::int64_t first, std::int64_t step) {
  space::Parameter parameter{name, {}};
  for (std::int64_t i = 0; i < 10; ++i) parameter.values.emplace_back(first + i * step);
  return parameter;
}

space::Parameter powers(const std::string& name) {
  space::Parameter parameter{name, {}};
  for (std::int64_t i = 0; i < 10; ++i) parameter.values.emplace_back(std::int64_t{1} << i);
  return parameter;
}

}  // namespace

std::optional<space::Definition> load_t1_definition(const std::filesystem::path& source_dir,
                                                    const std::string& name) {
  // A checkout may be a worktree elsewhere: then the folder is beside the main one only.
  std::ifstream file(source_dir / ".." / "shared" / "search" / "t1" / (name + ".json"));
  if (!file.is_open()) return std::nullopt;
  const nlohmann::json t1 = nlohmann::json::parse(file);
  const nlohmann::json& configuration = t1.at("ConfigurationSpace");
  space::Definition definition;
  for (const auto& parameter : configuration.at("TuningParameters")) {
    auto values = space::parse_values(parameter.at("Values").get<std::string>());
    VYRE_CHECK(values.has_value());
    definition.parameters.push_back({parameter.at("Name"), *std::move(values)});
  }
  for (const auto& condition : configuration.value("Conditions", nlohmann::json::array())) {
    definition.constraints.push_back(condition.at("Expression"));
  }
  return definition;
}

space::Definition billion_combinations() {
  return {
      {powers("block_x"), powers("block_y"), powers("tile_x"), powers("tile_y"), powers("vector"),
       powers("unroll"), steps("stages", 1, 1), steps("pad", 0, 1), steps("chunk", 8, 8)},
      {"block_x * block_y >= 32",
       "block_x * block_y <= 1024",
       "tile_x * tile_y <= 64",
       "block_x % vector == 0",
       "tile_x % vector == 0 or vector == 1",
       "unroll <= tile_y * 4",
       "(block_x * tile_x + pad) * (block_y * tile_y) * 4 <= 49152",
       "pad == 0 or pad < vector",
       "stages * chunk <= 256",
       "chunk % stages == 0 or stages > 4",
       "unroll * stages <= 64",
       "vector in (1, 2, 4, 8)",
       "block_y <= 64 or tile_y == 1",
       "stages != 7",
       "tile_x != 512 and tile_y != 512",
       "block_x >= 4 * vector or unroll > 1",
       "chunk // 8 % 2 == 0 or stages < 6",
       "not (unroll == 8 and vector == 8)",
       "min(tile_x, tile_y) <= 8",
       "abs(tile_x - tile_y) < 100"}};
}

space::Definition trillion_combinations() {
  space::Definition definition;
  for (int i = 0; i < 12; ++i) {
    definition.parameters.push_back(steps(fmt::format("p{}", i), 1, 1));
  }
  for (int i = 0; i + 1 < 12; ++i) {
    definition.constraints.push_back(fmt::format("(p{} + p{}) % 3 != 0", i, i + 1));
  }
  definition.constraints.emplace_back("p0 * p1 <= 50");
  definition.constraints.emplace_back("p3 + p4 + p5 + p6 < 30");
  definition.constraints.emplace_back("p10 ** 2 > p11");
  return definition;
}

std::optional<std::uint64_t> count_by_filtering(const space::Definition& definition) {
  std::vector<std::string> names;
  std::vector<std::vector<space::detail::Cell>> cells;
  for (const space::Parameter& parameter : definition.parameters) {
    names.push_back(parameter.name);
    auto& column = cells.emplace_back();
    for (const Value& value : parameter.values) column.push_back(space::detail::to_cell(value));
  }
  std::vector<space::Expression> constraints;
  for (const std::string& text : definition.constraints) {
    constraints.push_back(*space::Expression::compile(text, names));
  }
  std::vector<std::size_t> at(names.size());
  std::vector<space::detail::Cell> current(names.size());
  for (std::size_t p = 0; p < at.size(); ++p) current[p] = cells[p][0];
  space::detail::Evaluation evaluation(1'000'000);
  std::uint64_t valid = 0;
  for (;;) {
    bool all = true;
    for (const space::Expression& constraint : constraints) {
      space::detail::Cell out;
      std::size_t where = 0;
      if (!run(*constraint.code(), current, evaluation, out, where)) return std::nullopt;
      all = truth(out);
      if (!all) break;
    }
    valid += all ? 1 : 0;
    std::size_t p = at.size();
    while (p-- > 0) {
      at[p] = (at[p] + 1) % cells[p].size();
      current[p] = cells[p][at[p]];
      if (at[p] != 0) break;
    }
    if (p == ~std::size_t{0}) return valid;
  }
}

}  // namespace vyre::testing
