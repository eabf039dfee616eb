#include "tune/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/status.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr int kSchema = 3;
constexpr std::size_t kMostJournalBytes = std::size_t{256} << 20U;
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
  if (!line.config.empty()) json["config"] = to_json(line.config);
  if (is_answer(line.entry) || line.entry == Entry::known) {
    json["status"] = recording::to_string(answer.result.status);
  }
  if (!answer.why.empty()) json["why"] = answer.why;
  if (is_answer(line.entry)) {
    json["compile_s"] = answer.result.compile_seconds;
    json["run_s"] = answer.result.run_seconds;
    if (answer.result.verify_seconds > 0) json["verify_s"] = answer.result.verify_seconds;
    if (answer.unix_ms > 0) json["unix_ms"] = answer.unix_ms;
    if (line.entry != Entry::admit) json["ms"] = answer.result.time_ms;
    if (answer.result.default_ms > 0) json["default_ms"] = answer.result.default_ms;
    if (answer.result.is_host_time) json["host_clock"] = true;
  }
  // Texts of drivers need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A campaign that takes more than 30 years has a wrong clock.
constexpr double kMostSeconds = 1e9;
constexpr std::uint64_t kMostUnixMs = 253'402'300'799'999;  // the end of the year 9999

// Reads a time that can be one. A file may say anything, and later sums must stay numbers.
bool read_time(const Json& json, const char* name, double most, double& to) {
  if (!json.contains(name) || !json[name].is_number()) return false;
  to = json[name].get<double>();
  return to >= 0 && to <= most;
}

// Adds the fields of an answer. False: there is one missing, or one that cannot be.
bool read_answer(const Json& json, Entry entry, Answer& answer) {
  const auto number = [&](const char* name, double& to) {
    return read_time(json, name, kMostSeconds, to);
  };
  if (!number("compile_s", answer.result.compile_seconds)) return false;
  if (!number("run_s", answer.result.run_seconds)) return false;
  if (json.contains("verify_s") && !number("verify_s", answer.result.verify_seconds)) return false;
  if (json.contains("unix_ms")) {
    if (!json["unix_ms"].is_number_unsigned()) return false;
    answer.unix_ms =
        static_cast<std::int64_t>(std::min(json["unix_ms"].get<std::uint64_t>(), kMostUnixMs));
  }
  if (entry == Entry::admit) return true;
  answer.work.step = static_cast<Step>(static_cast<int>(entry) - static_cast<int>(Entry::admit));
  if (json.contains("default_ms") &&
      !read_time(json, "default_ms", kMostSeconds * 1000, answer.result.default_ms)) {
    return false;
  }
  answer.result.is_host_time = json.contains("host_clock");
  const bool must_be_timed = answer.result.status == Status::ok;
  return read_time(json, "ms", kMostSeconds * 1000, answer.result.time_ms) &&
         (answer.result.time_ms > 0 || !must_be_timed);
}

// None: not a line of ours, or not the next one.
std::optional<JournalLine> parse_line(const Json& json, std::uint64_t number) {
  const auto field = [&](const char* name) { return json.contains(name) ? json[name] : Json(); };
  if (!json.is_object() || field("n") != number || !field("index").is_number_unsigned() ||
      !field("event").is_string()) {
    return std::nullopt;
  }
  const auto* entry = std::ranges::find(kEntries, field("event").get<std::string>());
  if (entry == kEntries.end()) return std::nullopt;
  JournalLine line{.entry = static_cast<Entry>(entry - kEntries.begin())};
  line.answer.work.index = field("index").get<std::uint64_t>();
  if (!read_time(json, "at", kMostSeconds, line.answer.seconds)) return std::nullopt;
  if (field("why").is_string()) line.answer.why = field("why").get<std::string>();
  if (json.contains("config")) {
    auto config = to_config(JsonNode(json["config"], "config"));
    if (!config) return std::nullopt;
    line.config = *std::move(config);
  }
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
  double search_seconds = 0;
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
    if (out.is_finished && !read_time(json, "search_s", kMostSeconds, out.search_seconds)) {
      out.search_seconds = 0;
    }
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
  VYRE_TRY(const std::string bytes, read_named_file(file, kMostJournalBytes));
  const std::string_view text = bytes;
  const std::size_t end = text.find('\n');
  const Json header = Json::parse(text.substr(0, end), nullptr, false);
  const bool is_journal = end != std::string_view::npos && header.is_object() &&
                          header.value("schema", Json()) == kSchema &&
                          header.value("campaign", Json()).is_string();
  if (!is_journal) return bad_inputs("{} is no journal of a campaign", quote_path(file.string()));
  Content content = parse_lines(text, end + 1);
  return ReadJournal{header["campaign"].get<std::string>(), std::move(content.lines),
                     content.search_seconds};
}

Expected<Journal> Journal::open(const fs::path& file, const std::string& campaign) {
  Journal journal;
  journal.file_ = file;
  if (file.has_parent_path()) VYRE_TRY_VOID(make_folders(file.parent_path()));
  auto opened = open_own(file, O_RDWR | O_APPEND);
  if (!opened) {
    return io_error("cannot write the journal {}: {}; choose another place",
                    quote_path(file.string()), opened.error().message);
  }
  journal.out_ = *std::move(opened);
  VYRE_TRY(const std::string text, read_file(file, kMostJournalBytes, Links::refuse));
  if (auto found = parse(text, campaign)) {
    journal.lines_ = std::move(found->lines);
    journal.ends_ = std::move(found->ends);
    journal.next_ = journal.lines_.size();
    VYRE_TRY_VOID(journal.resize(journal.ends_.back()));
    return journal;
  }
  VYRE_TRY_VOID(journal.resize(0));
  VYRE_TRY_VOID(journal.write_line(header_line(campaign)));
  return journal;
}

Journal Journal::in_memory(std::string campaign) {
  Journal journal;
  journal.kept_ = std::make_shared<ReadJournal>();
  journal.kept_->campaign = std::move(campaign);
  return journal;
}

Expected<void> Journal::cut(std::size_t first) {
  VYRE_TRY_VOID(resize(ends_[first]));
  lines_.resize(first);
  ends_.resize(first + 1);
  next_ = first;
  return {};
}

Expected<void> Journal::resize(std::size_t bytes) {
  if (::ftruncate(out_.get(), static_cast<off_t>(bytes)) == 0) return {};
  return io_error("cannot write the journal {}: {}", quote_path(file_.string()), last_error());
}

Expected<void> Journal::write_line(const std::string& line) {
  if (write_all(out_.get(), line + "\n")) return {};
  return io_error("cannot write the journal {}: is the disk full?", quote_path(file_.string()));
}

Expected<void> Journal::append(const JournalLine& line) {
  if (kept_ == nullptr) return write_line(line_of(next_++, line));
  kept_->lines.push_back(line);
  return {};
}

Expected<void> Journal::finish(double search_seconds) {
  if (kept_ != nullptr) return {};
  Json json{{kFinished, true}};
  if (search_seconds > 0) json["search_s"] = search_seconds;
  return write_line(json.dump());
}

}  // namespace vyre
