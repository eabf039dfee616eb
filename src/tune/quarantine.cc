#include "tune/quarantine.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/status.h"
#include "tune/exceeded_limit.h"
#include "tune/suspect.h"
#include "vyre/program.h"

namespace vyre {
namespace {

constexpr std::size_t kMostQuarantineBytes = std::size_t{64} << 20U;
constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr std::uint32_t kMostDoublings = 5;

std::string name_of(const Problem& problem, const Identity& identity) {
  return ir::to_hex(problem.sequence.fingerprint()) + " " + id_of(identity);
}

struct Line {
  std::string name;
  Quarantine::Entry entry;
};

std::optional<Line> parse_line(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("config")) return std::nullopt;
  const auto field = [&](const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  const auto status = recording::parse_status(field("status"));
  auto config = to_config({json["config"], "config"});
  if (!status || *status == Status::ok || !config) return std::nullopt;
  const auto at = json.find("at");
  const bool has_time = at != json.end() && at->is_number_integer();
  return Line{field("program") + " " + field("identity"),
              {.config = *std::move(config),
               .status = *status,
               .why = field("why"),
               .failed_at = has_time ? at->get<std::int64_t>() : 0}};
}

// A later line of the same configuration counts instead, unless its output was wrong before.
void enter(std::vector<Quarantine::Entry>& known, Quarantine::Entry entry) {
  const auto earlier = std::ranges::find(known, entry.config, &Quarantine::Entry::config);
  if (earlier == known.end()) {
    known.push_back(std::move(entry));
    return;
  }
  if (earlier->status == Status::correctness) return;
  entry.failures = earlier->failures + 1;
  *earlier = std::move(entry);
}

bool is_raised(const ExceededLimit& exceeded, const Quarantine::Terms& terms) {
  const auto limit =
      exceeded.kind == ExceededLimit::Kind::build ? terms.build_limit : terms.run_limit;
  return std::chrono::duration<double>(limit).count() > exceeded.seconds;
}

}  // namespace

Expected<Quarantine> Quarantine::open(const std::filesystem::path& file, const Terms& terms) {
  Quarantine out(file, terms);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return out;
  VYRE_TRY(const std::string text, read_file(file, kMostQuarantineBytes, Links::refuse));
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (auto line = parse_line(rest.substr(0, end))) {
      enter(out.known_[line->name], std::move(line->entry));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::vector<Failure> Quarantine::of(const Problem& problem, const Identity& identity) const {
  std::vector<Failure> out;
  const auto known = known_.find(name_of(problem, identity));
  if (known == known_.end()) return out;
  for (const Entry& entry : known->second) {
    const auto index = problem.space.find(entry.config);
    if (index && holds(entry)) out.push_back({*index, entry.status, entry.why});
  }
  return out;
}

bool Quarantine::holds(const Entry& entry) const {
  if (entry.status == Status::correctness) return true;
  const auto exceeded = exceeded_limit_in(entry.why);
  if (exceeded && is_raised(*exceeded, terms_)) return false;
  // A clock that was wrong once must not hold an entry for years.
  const std::int64_t days =
      std::abs(terms_.now / kSecondsPerDay - entry.failed_at / kSecondsPerDay);
  return days < std::int64_t{1} << std::min(entry.failures - 1, kMostDoublings);
}

Expected<void> Quarantine::add(const Problem& problem, const Identity& identity,
                               std::span<const Failure> failures) {
  std::vector<Entry>& known = known_[name_of(problem, identity)];
  std::string lines;
  for (const Failure& failure : failures) {
    if (is_suspect(failure.why)) continue;
    const Config config = problem.space.config_at(failure.index);
    const auto earlier = std::ranges::find(known, config, &Entry::config);
    if (earlier != known.end() && holds(*earlier)) continue;
    enter(
        known,
        {.config = config, .status = failure.status, .why = failure.why, .failed_at = terms_.now});
    Json line{{"name", problem.name},
              {"program", ir::to_hex(problem.sequence.fingerprint())},
              {"identity", id_of(identity)},
              {"config", to_json(config)},
              {"status", recording::to_string(failure.status)},
              {"at", terms_.now}};
    if (!failure.why.empty()) line["why"] = failure.why;
    // A compiler's words need not be UTF-8.
    lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  if (lines.empty()) return {};
  if (file_.has_parent_path()) VYRE_TRY_VOID(make_folders(file_.parent_path()));
  // One write in append mode: lines of several processes do not mix.
  const auto file = open_own(file_, O_WRONLY | O_APPEND);
  if (file &&
      ::write(file->get(), lines.data(), lines.size()) == static_cast<ssize_t>(lines.size()) &&
      ::fsync(file->get()) == 0) {
    return {};
  }
  return io_error("cannot write {}: is the disk full, or the folder read only?",
                  quote_path(file_.native()));
}

}  // namespace vyre
