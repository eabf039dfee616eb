// Fields: one object of a T1 file, read field by field. Fields that were never asked for are
// unknown to vyre: they are kept, and a warning names them.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_node.h"
#include "vyre/recording.h"

namespace vyre::recording {

class Fields {
 public:
  // Both must outlive this.
  Fields(const JsonNode& object, T1File& t1) : object_(object), t1_(t1) {}

  const JsonNode& object() const { return object_; }

  // Each leaves `out` alone if the field is absent or null, and fails if it is of another type.
  Expected<void> text(std::string_view key, std::string& out);
  Expected<void> texts(std::string_view key, std::vector<std::string>& out);
  Expected<void> number(std::string_view key, std::optional<double>& out);
  Expected<void> integer(std::string_view key, std::optional<std::int64_t>& out);
  // true and false, or 1 and 0.
  Expected<void> flag(std::string_view key, bool& out);
  // An expression's text; a bare number is one.
  Expected<void> expression(std::string_view key, std::string& out);
  // A text that should be one of `known`. Another text is kept, with a warning: the space can still
  // be searched.
  Expected<void> word(std::string_view key, std::span<const std::string_view> known,
                      std::string& out);

  Expected<std::optional<JsonNode>> find(std::string_view key);
  Expected<JsonNode> at(std::string_view key);
  // As text(), but the field must be there.
  Expected<void> required_text(std::string_view key, std::string& out);

  void warn(std::string text) { t1_.warnings.push_back(std::move(text)); }

  // Call when all known fields have been read.
  Expected<void> keep_unknown() const;

 private:
  const JsonNode& object_;
  T1File& t1_;
  std::set<std::string, std::less<>> asked_;
};

// Fails if the list has more elements than that.
Expected<void> check_count(const JsonNode& list, std::size_t most);

}  // namespace vyre::recording
