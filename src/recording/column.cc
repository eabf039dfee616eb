#include "recording/column.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace vyre::recording {
namespace {

bool is_text(const Value& value) { return std::holds_alternative<std::string>(value); }
bool is_real(const Value& value) { return std::holds_alternative<double>(value); }
bool is_bool(const Value& value) { return std::holds_alternative<bool>(value); }

void texts_to_numbers(std::vector<Value>& values) {
  std::vector<Value> numbers;
  for (const Value& value : values) {
    const auto number = is_text(value) ? parse_number(std::get<std::string>(value)) : value;
    if (!number) return;
    numbers.push_back(*number);
  }
  values = std::move(numbers);
}

std::int64_t to_integer(const Value& value) {
  return is_bool(value) ? std::int64_t{std::get<bool>(value)} : std::get<std::int64_t>(value);
}

// The real of the same value, if there is one.
std::optional<double> to_real(const Value& value) {
  if (is_real(value)) return std::get<double>(value);
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const std::int64_t integer = to_integer(value);
  if (integer > kExact || integer < -kExact) return std::nullopt;
  return static_cast<double>(integer);
}

// All reals, or all integers, or all booleans; false if that would change a value.
bool to_one_kind(std::vector<Value>& numbers) {
  if (std::ranges::any_of(numbers, is_real)) {
    for (Value& value : numbers) {
      const auto real = to_real(value);
      if (!real) return false;
      value = *real;
    }
  } else if (!std::ranges::all_of(numbers, is_bool)) {
    for (Value& value : numbers) value = to_integer(value);
  }
  return true;
}

// Provisional indices in the order that the values shall have.
std::vector<std::uint32_t> order_of(const std::vector<Value>& values, bool ascending) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  if (ascending) {
    std::ranges::sort(order, [&](auto a, auto b) { return values[a] < values[b]; });
  }
  return order;
}

}  // namespace

std::uint32_t Column::add(Value value) {
  const auto [found, is_new] =
      index_.try_emplace(std::move(value), static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(found->first);
  return found->second;
}

Expected<Column::Finished> Column::finish(bool numbers_from_text) && {
  if (numbers_from_text) texts_to_numbers(values_);
  const bool numbers = std::ranges::none_of(values_, is_text);
  if (numbers && !to_one_kind(values_)) {
    return bad_inputs("parameter {} has reals and integers too large to be reals", quote(name_));
  }
  Finished out{{std::move(name_), {}}, std::vector<std::uint32_t>(values_.size())};
  std::vector<Value>& kept = out.parameter.values;
  for (const std::uint32_t provisional : order_of(values_, numbers)) {
    // Equal ones (texts "8" and "+8", or 1 and true) stand side by side after sorting.
    if (kept.empty() || kept.back() != values_[provisional]) kept.push_back(values_[provisional]);
    out.index_of[provisional] = static_cast<std::uint32_t>(kept.size() - 1);
  }
  return out;
}

Expected<void> finish_columns(std::vector<Column> columns, bool numbers_from_text,
                              Recording& recording) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    VYRE_TRY(Column::Finished finished, std::move(columns[i]).finish(numbers_from_text));
    for (Row& row : recording.rows) row.point[i] = finished.index_of[row.point[i]];
    recording.parameters.push_back(std::move(finished.parameter));
  }
  return {};
}

std::optional<Repeated> find_repeated(const std::vector<Row>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](auto a, auto b) {
    const auto by_point = rows[a].point <=> rows[b].point;
    return by_point != 0 ? by_point < 0 : a < b;
  });
  std::optional<Repeated> out;
  std::size_t first = 0;  // position in `order` of the first row with this configuration
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (rows[order[i]].point != rows[order[first]].point) {
      first = i;
    } else if (!out || order[i] < out->row) {
      out = Repeated{order[i], order[first]};
    }
  }
  return out;
}

}  // namespace vyre::recording
