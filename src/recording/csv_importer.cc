#include "recording/csv_importer.h"

#include <set>

#include "base/error.h"
#include "base/text.h"
#include "recording/column.h"
#include "recording/csv.h"
#include "recording/limits.h"
#include "recording/text_value.h"

namespace vyre::recording {
namespace {

constexpr std::string_view kTimeColumn = "time_ms";

class CsvRecording {
 public:
  explicit CsvRecording(std::string_view text) : reader_(text) {}

  Expected<Recording> read() {
    VYRE_TRY_VOID(read_header());
    for (;;) {
      VYRE_TRY(const bool more, reader_.next(fields_));
      if (!more) break;
      VYRE_TRY_VOID(add_row());
    }
    if (recording_.rows.empty()) return bad_inputs("the header is followed by no configuration");
    VYRE_TRY_VOID(finish_columns(std::move(columns_), true, recording_));
    VYRE_TRY_VOID(check_repeated());
    return std::move(recording_);
  }

  std::size_t line() const { return line_ != 0 ? line_ : reader_.line(); }

 private:
  Expected<void> read_header() {
    VYRE_TRY(const bool any, reader_.next(fields_));
    if (!any) return bad_inputs("the file is empty; expected a header that ends in time_ms");
    if (fields_.back() != kTimeColumn) {
      return bad_inputs("the last column must be time_ms, but is {}", quote(fields_.back()));
    }
    if (fields_.size() == 1) return bad_inputs("there is no parameter, only time_ms");
    fields_.pop_back();
    std::set<std::string_view> seen;
    for (const std::string& name : fields_) {
      if (name.empty()) return bad_inputs("column {} has no name", columns_.size() + 1);
      if (!seen.insert(name).second) return bad_inputs("column {} is there twice", quote(name));
      columns_.emplace_back(name);
    }
    return {};
  }

  Expected<void> add_row() {
    if (fields_.size() != columns_.size() + 1) {
      return bad_inputs("{} fields, but the header has {}", fields_.size(), columns_.size() + 1);
    }
    if (recording_.rows.size() == kMostRows) return bad_inputs("more than {} rows", kMostRows);
    Row row;
    if (const std::string& time = fields_.back(); time.empty()) {
      row.status = Status::runtime;
    } else {
      row.time_ms = parse_real(time);
      if (!row.time_ms || *row.time_ms <= 0) {
        return bad_inputs("time_ms must be a number above 0, or empty, but is {}", quote(time));
      }
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      row.point.push_back(columns_[i].add(std::move(fields_[i])));
    }
    recording_.rows.push_back(std::move(row));
    lines_.push_back(reader_.line());
    return {};
  }

  Expected<void> check_repeated() {
    const auto repeated = find_repeated(recording_.rows);
    if (!repeated) return {};
    line_ = lines_[repeated->row];
    return bad_inputs("the same configuration as in line {}", lines_[repeated->first]);
  }

  CsvReader reader_;
  std::vector<std::string> fields_;
  std::vector<Column> columns_;
  Recording recording_;
  std::vector<std::size_t> lines_;  // by row
  std::size_t line_ = 0;            // of an error found after reading; 0: the reader knows
};

}  // namespace

Expected<Recording> read_csv_document(std::string_view text) {
  CsvRecording csv(text);
  auto recording = csv.read();
  if (recording) return recording;
  return bad_inputs("line {}: {}", csv.line(), recording.error().message);
}

}  // namespace vyre::recording
