#include "tune/history.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "tune/first_speed.h"

namespace vyre {
namespace {

// Asks the race in the same order as the campaign did, but takes the answers as they come.
class Retelling {
 public:
  Retelling(History& history, const RaceOptions& options) : history_(history), race_(options) {}

  void tell(const std::vector<JournalLine>& lines) {
    for (const JournalLine& line : lines) {
      if (line.entry == Entry::admit) {
        race_.screen();
        enter(line.answer);
      } else if (line.entry == Entry::sample) {
        race_.screen();
        sample(line.answer);
      } else if (line.entry == Entry::race) {
        if (left_in_round_ == 0) left_in_round_ = race_.next_round().size();
        if (left_in_round_ > 0) --left_in_round_;
        sample(line.answer);
      } else if (line.entry == Entry::pair) {
        pair(line.answer);
      }
    }
    race_.screen();
    if (left_in_round_ == 0) race_.next_round();
    history_.standings.assign(race_.standings().begin(), race_.standings().end());
    history_.outcome = race_.outcome();
  }

 private:
  void enter(const Answer& answer) {
    const std::uint64_t now = history_.samples.size();
    const std::uint64_t index = answer.work.index;
    if (answer.result.status != Status::ok) {
      history_.failures.push_back({{index, answer.result.status, answer.why}, now});
      return;
    }
    race_.add({.id = index, .is_default = index == history_.default_index});
    history_.entered.push_back(now);
  }

  void pair(const Answer& answer) {
    if (answer.result.status != Status::ok) return sample(answer);
    history_.pairs.push_back({answer.work.index, answer.result.time_ms * 1e6});
  }

  void sample(const Answer& answer) {
    const std::uint64_t index = answer.work.index;
    if (answer.result.status != Status::ok) {
      race_.fail(index);
      history_.failures.push_back(
          {{index, answer.result.status, answer.why}, history_.samples.size()});
      return;
    }
    const double ns = speed_.ns(answer.result);
    if (race_.tell(index, ns)) history_.samples.push_back({index, ns});
  }

  History& history_;
  Race race_;
  FirstSpeed speed_;
  std::size_t left_in_round_ = 0;
};

bool is_time_of(const Decision& decision, double ns) {
  return std::abs(ns - decision.elapsed.ns) <= 1e-6 * decision.elapsed.ns;
}

}  // namespace

bool rests_on(const Decision& decision, const History& history) {
  return std::ranges::any_of(history.standings, [&](const Standing& s) {
    std::vector<double> ns;
    for (const Sampled& pair : history.pairs) {
      if (pair.index == s.candidate.id) ns.push_back(pair.ns);
    }
    if (ns.empty()) return is_time_of(decision, s.elapsed.ns);
    if (is_time_of(decision, estimate(ns).ns)) return true;
    ns.pop_back();
    return is_time_of(decision, estimate(ns).ns);
  });
}

RaceOptions race_of(RaceOptions options, std::string_view strategy, bool is_warm) {
  if (is_warm) options.warm_up_samples = 0;
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

History retell(const ReadJournal& journal, const RaceOptions& options) {
  History out{.campaign = journal.campaign};
  const std::string standard = word_of(out.campaign, "default");
  std::from_chars(standard.data(), standard.data() + standard.size(), out.default_index);
  const bool is_warm = word_of(out.campaign, "samples") == kWarm;
  Retelling(out, race_of(options, word_of(out.campaign, "strategy"), is_warm)).tell(journal.lines);
  return out;
}

Expected<History> history_of(const ReadJournal& journal, const RaceOptions& options) {
  History out = retell(journal, options);
  if (!out.samples.empty()) return out;
  return bad_inputs("the journal of {} has no samples yet; let the campaign run",
                    quote(out.campaign));
}

}  // namespace vyre
