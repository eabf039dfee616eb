#include "tune/journal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/json.h"
#include "base/text.h"
#include "recording/status.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr int kSchema = 3;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::array<std::string_view, 7> kEntries{"known", "begin", "admit", "sample",
                                                   "race",  "pair",  "late"};
constexpr std::string_view kFinished = "finished";

std::string header_line(const std::string& campaign) {
  return Json{{"schema", kSchema}, {"campaign", campaign}}.dump();
}

bool is_answer(Entry entry) {
  return entry != Entry::known && entry != Entry::begin && entry != Entry::late;
}

std::string line_of(std::uint64_t number, const JournalLine& line) {
  const Answer& answer = line.answer;
  Json json{{"n", number},
            {"event", kEntries[static_cast<std::size_t>(line.entry)]},
            {"index", answer.work.index},
            {"at", answer.seconds}};
  if (is_answer(line.entry) || line.entry == Entry::known) {
    json["status"] = recording::to_string(answer.result.status);
  }
  if (!answer.why.empty()) json["why"] = answer.why;
  if (is_answer(line.entry)) {
    json["compile_s"] = answer.result.compile_seconds;
    json["run_s"] = answer.result.run_seconds;
    if (line.entry != Entry::admit) json["ms"] = answer.result.time_ms;
  }
  // Texts of drivers need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Adds the fields of an answer. False: there is one missing.
bool read_answer(const Json& json, Entry entry, Answer& answer) {
  const auto number = [&](const char* name, double& to) {
    if (!json.contains(name) || !json[name].is_number()) return false;
    to = json[name].get<double>();
    return std::isfinite(to) && to >= 0;
  };
  if (!number("compile_s", answer.result.compile_seconds)) return false;
  if (!number("run_s", answer.result.run_seconds)) return false;
  if (entry == Entry::admit) return true;
  answer.work.step = static_cast<Step>(static_cast<int>(entry) - static_cast<int>(Entry::admit));
  return number("ms", answer.result.time_ms);
}

// None: not a line of ours, or not the next one.
std::optional<JournalLine> parse_line(const Json& json, std::uint64_t number) {
  const auto field = [&](const char* name) { return json.contains(name) ? json[name] : Json(); };
  if (!json.is_object() || field("n") != number || !field("index").is_number_unsigned() ||
      !field("event").is_string() || !field("at").is_number()) {
    return std::nullopt;
  }
  const auto* entry = std::ranges::find(kEntries, field("event").get<std::string>());
  if (entry == kEntries.end()) return std::nullopt;
  JournalLine line{.entry = static_cast<Entry>(entry - kEntries.begin())};
  line.answer.work.index = field("index").get<std::uint64_t>();
  line.answer.seconds = field("at").get<double>();
  if (field("why").is_string()) line.answer.why = field("why").get<std::string>();
  if (is_answer(line.entry) || line.entry == Entry::known) {
    const auto status = field("status").is_string()
                            ? recording::parse_status(field("status").get<std::string>())
                            : std::nullopt;
    if (!status) return std::nullopt;
    line.answer.result.status = *status;
  }
  if (is_answer(line.entry) && !read_answer(json, line.entry, line.answer)) return std::nullopt;
  return line;
}

struct Content {
  std::vector<JournalLine> lines;
  std::vector<std::size_t> ends;  // of the lines that were understood, the header's first
  bool is_finished = false;
};

// Behind the header, up to the first line that is torn or not understood.
Content parse_lines(std::string_view text, std::size_t header_bytes) {
  Content out{{}, {header_bytes}};
  for (;;) {
    const std::string_view rest = text.substr(out.ends.back());
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return out;
    const Json json = Json::parse(rest.substr(0, end), nullptr, false);
    out.is_finished = json.is_object() && json.contains(kFinished);
    auto line = parse_line(json, out.lines.size());
    if (!line) return out;
    out.lines.push_back(*std::move(line));
    out.ends.push_back(out.ends.back() + end + 1);
  }
}

// None if it is no unfinished journal of this campaign.
std::optional<Content> parse(std::string_view text, const std::string& campaign) {
  const std::string header = header_line(campaign) + "\n";
  if (!text.starts_with(header)) return std::nullopt;
  Content out = parse_lines(text, header.size());
  return out.is_finished ? std::nullopt : std::optional(std::move(out));
}

}  // namespace

Entry entry_of(Step step) {
  return static_cast<Entry>(static_cast<int>(Entry::admit) + static_cast<int>(step));
}

Expected<ReadJournal> read_journal(const fs::path& file) {
  VYRE_TRY(const std::string bytes, read_file(file, kMostBytes));
  const std::string_view text = bytes;
  const std::size_t end = text.find('\n');
  const Json header = Json::parse(text.substr(0, end), nullptr, false);
  const bool is_journal = end != std::string_view::npos && header.is_object() &&
                          header.value("schema", Json()) == kSchema &&
                          header.value("campaign", Json()).is_string();
  if (!is_journal) return bad_inputs("{} is no journal of a campaign", quote(file.string()));
  Content content = parse_lines(text, end + 1);
  return ReadJournal{header["campaign"].get<std::string>(), std::move(content.lines)};
}

Expected<Journal> Journal::open(const fs::path& file, const std::string& campaign) {
  Journal journal;
  journal.file_ = file;
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  std::optional<Content> found;
  if (fs::exists(file, error)) {
    VYRE_TRY(const std::string text, read_file(file, kMostBytes));
    found = parse(text, campaign);
  }
  if (found) {
    fs::resize_file(file, found->ends.back(), error);
    journal.lines_ = std::move(found->lines);
    journal.ends_ = std::move(found->ends);
    journal.next_ = journal.lines_.size();
  }
  journal.out_.open(file, found ? std::ios::app : std::ios::trunc);
  if (error || !journal.out_) {
    return io_error("cannot write the journal {}; choose another place", quote(file.string()));
  }
  if (!found) VYRE_TRY_VOID(journal.write_line(header_line(campaign)));
  return journal;
}

Expected<void> Journal::cut(std::size_t first) {
  std::error_code error;
  fs::resize_file(file_, ends_[first], error);
  if (error) return io_error("cannot write the journal {}", quote(file_.string()));
  lines_.resize(first);
  ends_.resize(first + 1);
  next_ = first;
  return {};
}

Expected<void> Journal::write_line(const std::string& line) {
  out_ << line << '\n' << std::flush;
  if (out_) return {};
  return io_error("cannot write the journal {}: is the disk full?", quote(file_.string()));
}

Expected<void> Journal::append(const JournalLine& line) {
  return write_line(line_of(next_++, line));
}

Expected<void> Journal::finish() { return write_line(Json{{kFinished, true}}.dump()); }

}  // namespace vyre
