#include "base/json.h"

#include <algorithm>
#include <exception>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

// Bounds on what one document can make us allocate; both far above anything real.
constexpr std::size_t kMostNesting = 64;
constexpr std::size_t kMostValues = 1'000'000;  // of one member or piece

// Deep values would be destroyed recursively, so they are refused before they exist.
std::optional<std::size_t> find_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostNesting) return i;
    } else if (c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    }
  }
  return std::nullopt;
}

std::string position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.find_last_of('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1,
                     offset - line_start + 1);
}

// nlohmann's message without its own error numbers: "line 3, column 7: syntax error while ...".
// It quotes the text read last, which may be long and hold any bytes.
std::string reason_of(const std::exception& error) {
  constexpr std::string_view kBeforePlace = "parse error at ";
  constexpr std::size_t kMostBytes = 200;
  std::string_view what = error.what();
  if (const auto at = what.find(kBeforePlace); at != std::string_view::npos) {
    what.remove_prefix(at + kBeforePlace.size());
  } else if (const auto end = what.find("] "); end != std::string_view::npos) {
    what.remove_prefix(end + 2);
  }
  std::string out(what.substr(0, kMostBytes));
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return out + (what.size() > kMostBytes ? "..." : "");
}

// Builds one JsonMember at a time out of the parser's events; its interface is nlohmann's json_sax.
class MemberBuilder {
 public:
  MemberBuilder(std::optional<std::string_view> in_pieces,
                const std::function<Expected<void>(JsonMember)>& take)
      : in_pieces_(in_pieces), take_(take) {}

  const std::optional<Error>& error() const { return error_; }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }

  bool start_object(std::size_t) {
    if (!in_document_) return in_document_ = true;
    return open(Json::object());
  }
  bool start_array(std::size_t) {
    if (in_document_ && open_.empty() && !index_ && name_ == in_pieces_) {
      index_ = 0;
      return true;
    }
    return open(Json::array());
  }
  bool key(std::string& key) {
    (open_.empty() ? name_ : key_) = std::move(key);
    return true;
  }
  bool end_object() { return open_.empty() || close(); }
  bool end_array() {
    if (!open_.empty()) return close();
    index_.reset();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    return fail(bad_inputs("{}", reason_of(error)).error());
  }

 private:
  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  // Where `value` now is, or null after an error. Objects are appended to without looking for
  // the same key: that search would be quadratic in the size of a hostile object.
  Json* place(Json value) {
    if (++values_ > kMostValues) {
      fail(bad_inputs("{}{}: more than {} values", quote(name_), piece(), kMostValues).error());
      return nullptr;
    }
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_array()) {
      return &open_.back()->get_ref<Json::array_t&>().emplace_back(std::move(value));
    }
    auto& object = open_.back()->get_ref<Json::object_t&>();
    return &static_cast<Json::object_t::Container&>(object)
                .emplace_back(std::move(key_), std::move(value))
                .second;
  }

  bool add(Json value) {
    if (!in_document_) return fail(bad_inputs("expected an object").error());
    if (place(std::move(value)) == nullptr) return false;
    return !open_.empty() || finish();
  }
  bool open(Json value) {
    if (!in_document_) return fail(bad_inputs("expected an object").error());
    Json* const placed = place(std::move(value));
    if (placed != nullptr) open_.push_back(placed);
    return placed != nullptr;
  }
  bool close() {
    open_.pop_back();
    return !open_.empty() || finish();
  }

  bool finish() {
    values_ = 0;
    auto taken = take_(JsonMember{name_, index_, std::move(root_)});
    if (index_) ++*index_;
    return taken || fail(std::move(taken).error());
  }

  std::string piece() const { return index_ ? fmt::format("[{}]", *index_) : ""; }

  std::optional<std::string_view> in_pieces_;
  const std::function<Expected<void>(JsonMember)>& take_;
  std::optional<Error> error_;
  bool in_document_ = false;
  std::string name_;                  // of the outermost object's current member
  std::optional<std::size_t> index_;  // inside the array that is read in pieces
  Json root_;
  std::vector<Json*> open_;  // containers of root_ that are not yet closed
  std::string key_;          // inside the innermost of them
  std::size_t values_ = 0;
};

}  // namespace

Expected<void> stream_json(std::string_view text, std::optional<std::string_view> in_pieces,
                           const std::function<Expected<void>(JsonMember)>& take) {
  if (const auto deep = find_too_deep(text)) {
    return bad_inputs("{}: nested more than {} deep", position(text, *deep), kMostNesting);
  }
  MemberBuilder builder(in_pieces, take);
  try {
    Json::sax_parse(text.begin(), text.end(), &builder);
  } catch (const std::exception& error) {
    return bad_inputs("{}", reason_of(error));
  }
  if (builder.error()) return std::unexpected(*builder.error());
  return {};
}

Expected<Json> parse_json(std::string_view text) {
  Json out = Json::object();
  auto& members = static_cast<Json::object_t::Container&>(out.get_ref<Json::object_t&>());
  VYRE_TRY_VOID(stream_json(text, std::nullopt, [&](JsonMember member) -> Expected<void> {
    members.emplace_back(std::string(member.name), std::move(member.value));
    return {};
  }));
  return out;
}

}  // namespace vyre
