#include "decisions/toml_depth.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vyre::toml {
namespace {

// Counts, for the place that it has reached, one level per open bracket and per point of the keys
// that lead there. Text within strings and comments does not count.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {}

  std::optional<std::size_t> run() {
    while (at_ < text_.size()) {
      step(text_[at_]);
      if (depth_ + points_ > 2 * kMostDepth) {
        const auto before = text_.substr(0, at_);
        return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
      }
    }
    return std::nullopt;
  }

 private:
  void step(char c) {
    if (c == '"' || c == '\'') return string(c);
    if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
    if (c == '.') ++points_;
    if (c == '[' || c == '{') open();
    if (c == ']' || c == '}') close();
    if (c == ',' || c == '\n' || c == '#') points_ = 0;
    ++at_;
  }

  void open() {
    levels_.push_back(points_ + 1);
    depth_ += levels_.back();
    points_ = 0;
  }

  void close() {
    points_ = 0;
    if (levels_.empty()) return;
    depth_ -= levels_.back();
    levels_.pop_back();
  }

  // A text between one quote or three. Only double quotes know escapes. Behind the three quotes
  // that end a long text, up to two more belong to it.
  void string(char quote) {
    const bool is_long = text_.substr(at_).starts_with(std::string(3, quote));
    const std::string end(is_long ? 3 : 1, quote);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (!is_long && text_[at_] == '\n') return;
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ += end.size();
    for (int more = 0; is_long && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;              // of the open brackets, with their keys
  std::size_t points_ = 0;             // of the key at hand
  std::vector<std::size_t> levels_{};  // that each open bracket stands for
};

}  // namespace

std::optional<std::size_t> line_beyond_depth(std::string_view text) {
  return DepthScan(text).run();
}

}  // namespace vyre::toml
