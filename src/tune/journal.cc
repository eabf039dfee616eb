#include "tune/journal.h"

#include <array>
#include <system_error>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/json.h"
#include "base/text.h"
#include "recording/status.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr int kSchema = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::array<std::string_view, 4> kQuestions{"known", "prepare", "verify", "sample"};
constexpr std::string_view kFinished = "finished";

std::string header_line(const std::string& campaign) {
  return Json{{"schema", kSchema}, {"campaign", campaign}}.dump();
}

std::string line_of(std::uint64_t number, const Answer& answer) {
  Json json{{"n", number},
            {"event", kQuestions[static_cast<std::size_t>(answer.question)]},
            {"index", answer.index},
            {"status", recording::to_string(answer.result.status)},
            {"at", answer.seconds}};
  if (answer.question == Question::sample) json["ms"] = answer.result.time_ms;
  return json.dump();
}

// None: not a line of ours, or not the next one.
std::optional<Answer> parse_answer(const Json& json, std::uint64_t number) {
  const auto field = [&](const char* name) { return json.contains(name) ? json[name] : Json(); };
  if (!json.is_object() || field("n") != number || !field("index").is_number_unsigned() ||
      !field("event").is_string() || !field("status").is_string() || !field("at").is_number()) {
    return std::nullopt;
  }
  const auto* question = std::ranges::find(kQuestions, field("event").get<std::string>());
  const auto status = recording::parse_status(field("status").get<std::string>());
  if (question == kQuestions.end() || !status) return std::nullopt;
  Answer answer;
  answer.question = static_cast<Question>(question - kQuestions.begin());
  answer.index = field("index").get<std::uint64_t>();
  answer.result.status = *status;
  answer.seconds = field("at").get<double>();
  if (answer.question == Question::sample) {
    if (!field("ms").is_number()) return std::nullopt;
    answer.result.time_ms = field("ms").get<double>();
  }
  return answer;
}

struct Content {
  std::vector<Answer> answers;
  std::vector<std::size_t> ends;  // of the lines that were understood, the header's first
  bool is_finished = false;
};

// Behind the header, up to the first line that is torn or not understood.
Content parse_answers(std::string_view text, std::size_t header_bytes) {
  Content out{{}, {header_bytes}};
  for (;;) {
    const std::string_view rest = text.substr(out.ends.back());
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return out;
    const Json json = Json::parse(rest.substr(0, end), nullptr, false);
    out.is_finished = json.is_object() && json.contains(kFinished);
    auto answer = parse_answer(json, out.answers.size());
    if (!answer) return out;
    out.answers.push_back(*std::move(answer));
    out.ends.push_back(out.ends.back() + end + 1);
  }
}

// None if it is no unfinished journal of this campaign.
std::optional<Content> parse(std::string_view text, const std::string& campaign) {
  const std::string header = header_line(campaign) + "\n";
  if (!text.starts_with(header)) return std::nullopt;
  Content out = parse_answers(text, header.size());
  return out.is_finished ? std::nullopt : std::optional(std::move(out));
}

}  // namespace

Expected<ReadJournal> read_journal(const fs::path& file) {
  VYRE_TRY(const std::string bytes, read_file(file, kMostBytes));
  const std::string_view text = bytes;
  const std::size_t end = text.find('\n');
  const Json header = Json::parse(text.substr(0, end), nullptr, false);
  const bool is_journal = end != std::string_view::npos && header.is_object() &&
                          header.value("schema", Json()) == kSchema &&
                          header.value("campaign", Json()).is_string();
  if (!is_journal) return bad_inputs("{} is no journal of a campaign", quote(file.string()));
  Content content = parse_answers(text, end + 1);
  return ReadJournal{header["campaign"].get<std::string>(), std::move(content.answers)};
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
    journal.answers_ = std::move(found->answers);
    journal.ends_ = std::move(found->ends);
    journal.next_ = journal.answers_.size();
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
  answers_.resize(first);
  ends_.resize(first + 1);
  next_ = first;
  return {};
}

Expected<void> Journal::write_line(const std::string& line) {
  out_ << line << '\n' << std::flush;
  if (out_) return {};
  return io_error("cannot write the journal {}: is the disk full?", quote(file_.string()));
}

Expected<void> Journal::append(const Answer& answer) {
  return write_line(line_of(next_++, answer));
}

Expected<void> Journal::finish() { return write_line(Json{{kFinished, true}}.dump()); }

}  // namespace vyre
