#include "tune/worker/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "tune/problem_runner.h"
#include "tune/worker/driver_threads.h"
#include "tune/worker/job.h"
#include "tune/worker/messages.h"
#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::worker {
namespace {

using Facts = std::vector<KernelFacts>;

constexpr double kForever = 1e6;  // seconds; then it looks again
constexpr std::uint32_t kProbeCount = 64;

// When memory runs out, this process goes, not the application.
void volunteer_for_the_oom_killer() { std::ofstream("/proc/self/oom_score_adj") << 1000; }

// On both sides of what a candidate has. Reserved, not taken: the limit of the memory does not
// count them.
constexpr std::size_t kGuardBytes = std::size_t{16} << 20U;

void limit_memory(std::uint64_t bytes) {
  if (bytes == 0) return;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t limit = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) +
                              2 * kGuardBytes * ProblemRunner::kMostReady + bytes;
  const rlimit both{limit, limit};
  ::setrlimit(RLIMIT_AS, &both);
}

// A thread of its own: a kernel that hangs does not see that its campaign has ended.
void end_with_the_campaign() {
  std::thread([] {
    pollfd wait{kSocketFd, POLLRDHUP, 0};
    while (::poll(&wait, 1, -1) <= 0) {
    }
    ::_exit(0);
  }).detach();
}

Expected<std::shared_ptr<Device>> open(const Job& job) {
  DeviceOptions options = job.options;
  options.guard_bytes = kGuardBytes;
  return job.device.empty() ? open_best_device(options) : open_device(job.device, options);
}

Expected<void> know_reference(ProblemRunner& runner) {
  if (runner.reference() != nullptr) return {};
  VYRE_TRY(Reference reference, read_reference(kReferenceFd));
  runner.set_reference(std::move(reference));
  return {};
}

Expected<Status> make_reference(ProblemRunner& runner) {
  VYRE_TRY_VOID(runner.make_reference());
  VYRE_TRY_VOID(write_reference(kReferenceFd, *runner.reference()));
  return Status::ok;
}

// Its text has the time and the process in it, so that no compiler finds it in a cache.
Expected<void> run_small_kernel(const std::shared_ptr<Device>& device) {
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto fresh = static_cast<std::uint32_t>(ticks ^ (std::int64_t{::getpid()} << 12U));
  VYRE_TRY(const ir::Program program, ir::build("vyre_probe", [&](ir::Builder& b) {
             auto y = b.write(ir::u32, "y", kProbeCount);
             auto i = b.global_id(0);
             y[i] = i + fresh;
           }));
  VYRE_TRY(const ir::Sequence sequence, ir::Sequence::make(program));
  VYRE_TRY(const Outputs outputs, make_dispatcher(device)->dispatch(sequence, Call{}));
  for (std::uint32_t i = 0; i < kProbeCount; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, outputs.at(0).data() + i * sizeof value, sizeof value);
    if (value != i + fresh) return backend_error("a small kernel gives wrong results");
  }
  return {};
}

Expected<Status> probe(const Request& request, ProblemRunner& runner,
                       const std::shared_ptr<Device>& device) {
  VYRE_TRY_VOID(run_small_kernel(device));
  return runner.verify(request.config);
}

Expected<Status> check(const Request& request, ProblemRunner& runner,
                       const std::shared_ptr<Device>& device) {
  if (request.task == Task::probe) return probe(request, runner, device);
  if (request.task == Task::begin) return make_reference(runner);
  if (request.task == Task::compile || request.task == Task::facts) {
    return runner.compile(request.config);
  }
  VYRE_TRY_VOID(know_reference(runner));
  return runner.verify(request.config);
}

Expected<Result> perform(const Request& request, ProblemRunner& runner,
                         const std::shared_ptr<Device>& device) {
  if (request.task == Task::sample || request.task == Task::race) {
    VYRE_TRY_VOID(know_reference(runner));
    return runner.sample(request.config, request.task == Task::race);
  }
  VYRE_TRY(const Status status, check(request, runner, device));
  return Result{.status = status};
}

Reply answer(const Request& request, ProblemRunner& runner, const std::shared_ptr<Device>& device) {
  Reply reply;
  const double before = runner.kernel_seconds();
  auto result = perform(request, runner, device);
  if (result) {
    reply.result = *result;
    if (request.task == Task::facts) reply.kernels = runner.facts(request.config).value_or(Facts{});
    if (result->status != Status::ok) reply.why = runner.why();
  } else {
    reply.result.status = Status::runtime;
    reply.error = std::move(result).error();
  }
  reply.has_damage = runner.has_damage();  // of this request
  reply.kernel_seconds = runner.kernel_seconds() - before;
  return reply;
}

// Threads of a device that has cores of its own have nothing to do with its kernels.
void answer_all(ProblemRunner& runner, const std::shared_ptr<Device>& device,
                const DriverThreads& driver) {
  const DriverThreads* threads = device->info().shares_host_cores ? &driver : nullptr;
  for (;;) {
    const auto text = receive_message(kSocketFd, kForever);
    if (!text && text.error() == Silence::timed_out) continue;
    if (!text) return;
    const auto request = request_from(*text);
    Reply reply;
    if (request) {
      const bool is_timed = request->task == Task::sample || request->task == Task::race;
      if (is_timed && threads != nullptr) threads->spread();
      reply = answer(*request, runner, device);
      if (is_timed && threads != nullptr) threads->set_free();
    } else {
      reply.error = request.error();
    }
    if (!send_message(kSocketFd, to_json(reply))) return;
  }
}

Greeting greet(const Expected<Job>& job, const Expected<std::shared_ptr<Device>>& device,
               const std::filesystem::path& scratch) {
  Greeting out{.version = kVersion, .scratch = scratch.string()};
  if (!job) {
    out.error = job.error();
  } else if (!device) {
    out.error = device.error();
  } else {
    out.device = fingerprint((*device)->info());
  }
  return out;
}

}  // namespace

int serve(const std::function<std::filesystem::path()>& make_scratch) {
  for (const int fd : {kSocketFd, kJobFd, kReferenceFd}) {
    if (::fcntl(fd, F_GETFD) < 0) return 2;
  }
  volunteer_for_the_oom_killer();
  const std::filesystem::path scratch = make_scratch();
  end_with_the_campaign();
  const DriverThreads threads;
  const Expected<Job> job = read_job(kJobFd);
  Expected<std::shared_ptr<Device>> device = std::unexpected(Error{});
  if (job) device = open(*job);
  if (!send_message(kSocketFd, to_json(greet(job, device, scratch)))) return 1;
  if (device) {
    ProblemRunner runner(*device, job->problem);
    runner.compare_speed();
    runner.on_launch([] { (void)send_message(kSocketFd, to_json(Reply{.is_launched = true})); });
    // Drivers of GPUs reserve far more addresses than they use when they make a context. A failure
    // shows again at the first use.
    if (!(*device)->info().shares_host_cores) (void)(*device)->finish();
    limit_memory(job->memory_limit);
    answer_all(runner, *device, threads);
  }
  // Drivers may hang in their destructors behind a kernel that never ended.
  ::_exit(0);
}

}  // namespace vyre::worker
