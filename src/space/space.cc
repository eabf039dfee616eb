#include "vyre/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/error.h"
#include "base/text.h"
#include "space/construct.h"
#include "space/python/evaluate.h"
#include "space/space_data.h"

namespace vyre::space {

using detail::SpaceData;
using detail::Trie;

namespace {

std::optional<std::uint32_t> find_value(const Parameter& parameter, const Value& value) {
  const auto same = [&](const Value& listed) { return equal_in_python(listed, value); };
  const auto found = std::ranges::find_if(parameter.values, same);
  if (found == parameter.values.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - parameter.values.begin());
}

std::unexpected<Error> unknown_parameter(const Space& space, const std::string& name) {
  std::vector<std::string> names;
  for (const Parameter& parameter : space.parameters()) names.push_back(parameter.name);
  return bad_inputs("the space has no parameter {}{}", quote(name), did_you_mean(name, names));
}

Expected<void> check_names(const Space& space, const Config& config) {
  for (const auto& [name, value] : config.entries()) {
    if (!space.find_parameter(name)) return unknown_parameter(space, name);
  }
  return {};
}

// The index of the listed number nearest to `value`; 0 if `value` or no listed value is a number.
std::uint32_t closest(const Parameter& parameter, const Value& value) {
  const detail::Cell wanted = detail::to_cell(value);
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t v = 0; v < parameter.values.size() && wanted.is_number(); ++v) {
    const detail::Cell listed = detail::to_cell(parameter.values[v]);
    if (!listed.is_number()) continue;
    const double distance = std::abs(listed.as_real() - wanted.as_real());
    if (!(distance < least)) continue;
    least = distance;
    best = v;
  }
  return best;
}

Nearest nearest_to(const Space& space, const detail::SpaceData& data,
                   std::span<const detail::Wish> wishes) {
  Nearest out{data.nearest(wishes), {}};
  const Point point = space.at(out.index);
  for (std::size_t p = 0; p < point.size(); ++p) {
    if (point[p] != wishes[p].value || !wishes[p].listed) out.changed.push_back(p);
  }
  return out;
}

}  // namespace

Expected<Expression> Expression::compile(std::string_view text, std::span<const std::string> names,
                                         Place* place, const ExpressionLimits& limits) {
  VYRE_TRY(detail::CodePtr code, detail::compile_text(text, names, place, limits));
  return Expression(std::move(code));
}

Expected<Value> Expression::evaluate(std::span<const Value> values, Place* place) const {
  return detail::evaluate(*code_, values, place);
}

Expected<Value> Expression::evaluate(const Config& config, Place* place) const {
  std::vector<Value> values(code_->names.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = code_->names[i];
    const Value* value = config.find(name);
    const bool used = std::ranges::find(uses(), name) != uses().end();
    if (value == nullptr && used) {
      return bad_inputs("{} needs a value for {}", quote(text()), quote(name));
    }
    if (value != nullptr) values[i] = *value;
  }
  return evaluate(values, place);
}

Expected<bool> Expression::test(std::span<const Value> values, Place* place) const {
  return detail::test(*code_, values, place);
}

Expected<std::vector<Value>> Expression::evaluate_list(std::span<const Value> values,
                                                       Place* place) const {
  return detail::evaluate_list(*code_, values, place);
}

const std::vector<std::string>& Expression::uses() const { return code_->uses; }
const std::string& Expression::text() const { return code_->text; }

Expected<std::vector<Value>> parse_values(std::string_view text, Place* place) {
  VYRE_TRY(const Expression expression, Expression::compile(text, {}, place));
  return expression.evaluate_list({}, place);
}

bool equal_in_python(const Value& left, const Value& right) {
  return detail::equal_plain(detail::to_cell(left), detail::to_cell(right));
}

std::string show(const Place& place) {
  constexpr std::size_t kWidth = 100;  // of a terminal line, with some room
  const std::size_t offset = std::min(place.offset, place.text.size());
  const std::size_t begin = offset > kWidth / 2 ? offset - kWidth / 2 : 0;
  std::string line = place.text.substr(begin, kWidth);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  const std::size_t room = line.size() - (offset - begin);
  const std::size_t carets =
      std::clamp<std::size_t>(place.length, 1, std::max<std::size_t>(room, 1));
  return line + "\n" + std::string(offset - begin, ' ') + std::string(carets, '^');
}

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

Config Space::to_config(PointView point) const {
  VYRE_CHECK(data_->fits(point));
  Config config;
  for (std::size_t p = 0; p < point.size(); ++p) {
    config.set(parameters()[p].name, parameters()[p].values[point[p]]);
  }
  return config;
}

Expected<Point> Space::to_point(const Config& config) const {
  VYRE_TRY_VOID(check_names(*this, config));
  Point point;
  for (const Parameter& parameter : parameters()) {
    const Value* value = config.find(parameter.name);
    if (value == nullptr) return bad_inputs("no value for parameter {}", quote(parameter.name));
    const auto found = find_value(parameter, *value);
    if (!found) {
      return bad_inputs("parameter {} has no value {}", quote(parameter.name), to_string(*value));
    }
    point.push_back(*found);
  }
  return point;
}

Expected<Nearest> Space::nearest_valid(const Config& config) const {
  VYRE_TRY_VOID(check_names(*this, config));
  std::vector<detail::Wish> wishes;
  for (const Parameter& parameter : parameters()) {
    const Value* value = config.find(parameter.name);
    const auto found = value ? find_value(parameter, *value) : std::nullopt;
    const std::uint32_t near = value ? closest(parameter, *value) : 0;
    wishes.push_back({found.value_or(near), found.has_value()});
  }
  return nearest_to(*this, *data_, wishes);
}

Nearest Space::nearest_valid(PointView point) const {
  VYRE_CHECK(data_->fits(point));
  std::vector<detail::Wish> wishes;
  for (const std::uint32_t value : point) wishes.push_back({value, true});
  return nearest_to(*this, *data_, wishes);
}

}  // namespace vyre::space
