#include <chrono>
#include <deque>

#include "backend/prepared.h"
#include "base/error.h"
#include "ir/ops.h"
#include "tuner/evaluate/compare.h"
#include "vyre/campaign.h"

namespace vyre::tuner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCanaryBytes = 4096;
// Those in a race alternate; more than a few at once would only hold memory.
constexpr std::size_t kMostReady = 6;

class InProcess final : public Evaluator {
 public:
  InProcess(std::shared_ptr<backend::Device> device, const Problem& problem)
      : device_(std::move(device)), problem_(problem) {
    for (const auto& bytes : *problem_.inputs) inputs_.emplace_back(bytes);
    for (const auto& [name, bits] : problem_.arguments) arguments_.push_back({name, bits});
    for (const ir::Buffer& b : problem_.sequence.def().buffers) {
      if (b.access == ir::Access::read_write) changes_inputs_ = true;
    }
  }

  // The default runs first: its output is what the others are compared with, unless the problem
  // knows better.
  Expected<void> begin() {
    VYRE_TRY(backend::Prepared * prepared, ready(problem_.default_index));
    VYRE_TRY_VOID(write_and_run(*prepared));
    VYRE_TRY_VOID(prepared->read_outputs(reference_));
    if (problem_.reference == nullptr) return {};
    for (std::size_t k = 0; k < std::min(reference_.size(), problem_.reference->size()); ++k) {
      if (!(*problem_.reference)[k].empty()) reference_[k] = (*problem_.reference)[k];
    }
    return {};
  }

  // Includes one launch that is thrown away: PoCL compiles the better part at the first.
  Expected<Status> prepare(std::uint64_t index) override {
    const auto prepared = ready(index);
    if (!prepared) return status_of(prepared.error(), Status::compile);
    if (auto run = write_and_run(**prepared); !run) return status_of(run.error(), Status::runtime);
    return Status::ok;
  }

  Expected<Status> verify(std::uint64_t index) override {
    VYRE_TRY(backend::Prepared * prepared, ready(index));
    if (auto run = write_and_run(*prepared); !run) return status_of(run.error(), Status::runtime);
    VYRE_TRY_VOID(prepared->read_outputs(outputs_));
    if (first_difference(problem_, outputs_, reference_)) {
      return Status::correctness;
    }
    VYRE_TRY(const auto damaged, prepared->damaged_canary());
    return damaged ? Status::correctness : Status::ok;
  }

  Expected<Result> sample(std::uint64_t index) override {
    VYRE_TRY(backend::Prepared * prepared, ready(index));
    if (changes_inputs_) VYRE_TRY_VOID(prepared->write_inputs(inputs_));
    std::uint64_t elapsed_ns = 0;
    if (auto run = prepared->run(&elapsed_ns); !run) {
      VYRE_TRY(const Status status, status_of(run.error(), Status::runtime));
      return Result{status, 0};
    }
    // A clock that does not tick during a launch still says that it was short.
    return Result{Status::ok, static_cast<double>(std::max<std::uint64_t>(elapsed_ns, 1)) / 1e6};
  }

  double now_seconds() const override {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  struct Ready {
    std::uint64_t index;
    std::unique_ptr<backend::Prepared> prepared;
  };

  Expected<backend::Prepared*> ready(std::uint64_t index) {
    for (const Ready& r : ready_) {
      if (r.index == index) return r.prepared.get();
    }
    const Config config = problem_.space.config_at(index);
    VYRE_TRY(auto prepared, backend::Prepared::make(
                                device_, problem_.sequence,
                                {.inputs = inputs_, .arguments = arguments_, .config = &config},
                                {.find_kernel = {}, .canary_bytes = kCanaryBytes}));
    VYRE_TRY_VOID(prepared->write_inputs(inputs_));
    if (ready_.size() == kMostReady) ready_.pop_front();
    ready_.push_back({index, std::move(prepared)});
    return ready_.back().prepared.get();
  }

  Expected<void> write_and_run(backend::Prepared& prepared) {
    VYRE_TRY_VOID(prepared.write_inputs(inputs_));
    return prepared.run();
  }

  // What the candidate is to blame for is a status; what the caller is to blame for is an error.
  static Expected<Status> status_of(const Error& error, Status status) {
    if (error.kind == ErrorKind::bad_inputs) return std::unexpected(error);
    return error.kind == ErrorKind::rejected ? Status::compile : status;
  }

  std::shared_ptr<backend::Device> device_;
  Problem problem_;
  std::vector<backend::Input> inputs_;
  std::vector<backend::Argument> arguments_;
  bool changes_inputs_ = false;
  backend::Outputs reference_;
  backend::Outputs outputs_;
  std::deque<Ready> ready_;  // the one used longest ago first
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Expected<std::unique_ptr<Evaluator>> evaluate_in_process(std::shared_ptr<backend::Device> device,
                                                         const Problem& problem) {
  auto out = std::make_unique<InProcess>(std::move(device), problem);
  if (auto begun = out->begin(); !begun) {
    return rejected("{}: the default configuration ({}) does not run: {}", problem.name,
                    to_string(problem.space.config_at(problem.default_index)),
                    begun.error().message);
  }
  return out;
}

}  // namespace vyre::tuner
