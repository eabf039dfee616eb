#include "tune/history.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

// Asks the race in the same order as the campaign did, but takes the answers as they come.
class Retelling {
 public:
  Retelling(History& history, const RaceOptions& options) : history_(history), race_(options) {}

  void tell(const std::vector<Answer>& answers) {
    std::size_t last_entry = 0;  // from here on it is the final race
    for (std::size_t k = 0; k < answers.size(); ++k) {
      if (answers[k].question != Question::sample) last_entry = k;
    }
    for (std::size_t k = 0; k < answers.size(); ++k) {
      if (answers[k].question == Question::sample) {
        sample(answers[k], k > last_entry);
      } else if (answers[k].question != Question::known) {
        enter(answers[k]);
      }
    }
    if (left_in_round_ == 0) begin_round(true);
    history_.standings.assign(race_.standings().begin(), race_.standings().end());
    history_.outcome = race_.outcome();
  }

 private:
  void enter(const Answer& answer) {
    const std::uint64_t now = history_.samples.size();
    if (answer.result.status != Status::ok) {
      history_.failures.push_back({{answer.index, answer.result.status}, now});
    } else if (answer.question == Question::verify) {
      race_.add({.id = answer.index, .is_default = answer.index == history_.default_index});
      history_.entered.push_back(now);
    }
  }

  void sample(const Answer& answer, bool is_final) {
    if (left_in_round_ == 0) begin_round(is_final);
    if (left_in_round_ > 0) --left_in_round_;
    if (answer.result.status != Status::ok) {
      race_.fail(answer.index);
      history_.failures.push_back({{answer.index, answer.result.status}, history_.samples.size()});
      return;
    }
    const double ns = answer.result.time_ms * 1e6;
    if (race_.tell(answer.index, ns)) history_.samples.push_back({answer.index, ns});
  }

  void begin_round(bool is_final) {
    auto round = race_.screen();
    if (round.empty() && is_final) round = race_.next_round();
    left_in_round_ = round.size();
  }

  History& history_;
  Race race_;
  std::size_t left_in_round_ = 0;
};

}  // namespace

RaceOptions race_of(RaceOptions options, std::string_view strategy) {
  if (!records_space(strategy)) return options;
  options.fewest_samples = options.first_samples;
  if (options.mean_samples > 0) options.mean_samples += options.first_samples;
  return options;
}

std::string word_of(std::string_view campaign, std::string_view name) {
  const std::string wanted = fmt::format("{}=", name);
  while (!campaign.empty()) {
    const std::string_view word = campaign.substr(0, campaign.find(' '));
    if (word.starts_with(wanted)) return std::string(word.substr(wanted.size()));
    campaign.remove_prefix(std::min(word.size() + 1, campaign.size()));
  }
  return {};
}

Expected<History> history_of(ReadJournal journal, const RaceOptions& options) {
  History out{.campaign = std::move(journal.campaign)};
  const auto first = std::ranges::find(journal.answers, Question::prepare, &Answer::question);
  if (first != journal.answers.end()) out.default_index = first->index;
  Retelling(out, race_of(options, word_of(out.campaign, "strategy"))).tell(journal.answers);
  if (!out.samples.empty()) return out;
  return bad_inputs("the journal of {} has no samples yet; let the campaign run",
                    quote(out.campaign));
}

}  // namespace vyre
