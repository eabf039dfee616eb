#include "recording/csv.h"

#include <algorithm>

#include "base/error.h"

namespace vyre::recording {
namespace {

// Far above any kernel's number of parameters; bounds what a hostile line can allocate.
constexpr std::size_t kMostFields = 1000;

}  // namespace

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool CsvReader::at_line_end() const {
  return rest_.empty() || rest_.starts_with('\n') || rest_.starts_with("\r\n");
}

void CsvReader::skip_line_end() {
  if (rest_.starts_with('\r')) rest_.remove_prefix(1);
  if (rest_.starts_with('\n')) rest_.remove_prefix(1);
  ++next_line_;
}

bool CsvReader::skip_blank_line() {
  const std::size_t length = std::min(rest_.find_first_not_of(" \t"), rest_.size());
  const std::string_view kept = rest_;
  rest_.remove_prefix(length);
  if (!rest_.empty() && at_line_end()) {
    skip_line_end();
    return true;
  }
  if (!rest_.empty()) rest_ = kept;
  return false;
}

Expected<std::string> CsvReader::quoted_field() {
  rest_.remove_prefix(1);
  std::string out;
  for (;;) {
    const std::size_t quote_at = rest_.find('"');
    if (quote_at == std::string_view::npos) return bad_inputs("a quoted field is never closed");
    out += rest_.substr(0, quote_at);
    rest_.remove_prefix(quote_at + 1);
    if (!rest_.starts_with('"')) break;
    out += '"';
    rest_.remove_prefix(1);
  }
  next_line_ += static_cast<std::size_t>(std::ranges::count(out, '\n'));
  if (!at_line_end() && !rest_.starts_with(',')) {
    return bad_inputs("text after a quoted field; put a comma between");
  }
  return out;
}

Expected<std::string> CsvReader::field() {
  if (rest_.starts_with('"')) return quoted_field();
  std::string_view out = rest_.substr(0, rest_.find_first_of(",\n"));
  rest_.remove_prefix(out.size());
  if (out.ends_with('\r') && !rest_.starts_with(',')) out.remove_suffix(1);
  return std::string(out);
}

Expected<bool> CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  while (skip_blank_line()) {
  }
  line_ = next_line_;
  if (rest_.empty()) return false;
  for (;;) {
    if (fields.size() == kMostFields) return bad_inputs("more than {} columns", kMostFields);
    VYRE_TRY(std::string text, field());
    fields.push_back(std::move(text));
    if (!rest_.starts_with(',')) break;
    rest_.remove_prefix(1);
  }
  skip_line_end();
  return true;
}

}  // namespace vyre::recording
