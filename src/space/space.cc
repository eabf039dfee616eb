#include "vyre/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "space/construct.h"
#include "space/space_data.h"

namespace vyre::space {

using detail::SpaceData;
using detail::Trie;

Expected<Space> Space::build(Definition definition, const Options& options, Place* place) {
  VYRE_TRY_VOID(detail::check_parameters(definition.parameters));
  const std::size_t all = definition.constraints.size();
  VYRE_TRY(detail::Construction made, detail::construct(definition, all, options, place));
  if (made.size == 0) return std::unexpected(detail::no_configuration(definition, options, place));
  if (made.size >= Trie::kTooMany) {
    return bad_inputs("the space has 2^63 or more valid configurations: constrain it further");
  }
  auto data = std::make_shared<SpaceData>(std::move(definition), std::move(made.tries));
  data->steps = made.steps;
  for (std::size_t i = 0; i < all; ++i) {
    data->constraints.push_back({data->definition().constraints[i], made.removals[i]});
  }
  return Space(std::move(data));
}

Expected<Space> Space::from_rows(std::vector<Parameter> parameters, std::vector<Point> rows) {
  VYRE_TRY_VOID(detail::check_parameters(parameters));
  if (rows.empty()) return bad_inputs("a space needs at least one row");
  detail::RowTable table(parameters.size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() != parameters.size()) {
      return bad_inputs("row {} has {} values for {} parameters", r, rows[r].size(),
                        parameters.size());
    }
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (rows[r][p] < parameters[p].values.size()) continue;
      return bad_inputs("row {} has value number {} of parameter {}, which has {} values", r,
                        rows[r][p], quote(parameters[p].name), parameters[p].values.size());
    }
    if (const auto same = table.add(rows[r])) {
      return bad_inputs("rows {} and {} are the same configuration", *same, r);
    }
  }
  return Space(std::make_shared<SpaceData>(std::move(parameters), std::move(table)));
}

const std::vector<Parameter>& Space::parameters() const { return data_->parameters(); }
const std::vector<std::string>& Space::constraints() const {
  return data_->definition().constraints;
}
std::uint64_t Space::size() const { return data_->size(); }

std::optional<std::size_t> Space::find_parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters(), name, &Parameter::name);
  if (found == parameters().end()) return std::nullopt;
  return static_cast<std::size_t>(found - parameters().begin());
}

Point Space::at(std::uint64_t index) const {
  Point point(dimensions());
  data_->at(index, point);
  return point;
}

void Space::at(std::uint64_t index, std::span<std::uint32_t> out) const { data_->at(index, out); }
Config Space::config_at(std::uint64_t index) const { return to_config(at(index)); }
std::optional<std::uint64_t> Space::index_of(PointView point) const {
  return data_->index_of(point);
}

std::optional<std::uint64_t> Space::find(const Config& config) const {
  const auto point = to_point(config);
  if (!point) return std::nullopt;
  return index_of(*point);
}

std::vector<std::uint64_t> Space::hamming_neighbours(PointView point) const {
  std::vector<std::uint64_t> out;
  if (!data_->fits(point)) return out;
  detail::Neighbourhood around(*data_, point);
  for (std::size_t p = 0; p < dimensions(); ++p) {
    for (std::uint32_t value = 0; value < parameters()[p].values.size(); ++value) {
      if (value == point[p]) continue;
      if (const auto index = around.with(p, value)) out.push_back(*index);
    }
  }
  return out;
}

std::vector<std::uint64_t> Space::adjacent_neighbours(PointView point) const {
  std::vector<std::uint64_t> out;
  if (!data_->fits(point)) return out;
  detail::Neighbourhood around(*data_, point);
  for (std::size_t p = 0; p < dimensions(); ++p) {
    std::optional<std::uint64_t> index;
    for (std::uint32_t value = point[p]; !index && value-- > 0;) index = around.with(p, value);
    if (index) out.push_back(*index);
    index.reset();
    const std::size_t count = parameters()[p].values.size();
    for (std::uint32_t value = point[p] + 1; !index && value < count; ++value) {
      index = around.with(p, value);
    }
    if (index) out.push_back(*index);
  }
  return out;
}

Statistics Space::statistics() const {
  Statistics out;
  out.combinations = 1;
  for (const Parameter& parameter : parameters()) {
    out.combinations *= static_cast<double>(parameter.values.size());
  }
  out.valid = size();
  out.factors = data_->factors();
  out.nodes = data_->nodes();
  out.steps = data_->steps;
  out.constraints = data_->constraints;
  out.value_counts = data_->count_values();
  return out;
}

}  // namespace vyre::space
