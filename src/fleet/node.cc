#include "fleet/node.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/statistics.h"
#include "fleet/parcel.h"

namespace vyre::fleet {
namespace {

using NodeClock = std::chrono::steady_clock;

constexpr double kLookSeconds = 0.02;  // how often new work is looked for while some is under way
// Samples of the default configuration: what this node's times are compared with.
constexpr int kDefaultSamples = 5;
constexpr std::uint64_t kMostRecalled = 1'000'000;

// The streams. Frames come in and beats go out in threads of their own.
class Wire {
 public:
  Wire(int input, int output, const Timing& timing)
      : input_(input), output_(output), timing_(timing) {}

  void begin() {
    std::thread([this] { listen(); }).detach();
    std::thread([this] { beat(); }).detach();
  }

  // None: there is none, and `waits` does not say to wait for one.
  std::optional<Frame> take(bool waits) {
    std::unique_lock lock(mutex_);
    if (waits) some_.wait(lock, [&] { return !frames_.empty(); });
    if (frames_.empty()) return std::nullopt;
    Frame out = std::move(frames_.front());
    frames_.pop_front();
    return out;
  }

  void send(FrameKind kind, std::string content) {
    const std::lock_guard lock(writing_);
    if (!write_all(output_, encode({kind, std::move(content)}))) ::_exit(1);
  }

 private:
  // Ends the process with the stream, whatever the other threads do.
  [[noreturn]] void listen() {
    FrameReader reader;
    auto heard = NodeClock::now();
    std::array<char, 65536> bytes{};
    for (;;) {
      pollfd wait{input_, POLLIN, 0};
      const int ready = ::poll(&wait, 1, static_cast<int>(timing_.beat.count() / 4 + 1));
      if (ready < 0 && errno != EINTR) ::_exit(1);
      if (ready <= 0) {
        if (NodeClock::now() - heard > timing_.end) ::_exit(1);
        continue;
      }
      const ssize_t got = ::read(input_, bytes.data(), bytes.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) ::_exit(0);
      heard = NodeClock::now();
      reader.add({bytes.data(), static_cast<std::size_t>(got)});
      take_frames(reader);
    }
  }

  void take_frames(FrameReader& reader) {
    for (;;) {
      auto next = reader.next();
      if (!next) ::_exit(1);
      if (!*next) return;
      Frame frame = **std::move(next);
      if (frame.kind == FrameKind::bye) ::_exit(0);
      if (frame.kind == FrameKind::beat) continue;
      const std::lock_guard lock(mutex_);
      frames_.push_back(std::move(frame));
      is_open_ = true;
      some_.notify_all();
    }
  }

  [[noreturn]] void beat() {
    {
      std::unique_lock lock(mutex_);
      some_.wait(lock, [&] { return is_open_; });
    }
    for (;;) {
      send(FrameKind::beat, "");
      std::this_thread::sleep_for(timing_.beat);
    }
  }

  int input_;
  int output_;
  Timing timing_;
  std::mutex writing_;
  std::mutex mutex_;  // over all below
  std::condition_variable some_;
  std::deque<Frame> frames_;
  bool is_open_ = false;
};

class Node {
 public:
  Node(int input, int output, const NodeOptions& options)
      : options_(options), wire_(input, output, options.timing) {}

  [[noreturn]] void run() {
    wire_.begin();
    for (;;) {
      if (auto frame = wire_.take(tickets_.empty())) {
        take(*frame);
      } else {
        work();
      }
    }
  }

 private:
  void take(const Frame& frame) {
    const auto done = dispatch(frame);
    if (!done) give_notice(done.error());
  }

  Expected<void> dispatch(const Frame& frame) {
    if (frame.kind == FrameKind::hello) return greet(frame);
    if (frame.kind == FrameKind::job) return take_job(frame);
    if (frame.kind == FrameKind::data) return take_data(frame);
    if (frame.kind == FrameKind::start) return take_start(frame);
    if (frame.kind == FrameKind::recall) return take_recall(frame);
    if (frame.kind == FrameKind::give_up) give_up();
    return {};
  }

  // ---- The device

  Expected<void> greet(const Frame& frame) {
    VYRE_TRY(const Hello hello, hello_from(frame.content));
    if (!device_) device_ = options_.open_device();
    Greeting greeting{.version = options_.version, .nonce = hello.nonce, .host = options_.host};
    if (*device_) {
      greeting.device = **device_;
    } else {
      greeting.error = device_->error();
    }
    wire_.send(FrameKind::greeting, to_bytes(greeting));
    return {};
  }

  // ---- The problem

  Expected<void> take_job(const Frame& frame) {
    drop_job();
    VYRE_TRY(JobMessage job, job_from(frame.content));
    job_ = job.head.id;
    VYRE_TRY(Unpacking begun, Unpacking::begin(std::move(job), known_));
    unpacking_.emplace(std::move(begun));
    if (unpacking_->is_complete()) return begin_job();
    wire_.send(FrameKind::want, to_bytes(unpacking_->want()));
    return {};
  }

  Expected<void> take_data(const Frame& frame) {
    if (!unpacking_) return {};
    VYRE_TRY(const DataMessage data, data_from(frame.content));
    VYRE_TRY_VOID(unpacking_->add(data));
    return unpacking_->is_complete() ? begin_job() : Expected<void>();
  }

  Expected<void> begin_job() {
    known_ = unpacking_->known();
    VYRE_TRY(const Problem problem, unpacking_->problem());
    const JobHead head = unpacking_->head();
    unpacking_.reset();
    configs_ = {problem.space.config_at(problem.default_index)};
    numbers_ = {{head.default_index, problem.default_index}};
    VYRE_TRY(evaluator_, options_.evaluate(problem, head, [this](std::uint64_t number) {
      return configs_.at(number);
    }));
    VYRE_TRY(const double default_ms, measure_default(problem));
    wire_.send(FrameKind::ready,
               to_bytes(Ready{.job = job_,
                              .workers = static_cast<std::uint32_t>(evaluator_->workers()),
                              .is_warm = evaluator_->is_warm(),
                              .default_ms = default_ms}));
    return {};
  }

  Expected<double> measure_default(const Problem& problem) {
    const auto answered = [&](Step step) -> Expected<double> {
      VYRE_TRY(const Answer answer, answer_of(*evaluator_, {step, problem.default_index}));
      if (answer.result.status == Status::ok) return answer.result.time_ms;
      return rejected("{}: the default configuration ({}) does not run: {}", problem.name,
                      to_string(configs_[0]), answer.why);
    };
    VYRE_TRY_VOID(answered(Step::admit));
    std::vector<double> times;
    for (int k = 0; k < kDefaultSamples; ++k) {
      VYRE_TRY(const double time_ms, answered(Step::sample));
      times.push_back(time_ms);
    }
    return median(times);
  }

  void drop_job() {
    tickets_.clear();
    unpacking_.reset();
    evaluator_.reset();
    told_kernel_seconds_ = 0;
  }

  // The campaign decides what becomes of the work; this node waits for another job.
  void give_notice(const Error& error) {
    drop_job();
    wire_.send(FrameKind::error, to_bytes(ErrorMessage{job_, error}));
  }

  // ---- Work

  // Numbers as this node's evaluator has them: in the order in which they came.
  Work known_as(const Work& work, const Config& config) {
    const auto [it, is_new] = numbers_.emplace(work.index, configs_.size());
    if (is_new) configs_.push_back(config);
    return {work.step, it->second};
  }

  Expected<void> take_start(const Frame& frame) {
    if (evaluator_ == nullptr) return {};
    VYRE_TRY(const StartMessage start, start_from(frame.content));
    const Work work = known_as(start.work, start.config);
    tickets_.emplace_back(work, start.ticket);
    return evaluator_->start(work);
  }

  Expected<void> take_recall(const Frame& frame) {
    if (evaluator_ == nullptr) return {};
    VYRE_TRY(const RecallMessage recall, recall_from(frame.content));
    const Work work = known_as(recall.work, recall.config);
    for (std::uint64_t k = 0; k < std::min(recall.count, kMostRecalled); ++k) {
      evaluator_->recall({.work = work});
    }
    return {};
  }

  void give_up() {
    if (evaluator_ != nullptr) evaluator_->give_up();
    tickets_.clear();
  }

  void work() {
    auto answer = evaluator_->next(evaluator_->now_seconds() + kLookSeconds);
    if (!answer) return give_notice(answer.error());
    if (!*answer) return;
    const auto found = std::ranges::find(tickets_, (*answer)->work, &Ticket::first);
    if (found == tickets_.end()) return;
    const double kernel_seconds = evaluator_->kernel_seconds();
    wire_.send(FrameKind::answer,
               to_bytes(AnswerMessage{
                   .ticket = found->second,
                   .result = (*answer)->result,
                   .why = (*answer)->why,
                   .kernel_seconds =
                       kernel_seconds - std::exchange(told_kernel_seconds_, kernel_seconds)}));
    tickets_.erase(found);
  }

  using Ticket = std::pair<Work, std::uint64_t>;

  NodeOptions options_;
  Wire wire_;
  std::optional<Expected<DeviceInfo>> device_;
  std::uint64_t job_ = 0;
  Unpacking::Known known_;
  std::optional<Unpacking> unpacking_;
  std::vector<Config> configs_;                               // by number
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;  // by index in the campaign's space
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<Ticket> tickets_;  // of what is under way
  double told_kernel_seconds_ = 0;
};

}  // namespace

void serve_node(int input, int output, const NodeOptions& options) {
  // In all threads: a campaign that is gone is seen by the write that fails.
  sigset_t pipe;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  Node(input, output, options).run();
}

}  // namespace vyre::fleet
