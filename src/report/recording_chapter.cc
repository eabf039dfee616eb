#include "report/recording_chapter.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace vyre::report {
namespace {

double run_seconds_of(const recording::Row& row) {
  return std::reduce(row.run_ms.begin(), row.run_ms.end(), 0.0) / 1000;
}

Entrant entrant_of(const recording::Row& row, std::uint64_t index) {
  Entrant out{.index = index,
              .point = row.point,
              .ending = row.status == Status::ok ? Ending::measured : Ending::failed,
              .status = row.status,
              .admit_seconds = row.compile_ms / 1000,
              .run_seconds = run_seconds_of(row),
              .place = index + 1,
              .timestamp = row.timestamp};
  if (row.time_ms) out.elapsed = {*row.time_ms * 1e6, *row.time_ms * 1e6, *row.time_ms * 1e6};
  for (const double ms : row.run_ms) out.samples_ns.push_back(ms * 1e6);
  return out;
}

void add_costs(Chapter& chapter, const std::vector<recording::Row>& rows) {
  std::array<TimePart, 5> parts{
      {{"compile"}, {"runs"}, {"verify"}, {"search"}, {"framework, waiting"}}};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const recording::Row& row = rows[k];
    const std::array seconds{row.compile_ms / 1000, run_seconds_of(row), row.validation_ms / 1000,
                             row.search_ms / 1000, row.framework_ms / 1000};
    for (std::size_t p = 0; p < parts.size(); ++p) {
      parts[p].seconds += seconds[p];
      chapter.seconds += seconds[p];
    }
    chapter.entrants[k].at_seconds = chapter.seconds;
  }
  for (TimePart& part : parts) {
    if (part.seconds > 0) chapter.time.push_back(std::move(part));
  }
}

void add_recording_notes(Chapter& chapter) {
  if (chapter.seconds <= 0) {
    for (Entrant& entrant : chapter.entrants) entrant.at_seconds = -1;
    chapter.notes.emplace_back("The file does not record what its measurements cost.");
  } else if (chapter.time.size() == 1) {
    chapter.notes.emplace_back("The file records no other time than that of the " +
                               chapter.time.front().what + ".");
  }
  chapter.notes.emplace_back(
      "A recording does not say which configuration is the default, and has no race: gain, ties "
      "and "
      "drops are not known. Its rows are taken to stand in the order in which they were measured.");
}

}  // namespace

Chapter chapter_of(const recording::Recording& recording, std::string name, std::string source) {
  Chapter out{
      .title = std::move(name), .source = std::move(source), .parameters = recording.parameters};
  for (const auto& [key, value] : recording.metadata.entries()) {
    const auto* text = std::get_if<std::string>(&value);
    out.about.push_back({key, text != nullptr ? *text : to_string(value)});
    if (key == "device" && text != nullptr) out.device = *text;
  }
  for (std::size_t k = 0; k < recording.rows.size(); ++k) {
    out.entrants.push_back(entrant_of(recording.rows[k], k));
  }
  const auto fastest = std::ranges::min_element(out.entrants, {}, [](const Entrant& e) {
    return e.elapsed.ns > 0 ? e.elapsed.ns : std::numeric_limits<double>::infinity();
  });
  if (fastest != out.entrants.end() && fastest->elapsed.ns > 0) fastest->ending = Ending::fastest;
  add_costs(out, recording.rows);
  add_recording_notes(out);
  return out;
}

}  // namespace vyre::report
