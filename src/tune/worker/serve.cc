#include "tune/worker/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tune/problem_runner.h"
#include "tune/worker/job.h"
#include "tune/worker/messages.h"

namespace vyre::worker {
namespace {

constexpr double kForever = 1e6;  // seconds; then it looks again

// When memory runs out, this process goes, not the application.
void volunteer_for_the_oom_killer() { std::ofstream("/proc/self/oom_score_adj") << 1000; }

void limit_memory(std::uint64_t bytes) {
  if (bytes == 0) return;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t limit = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + bytes;
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
  return job.device.empty() ? open_best_device(job.options) : open_device(job.device, job.options);
}

Result result_of(Expected<Status>&& status, std::optional<Error>& error) {
  if (status) return {*status, 0};
  error = std::move(status).error();
  return {Status::runtime, 0};
}

Result perform(const Request& request, ProblemRunner& runner, std::optional<Error>& error) {
  switch (request.task) {
    case Task::begin:
      if (auto done = runner.make_reference(); !done) error = std::move(done).error();
      return {error ? Status::runtime : Status::ok, 0};
    case Task::compile:
      return result_of(runner.compile(request.config), error);
    case Task::rehearse:
      return result_of(runner.rehearse(request.config), error);
    case Task::forget:
      runner.forget(request.config);
      return {Status::ok, 0};
    case Task::verify:
      return result_of(runner.verify(request.config), error);
    case Task::sample: {
      auto result = runner.sample(request.config);
      if (result) return *result;
      error = std::move(result).error();
      return {Status::runtime, 0};
    }
  }
  return {Status::runtime, 0};
}

Reply answer(const Request& request, ProblemRunner& runner) {
  Reply reply;
  const double before = runner.kernel_seconds();
  reply.result = perform(request, runner, reply.error);
  reply.has_damage = request.task == Task::verify && runner.has_damage();
  reply.kernel_seconds = runner.kernel_seconds() - before;
  return reply;
}

void answer_all(ProblemRunner& runner) {
  for (;;) {
    const auto text = receive_message(kSocketFd, kForever);
    if (!text && text.error() == Silence::timed_out) continue;
    if (!text) return;
    const auto request = request_from(*text);
    Reply reply;
    if (request) {
      reply = answer(*request, runner);
    } else {
      reply.error = request.error();
    }
    if (!send_message(kSocketFd, to_json(reply))) return;
  }
}

Greeting greet(const Expected<Job>& job, const Expected<std::shared_ptr<Device>>& device) {
  Greeting out{.version = kVersion};
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

int serve() {
  if (::fcntl(kSocketFd, F_GETFD) < 0 || ::fcntl(kJobFd, F_GETFD) < 0) return 2;
  volunteer_for_the_oom_killer();
  end_with_the_campaign();
  const Expected<Job> job = read_job(kJobFd);
  Expected<std::shared_ptr<Device>> device = std::unexpected(Error{});
  if (job) device = open(*job);
  if (!send_message(kSocketFd, to_json(greet(job, device)))) return 1;
  if (device) {
    ProblemRunner runner(*device, job->problem);
    limit_memory(job->memory_limit);
    answer_all(runner);
  }
  // Drivers may hang in their destructors behind a kernel that never ended.
  ::_exit(0);
}

}  // namespace vyre::worker
