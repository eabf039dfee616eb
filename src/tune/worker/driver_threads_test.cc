#include "tune/worker/driver_threads.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <future>
#include <thread>

namespace vyre::worker {
namespace {

cpu_set_t cores_of(pid_t thread) {
  cpu_set_t out;
  CPU_ZERO(&out);
  EXPECT_EQ(::sched_getaffinity(thread, sizeof(out), &out), 0);
  return out;
}

// Waits until it is told to end.
class Waiting {
 public:
  Waiting()
      : thread_([this] {
          id_.set_value(::gettid());
          end_.get_future().wait();
        }) {}
  ~Waiting() {
    end_.set_value();
    thread_.join();
  }
  pid_t id() { return id_future_.get(); }

 private:
  std::promise<pid_t> id_;
  std::shared_future<pid_t> id_future_ = id_.get_future().share();
  std::promise<void> end_;
  std::thread thread_;
};

TEST(DriverThreads, AreOnACoreEachWhileTheyAreSpread) {
  const cpu_set_t all = cores_of(0);
  Waiting own;
  const pid_t own_id = own.id();
  const DriverThreads threads;
  Waiting first;
  Waiting second;
  const pid_t ids[] = {first.id(), second.id()};

  threads.spread();
  cpu_set_t both;
  CPU_ZERO(&both);
  for (const pid_t id : ids) {
    const cpu_set_t cores = cores_of(id);
    EXPECT_EQ(CPU_COUNT(&cores), 1);
    CPU_OR(&both, &both, &cores);
  }
  EXPECT_EQ(CPU_COUNT(&both), std::min(2, CPU_COUNT(&all)));
  for (const pid_t id : {::gettid(), own_id}) {
    const cpu_set_t cores = cores_of(id);
    EXPECT_TRUE(CPU_EQUAL(&cores, &all)) << "the worker's own threads stay free";
  }

  threads.set_free();
  for (const pid_t id : ids) {
    const cpu_set_t cores = cores_of(id);
    EXPECT_TRUE(CPU_EQUAL(&cores, &all));
  }
}

}  // namespace
}  // namespace vyre::worker
