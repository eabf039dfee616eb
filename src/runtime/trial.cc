#include "runtime/trial.h"

#include "base/error.h"
#include "base/text.h"
#include "runtime/wary_evaluator.h"

namespace vyre {
namespace {

constexpr std::uint64_t kFew = 32;        // below the patience of a campaign: none is left out
constexpr const char* kSweep = "random";  // all of them, but losers are not measured to the end

Problem problem_of(const ir::Sequence& sequence, const Call& call, const Searchable& searchable) {
  Problem out{.name = quote(sequence.def().name),
              .sequence = searchable.sequence,
              .space = searchable.space,
              .default_index = searchable.default_index,
              .inputs = std::make_shared<const Outputs>(copies_of(call.inputs)),
              .opaque_outputs = searchable.opaque_outputs,
              .tolerance = searchable.tolerance};
  for (const Argument& argument : call.arguments) {
    out.arguments.emplace_back(argument.name, argument.bits);
  }
  return out;
}

}  // namespace

Trial::Trial(const Prepared& prepared, const Call& call,
             std::shared_ptr<const Searchable> searchable, const TrialOptions& options)
    : key_(prepared.key),
      program_(prepared.sequence.def().name),
      fingerprint_(prepared.sequence.fingerprint()),
      shape_(prepared.shape),
      searchable_(std::move(searchable)),
      problem_(problem_of(prepared.sequence, call, *searchable_)),
      displaces_(options.displaces),
      worker_(options.worker),
      beside_(options.beside) {
  const bool sweeps = options.sweeps && searchable_->space.size() <= kFew;
  options_.strategy = sweeps ? kSweep : "natural";
  options_.budget = options.budget;
  if (const auto seed = searchable_->find(options.seed)) options_.seeds.push_back(*seed);
}

Expected<void> Trial::begin(const std::shared_ptr<Device>& device) {
  VYRE_TRY(auto evaluator, worker_ == nullptr
                               ? evaluate_in_process(device, problem_)
                               : evaluate_in_worker(*worker_, device->info(), problem_));
  if (beside_ != nullptr) {
    if (auto journal = JournalFile::take(*beside_, key_)) journal_.emplace(*std::move(journal));
  }
  if (journal_) options_.journal = journal_->path();
  evaluator_ = std::make_unique<WaryEvaluator>(
      std::move(evaluator), journal_ ? journal_->note() : std::filesystem::path(),
      problem_.default_index);
  VYRE_TRY(CampaignSteps steps,
           CampaignSteps::begin(task_of(problem_, device->info()), *evaluator_, options_));
  steps_.emplace(std::move(steps));
  return {};
}

Expected<bool> Trial::step(const std::shared_ptr<Device>& device) {
  if (!steps_) {
    VYRE_TRY_VOID(begin(device));
    return true;
  }
  for (;;) {
    const bool was_replaying = steps_->is_replaying();
    VYRE_TRY(const bool more, steps_->step());
    if (!more || !was_replaying) return more;
  }
}

Expected<CampaignReport> Trial::run(const std::shared_ptr<Device>& device) {
  for (bool more = true; more;) {
    VYRE_TRY(more, step(device));
  }
  return report();
}

Decision Trial::decision(const CampaignReport& report) const {
  Decision out = decision_of(problem_, report, options_);
  out.program = program_;
  out.fingerprint = fingerprint_;
  out.shape = shape_;
  out.config = searchable_->kept_config(report.best);
  if (out.runner_up) {
    out.runner_up->config = searchable_->kept_config(*report.outcome.runner_up);
  }
  if (out.strategy == kSweep) out.strategy = "sweep";
  return out;
}

void Trial::remove_journal() {
  steps_.reset();
  evaluator_.reset();
  if (journal_) journal_->remove();
}

}  // namespace vyre
