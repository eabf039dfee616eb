#include "tune/campaign.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "tune/journalled.h"
#include "tune/search_and_race.h"
#include "tune/workgroup_course.h"

namespace vyre {
namespace {

// A campaign that goes on knows what it knew when it began: other failures would lead it another
// way than its journal.
Expected<std::vector<Failure>> known_failures(const SearchTask& task,
                                              const CampaignOptions& options, Journal& journal) {
  std::vector<Failure> known;
  for (const JournalLine& line : journal.lines()) {
    if (line.entry != Entry::known) return known;
    if (line.answer.work.index >= task.space.size()) continue;
    known.push_back({line.answer.work.index, line.answer.result.status, line.answer.why});
  }
  for (const Failure& failure : options.known_failures) {
    if (std::ranges::find(known, failure.index, &Failure::index) != known.end()) continue;
    JournalLine line{.entry = Entry::known};
    line.answer.work.index = failure.index;
    line.answer.result.status = failure.status;
    line.answer.why = failure.why;
    line.config = task.space.config_at(failure.index);
    VYRE_TRY_VOID(journal.append(line));
    known.push_back(failure);
  }
  return known;
}

void tell_failures(const SearchTask& task, std::span<const Failure> failures, Strategy& strategy) {
  for (const Failure& failure : failures) {
    if (failure.index != task.default_index)
      strategy.tell(failure.index, {.status = failure.status});
  }
}

std::vector<std::uint64_t> start_of(const SearchTask& task, const CampaignOptions& options) {
  std::vector<std::uint64_t> start{task.default_index};
  if (options.rival && *options.rival != task.default_index) start.push_back(*options.rival);
  for (const std::uint64_t seed : options.seeds) {
    if (std::ranges::find(start, seed) == start.end()) start.push_back(seed);
  }
  return start;
}

}  // namespace

std::string campaign_line(const SearchTask& task, const CampaignOptions& options,
                          const Evaluator& evaluator) {
  return fmt::format("{} space={} default={} strategy={} seed={} {}={} samples={}", task.identity,
                     digest_of(task.space), task.default_index, options.strategy, options.seed,
                     evaluator.answers_in_order() ? "in_flight" : "workers", evaluator.workers(),
                     evaluator.is_warm() ? kWarm : kSingle);
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::budget:
      return "budget spent";
    case StopReason::converged:
      return "no further gain expected";
    case StopReason::exhausted:
      return "whole space tried";
    case StopReason::asked:
      return "stopped";
  }
  return "?";
}

struct CampaignSteps::Content {
  Content(SearchTask given, Evaluator& with, CampaignOptions wanted)
      : task(std::move(given)), options(std::move(wanted)), evaluator(with) {}

  Expected<void> begin() {
    VYRE_TRY_VOID(check_strategy());
    std::vector<Failure> known = options.known_failures;
    if (!options.journal.empty()) {
      VYRE_TRY(journal, Journal::open(options.journal, campaign_line(task, options, evaluator)));
    } else if (options.keeps_journal) {
      journal = Journal::in_memory(campaign_line(task, options, evaluator));
    }
    if (journal) {
      VYRE_TRY(known, known_failures(task, options, *journal));
      journalled.emplace(evaluator, *journal, task.space);
    }
    Evaluator& asked = journalled ? *journalled : evaluator;
    if (options.workgroup) {
      course = std::make_unique<WorkgroupCourse>(task, asked, options, std::move(known));
      return {};
    }
    VYRE_TRY(strategy,
             make_strategy(
                 options.strategy, task.space,
                 {.seed = options.seed, .start = start_of(task, options), .hints = options.hints}));
    if (!options.opening.first.empty()) {
      Opening opening = options.opening;
      std::erase(opening.first, task.default_index);
      opening.first.insert(opening.first.begin(), task.default_index);
      strategy = with_opening(std::move(strategy), std::move(opening));
    }
    tell_failures(task, known, *strategy);
    course = std::make_unique<SearchAndRace>(task, asked, *strategy, options);
    return {};
  }

  // Before a journal is touched.
  Expected<void> check_strategy() const {
    if (options.workgroup) return {};
    VYRE_TRY_VOID(make_strategy(options.strategy, task.space, {.start = start_of(task, options)}));
    return {};
  }

  std::uint64_t resumed() const {
    if (!journal) return 0;
    return static_cast<std::uint64_t>(
        std::ranges::count(journal->lines(), Entry::admit, &JournalLine::entry));
  }

  SearchTask task;
  CampaignOptions options;
  Evaluator& evaluator;
  std::unique_ptr<Strategy> strategy;
  std::optional<Journal> journal;
  std::optional<Journalled> journalled;
  std::unique_ptr<Course> course;
  double search_seconds = 0;  // as the report says
};

CampaignSteps::CampaignSteps(std::unique_ptr<Content> content) : content_(std::move(content)) {}
CampaignSteps::CampaignSteps(CampaignSteps&&) noexcept = default;
CampaignSteps::~CampaignSteps() = default;

Expected<CampaignSteps> CampaignSteps::begin(const SearchTask& task, Evaluator& evaluator,
                                             const CampaignOptions& options) {
  const Budget& budget = options.budget;
  if (!(budget.seconds > 0) && budget.evaluations == 0 && !records_space(options.strategy)) {
    return bad_inputs("{}: the budget is empty; give seconds or evaluations", task.name);
  }
  auto content = std::make_unique<Content>(task, evaluator, options);
  VYRE_TRY_VOID(content->begin());
  return CampaignSteps(std::move(content));
}

Expected<bool> CampaignSteps::step() { return content_->course->step(); }

bool CampaignSteps::is_replaying() const {
  return content_->journalled && content_->journalled->is_replaying();
}

Expected<CampaignReport> CampaignSteps::report() {
  VYRE_TRY(CampaignReport report, content_->course->report());
  report.resumed = std::min(content_->resumed(), report.evaluations);
  content_->search_seconds = report.search_seconds;
  return report;
}

Expected<void> CampaignSteps::finish_journal() {
  if (!content_->journal) return {};
  return content_->journal->finish(content_->search_seconds);
}

std::shared_ptr<const ReadJournal> CampaignSteps::kept_journal() const {
  return content_->journal ? content_->journal->kept() : nullptr;
}

Expected<CampaignReport> run_campaign(const SearchTask& task, Evaluator& evaluator,
                                      const CampaignOptions& options) {
  VYRE_TRY(CampaignSteps steps, CampaignSteps::begin(task, evaluator, options));
  for (bool more = true; more;) {
    auto step = steps.step();
    // The default fails, and would do so from the journal whatever was mended.
    if (!step && step.error().kind == ErrorKind::rejected) VYRE_TRY_VOID(steps.finish_journal());
    VYRE_TRY(more, std::move(step));
  }
  VYRE_TRY(CampaignReport report, steps.report());
  if (report.stopped != StopReason::asked) VYRE_TRY_VOID(steps.finish_journal());
  return report;
}

}  // namespace vyre
