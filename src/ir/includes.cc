#include "ir/includes.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre::ir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostIncludedBytes = std::size_t{16} << 20U;
constexpr std::string_view kBlanks = " \t\v\f\r";

// Takes `token` off the front of `text`, after blanks.
bool take(std::string_view& text, std::string_view token) {
  const std::size_t start = text.find_first_not_of(kBlanks);
  if (start == std::string_view::npos || !text.substr(start).starts_with(token)) return false;
  text.remove_prefix(start + token.size());
  return true;
}

struct Directive {
  std::string_view name;
  bool is_quoted = false;
  std::string_view rest;  // of the line
};

std::optional<Directive> include_of(std::string_view line) {
  if (!take(line, "#") || !take(line, "include")) return std::nullopt;
  Directive out;
  out.is_quoted = take(line, "\"");
  if (!out.is_quoted && !take(line, "<")) return std::nullopt;
  const std::size_t end = line.find(out.is_quoted ? '"' : '>');
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  out.name = line.substr(0, end);
  out.rest = line.substr(end + 1);
  return out;
}

bool is_once(std::string_view line) {
  return take(line, "#") && take(line, "pragma") && take(line, "once");
}

// Reads the lines of C in order, and knows which of them begin in the middle of a comment or
// continue the line before.
class CLines {
 public:
  // Whether the next line begins a line of the preprocessor.
  bool at_start() const { return !in_block_ && !in_line_ && !continues_; }

  // Reads one line and returns its code, that is, the line without comments and backslash.
  std::string pass(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    continues_ = line.ends_with('\\');
    if (continues_) line.remove_suffix(1);
    std::string code;
    for (std::size_t at = 0; at < line.size();) at += step(line.substr(at), code);
    if (!continues_) {
      in_line_ = false;
      quote_ = '\0';
    }
    return code;
  }

 private:
  // Reads one or two characters and returns how many.
  std::size_t step(std::string_view text, std::string& code) {
    const std::string_view two = text.substr(0, 2);
    if (in_line_) return 1;
    if (in_block_) {
      in_block_ = two != "*/";
      return in_block_ ? 1 : 2;
    }
    if (quote_ == '\0' && (two == "//" || two == "/*")) {
      (two == "//" ? in_line_ : in_block_) = true;
      code += ' ';
      return 2;
    }
    const std::size_t taken = quote_ != '\0' && text[0] == '\\' ? two.size() : 1;
    if (text[0] == quote_) {
      quote_ = '\0';
    } else if (quote_ == '\0' && (text[0] == '"' || text[0] == '\'')) {
      quote_ = text[0];
    }
    code += text.substr(0, taken);
    return taken;
  }

  bool in_block_ = false;
  bool in_line_ = false;
  bool continues_ = false;
  char quote_ = '\0';
};

template <class Function>
void for_each_line(std::string_view text, const Function& function) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    function(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// NVRTC's long form of -I.
constexpr std::string_view kIncludePath = "--include-path=";

std::vector<fs::path> include_folders(std::string_view options) {
  std::vector<fs::path> folders;
  const std::vector<std::string> words = words_of_options(options);
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k].starts_with(kIncludePath))
      folders.emplace_back(words[k].substr(kIncludePath.size()));
    if (words[k] == "-I" && k + 1 < words.size()) {
      folders.emplace_back(words[++k]);
    } else if (words[k].starts_with("-I") && words[k].size() > 2) {
      folders.emplace_back(words[k].substr(2));
    }
  }
  return folders;
}

class Includer {
 public:
  explicit Includer(const IncludeSearch& search) : folders_(include_folders(search.options)) {}

  // Adds a text. `name` is its name for people, `folder` is where it lies.
  Expected<void> add(std::string_view text, std::string_view name, const fs::path& folder) {
    Expected<void> result;
    CLines lines;
    std::size_t number = 0;
    for_each_line(text, [&](std::string_view line) {
      ++number;
      const bool at_start = lines.at_start();
      lines.pass(line);
      if (!result) return;
      const auto directive = at_start ? include_of(line) : std::nullopt;
      const auto file = directive ? find(*directive, folder) : std::nullopt;
      if (file) {
        result = include(*file, directive->name);
        out_ += line_directive(number, name);
        out_.append(directive->rest).append("\n");
      } else if (!open_.empty() && at_start && is_once(line)) {
        out_ += '\n';
      } else {
        out_.append(line).append("\n");
      }
    });
    return result;
  }

  std::string take_text() { return std::move(out_); }

 private:
  std::optional<fs::path> find(const Directive& directive, const fs::path& folder) const {
    std::vector<fs::path> folders = folders_;
    if (directive.is_quoted && !folder.empty()) folders.insert(folders.begin(), folder);
    for (const fs::path& each : folders) {
      std::error_code error;
      const fs::path file = fs::weakly_canonical(each / directive.name, error);
      if (error || !fs::is_regular_file(file, error)) continue;
      // A file that includes itself is for the preprocessor, which knows the conditions.
      if (std::ranges::find(open_, file) != open_.end()) return std::nullopt;
      return file;
    }
    return std::nullopt;
  }

  Expected<void> include(const fs::path& file, std::string_view name) {
    VYRE_TRY(const std::string text, read_file(file, kMostIncludedBytes));
    if (out_.size() + text.size() > kMostIncludedBytes) {
      return bad_inputs("with {} the included files have more than 16 MiB; include fewer",
                        quote_path(file.string()));
    }
    const std::optional<std::string> guard = guard_of(file, text);
    if (guard) out_ += fmt::format("#ifndef {0}\n#define {0}\n", *guard);
    out_ += line_directive(1, name);
    open_.push_back(file);
    VYRE_TRY_VOID(add(text, name, file.parent_path()));
    open_.pop_back();
    if (guard) out_ += "#endif\n";
    return {};
  }

  // The name that says that a file with #pragma once was there. Numbers follow the order in which
  // files are met, so that the text does not depend on where the files lie.
  std::optional<std::string> guard_of(const fs::path& file, std::string_view text) {
    bool found = false;
    CLines lines;
    for_each_line(text, [&](std::string_view line) {
      found = found || (lines.at_start() && is_once(line));
      lines.pass(line);
    });
    if (!found) return std::nullopt;
    const auto known = std::ranges::find(once_, file);
    const auto number = known - once_.begin();
    if (known == once_.end()) once_.push_back(file);
    return fmt::format("VYRE_ONCE_{}", number);
  }

  std::vector<fs::path> folders_;
  std::vector<fs::path> open_;  // files that are being included
  std::vector<fs::path> once_;  // files with #pragma once
  std::string out_;
};

bool reads_a_file(std::string_view line) {
  const bool is_directive = take(line, "#") || take(line, "%:") || take(line, "?\?=");
  const auto has = [&](std::string_view word) { return line.find(word) != line.npos; };
  if (is_directive && take(line, "line")) return false;  // a name, as "include/part.h"
  return is_directive && (has("include") || has("import") || has("embed"));
}

}  // namespace

Expected<std::string> with_includes(std::string_view text, const IncludeSearch& search) {
  if (!may_read_files(text, {})) return std::string(text);
  Includer includer(search);
  // Without a folder only the -I folders are searched.
  VYRE_TRY_VOID(includer.add(text, search.name, search.folder));
  return includer.take_text();
}

std::string line_directive(std::size_t number, std::string_view name) {
  std::string shown(name);
  for (char& c : shown) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
  }
  return fmt::format("#line {} \"{}\"\n", number, shown);
}

std::vector<std::string> words_of_options(std::string_view options) {
  std::vector<std::string> words;
  bool is_quoted = false;
  bool in_word = false;
  for (const char c : options) {
    const bool is_space = !is_quoted && (c == ' ' || c == '\t');
    if (!is_space && !in_word) words.emplace_back();
    in_word = !is_space;
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_space) {
      words.back() += c;
    }
  }
  return words;
}

bool may_read_files(std::string_view text, std::string_view options) {
  for (const std::string& word : words_of_options(options)) {
    const bool is_folder =
        word.starts_with("-I") || word.starts_with("-D") || word.starts_with(kIncludePath);
    if (!is_folder && word.find("include") != word.npos) return true;
    if (word.starts_with('@') || word.starts_with("-imacros")) return true;
  }
  bool found = false;
  CLines lines;
  std::string whole;  // lines that a backslash or a comment joins
  for_each_line(text, [&](std::string_view line) {
    whole += lines.pass(line);
    if (!lines.at_start()) return;
    found = found || reads_a_file(whole);
    whole.clear();
  });
  return found || reads_a_file(whole);
}

}  // namespace vyre::ir
