// A campaign: the search of one space through one evaluator, with its journal. It knows nothing of
// decisions and files but the journal's; tune (vyre/tune.h) is built on it.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/opening.h"
#include "vyre/tune.h"

namespace vyre {

struct ReadJournal;

struct CampaignOptions {
  std::string strategy = "natural";
  std::uint64_t seed = 1;
  Budget budget = {};
  std::vector<std::uint64_t> seeds = {};  // configurations to try first, behind the default
  // The decision that the new one would replace: tried too, and compared side by side at the end.
  std::optional<std::uint64_t> rival = {};
  Opening opening =
      {};  // behind the default and before the search; none if the first list is empty
  std::vector<Hint> hints = {};              // what siblings say about the space
  std::vector<Failure> known_failures = {};  // of earlier campaigns: never tried
  std::filesystem::path journal = {};        // empty: none
  bool keeps_journal = false;                // in memory, if it has no file
  // The space is a choice of workgroup sizes, and the original's policy for this mode decides.
  struct WorkgroupPolicy {
    Mode mode = Mode::natural;
    ir::Sequence sequence;
  };
  std::optional<WorkgroupPolicy> workgroup = {};
  RaceOptions race = {};
  // After each configuration; false ends the campaign without a final race, so that it can go on.
  std::function<bool(const Progress& progress)> on_progress = {};
  std::function<void(const Tried& tried)> on_tried = {};
};

// The space that is searched, for evaluators of any kind.
struct SearchTask {
  std::string name;      // for messages
  std::string identity;  // tells the campaign from others in the journal: one line
  space::Space space;
  std::uint64_t default_index = 0;
  std::function<Candidate(std::uint64_t index)> candidate = {};  // for ties; empty: by index
};

// The one line that names a campaign in its journal. Campaigns of the same program, shape, space,
// data, device, strategy, seed and number of workers, or of configurations in flight on nodes, have
// the same, and resume each other.
std::string campaign_line(const SearchTask& task, const CampaignOptions& options,
                          const Evaluator& evaluator);

// rejected: the default configuration itself does not run, or is wrong: then nothing can be
// compared with it. bad_inputs: an empty budget, an unknown strategy, a start outside the space.
Expected<CampaignReport> run_campaign(const SearchTask& task, Evaluator& evaluator,
                                      const CampaignOptions& options);

// The same one run at a time; run_campaign is a loop over it. Ended before its time, it goes on
// from its journal like any other.
class CampaignSteps {
 public:
  // As run_campaign; `evaluator` must outlive this.
  static Expected<CampaignSteps> begin(const SearchTask& task, Evaluator& evaluator,
                                       const CampaignOptions& options);
  CampaignSteps(CampaignSteps&&) noexcept;
  CampaignSteps& operator=(CampaignSteps&&) = delete;
  ~CampaignSteps();

  // A new configuration is compiled and verified, or a known one runs once. False: nothing is left
  // to do but to ask for the report. After an error the report has what was found until then, or
  // there is none if nothing was measured.
  Expected<bool> step();
  // Whether the next step is answered from the journal, and costs nothing.
  bool is_replaying() const;
  // Once. The journal stays: a process that is killed before the decision is kept loses nothing.
  Expected<CampaignReport> report();
  // The decision is kept: nothing is left to resume.
  Expected<void> finish_journal();
  // Null: it has a file, or is not kept.
  std::shared_ptr<const ReadJournal> kept_journal() const;

 private:
  struct Content;
  explicit CampaignSteps(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace vyre
