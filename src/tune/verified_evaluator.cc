#include "tune/verified_evaluator.h"

#include <utility>

#include "base/error.h"

namespace vyre {

VerifiedEvaluator::VerifiedEvaluator(std::unique_ptr<Evaluator> inner,
                                     std::shared_ptr<Device> device, const Problem& problem,
                                     Verifier verify)
    : inner_(std::move(inner)),
      space_(problem.space),
      runner_(std::move(device), problem),
      verify_(std::move(verify)) {}

Expected<std::optional<Answer>> VerifiedEvaluator::next(double until) {
  VYRE_TRY(auto answer, inner_->next(until));
  const bool is_admitted =
      answer && answer->work.step == Step::admit && answer->result.status == Status::ok;
  if (is_admitted) VYRE_TRY_VOID(judge(*answer));
  return answer;
}

// A fault of the candidate is a status; a fault of the caller is an error.
Expected<void> VerifiedEvaluator::judge(Answer& answer) {
  const Config config = space_.config_at(answer.work.index);
  auto outputs = runner_.outputs_of(config);
  if (!outputs) {
    if (outputs.error().kind == ErrorKind::bad_inputs) return std::unexpected(outputs.error());
    answer.result.status = Status::runtime;
    answer.why = outputs.error().message;
    return {};
  }
  VYRE_TRY(auto wrong, verify_(config, *outputs));
  if (!wrong) return {};
  answer.result.status = Status::correctness;
  answer.why = *std::move(wrong);
  return {};
}

}  // namespace vyre
