// Between configurations by name and value and points: conversion, and the nearest valid one.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/error.h"
#include "base/text.h"
#include "space/cell.h"
#include "space/space_data.h"
#include "vyre/space.h"

namespace vyre::space {
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

// The listed number next to `value`; the first value if it is none or there are none.
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
