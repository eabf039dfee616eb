#include "recording/t1_fields.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace vyre::recording {

Expected<std::optional<JsonNode>> Fields::find(std::string_view key) {
  asked_.emplace(key);
  return object_.find(key);
}

Expected<JsonNode> Fields::at(std::string_view key) {
  asked_.emplace(key);
  return object_.at(key);
}

Expected<void> Fields::text(std::string_view key, std::string& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  VYRE_TRY(out, field->text());
  return {};
}

Expected<void> Fields::required_text(std::string_view key, std::string& out) {
  VYRE_TRY_VOID(at(key));
  return text(key, out);
}

Expected<void> Fields::texts(std::string_view key, std::vector<std::string>& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  VYRE_TRY(out, field->texts());
  return {};
}

Expected<void> Fields::number(std::string_view key, std::optional<double>& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  VYRE_TRY(out, field->number());
  return {};
}

Expected<void> Fields::integer(std::string_view key, std::optional<std::int64_t>& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  VYRE_TRY(out, field->integer());
  return {};
}

Expected<void> Fields::flag(std::string_view key, bool& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  const Json& json = field->json();
  if (json != true && json != false && json != 1 && json != 0) {
    return field->expected("true or false");
  }
  out = json == true || json == 1;
  return {};
}

Expected<void> Fields::expression(std::string_view key, std::string& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  if (!field->is_text() && !field->json().is_number()) {
    return field->expected("an expression as text, or a number");
  }
  out = field->is_text() ? field->json().get_ref<const std::string&>() : field->json().dump();
  return {};
}

Expected<void> Fields::word(std::string_view key, std::span<const std::string_view> known,
                            std::string& out) {
  VYRE_TRY(const auto field, find(key));
  if (!field) return {};
  VYRE_TRY(out, field->text());
  if (std::ranges::find(known, out) != known.end()) return {};
  const std::vector<std::string> names(known.begin(), known.end());
  warn(fmt::format("{}: {} is not a word of T1{}", field->where(), quote(out),
                   did_you_mean(out, names)));
  return {};
}

Expected<void> Fields::keep_unknown() const {
  VYRE_TRY(const std::vector<JsonNode> members, object_.members());
  for (const JsonNode& member : members) {
    if (asked_.contains(member.key())) continue;
    const std::string where = member.where();
    constexpr auto kReplaceBadUtf8 = Json::error_handler_t::replace;
    t1_.unknown.emplace_back(where, member.json().dump(-1, ' ', false, kReplaceBadUtf8));
    t1_.warnings.push_back(fmt::format("{}: not known; kept, but not used", where));
  }
  return {};
}

Expected<void> check_count(const JsonNode& list, std::size_t most) {
  if (list.json().size() <= most) return {};
  return bad_inputs("{}: more than {} elements", list.where(), most);
}

}  // namespace vyre::recording
