// A node whose device is recorded (testing::small_landscape with five noisy runs each), for tests
// of everything around the device. Arguments are NAME=VALUE:
//   sleep_ms=N    an admission takes so long on the real clock, too
//   speed=X       all times are so many times longer
//   device=NAME   of its identity
//   folder=PATH   where it leaves a file named after its process
//   mourn=PATH    die by SIGKILL at one piece of work in `one_in`, where it is started for the
//   first
//                 time; what was started and what killed is a folder each, below PATH
//   one_in=N      see mourn
//   salt=N        another number makes other pieces of work deadly
//   fatal=INDEX   die by SIGKILL whenever this configuration is started
//   version=N     of its messages
//   log=PATH      file to which it adds a line "STEP ROW" for each piece of work that it is given
//   slots=PATH    take the first number there that no other node has (each is a folder) and be the
//                 device of that number: its speed and the noise of its 40 runs are its own
//   device_seed=N other devices for other numbers
//   beat_ms=N     between two beats
//   mute=INDEX    stand still for good, with all threads, when this configuration is started

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <thread>

#include "fleet/node.h"
#include "fleet/nodes.h"
#include "nodes/recorded.h"

namespace {

using namespace vyre;

std::map<std::string, std::string> arguments;

double number(const std::string& name, double otherwise) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? otherwise : std::stod(found->second);
}

bool is_named(const std::string& name, std::uint64_t row) {
  const auto found = arguments.find(name);
  return found != arguments.end() && found->second == std::to_string(row);
}

std::optional<std::uint32_t> slot;  // the number of this device, if it has one

void take_slot() {
  const std::filesystem::path folder = arguments["slots"];
  for (std::uint32_t k = 0; !slot; ++k) {
    if (std::filesystem::create_directory(folder / std::to_string(k))) slot = k;
  }
}

// Devices differ by 2 %, and each of their runs by 1 %.
recording::Recording landscape() {
  if (!slot) return testing::noisy_landscape();
  recording::Recording out = testing::dense_landscape();
  std::seed_seq seed{static_cast<std::uint32_t>(number("device_seed", 0)), *slot};
  std::mt19937 random(seed);
  const double speed = std::normal_distribution<double>(1, 0.02)(random);
  std::normal_distribution<double> noise(1, 0.01);
  for (recording::Row& row : out.rows) {
    if (!row.time_ms) continue;
    row.run_ms.clear();
    for (int k = 0; k < 40; ++k) row.run_ms.push_back(*row.time_ms * speed * noise(random));
  }
  return out;
}

// The runs of the default configuration that a node makes for itself, before it is ready.
constexpr int kOwnRuns = 6;

class Recorded final : public Evaluator {
 public:
  explicit Recorded(ConfigOf config_of)
      : replay_(*Replay::make(landscape())), config_of_(std::move(config_of)) {}

  Expected<void> start(const Work& work) override {
    const std::uint64_t row = row_of(work);
    log(work, row);
    die_perhaps(work, row);
    if (work.step == Step::admit) {
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(number("sleep_ms", 0)));
    }
    numbers_[row] = work.index;
    return replay_.start({work.step, row});
  }

  Expected<std::optional<Answer>> next(double until) override {
    auto answer = replay_.next(until);
    if (!answer || !*answer) return answer;
    (*answer)->work.index = numbers_[(*answer)->work.index];
    has_answered_ |= (*answer)->work.index != 0;
    (*answer)->result.time_ms *= number("speed", 1);
    return answer;
  }

  void give_up() override { replay_.give_up(); }
  void recall(const Answer& answer) override {
    replay_.recall({.work = {answer.work.step, row_of(answer.work)}});
  }
  double now_seconds() const override { return replay_.now_seconds(); }

 private:
  void log(const Work& work, std::uint64_t row) {
    if (++started_ <= kOwnRuns || !arguments.contains("log")) return;
    std::ofstream(arguments["log"], std::ios::app)
        << std::to_string(static_cast<int>(work.step)) + " " + std::to_string(row) + "\n";
  }

  std::uint64_t row_of(const Work& work) const {
    return replay_.space().find(config_of_(work.index)).value_or(0);
  }

  // Never in the runs of the default that come before everything else, and never before this node
  // has answered: nodes that die so early are left out in the end.
  void die_perhaps(const Work& work, std::uint64_t row) {
    if (is_named("fatal", row)) ::raise(SIGKILL);
    if (is_named("mute", row)) ::raise(SIGSTOP);
    if (work.index == 0 || !arguments.contains("mourn")) return;
    const std::filesystem::path folder = arguments["mourn"];
    const std::string name =
        std::to_string(static_cast<int>(work.step)) + "-" + std::to_string(row);
    const bool is_first = std::filesystem::create_directory(folder / "started" / name);
    if (!is_first || !has_answered_ || !is_deadly(work, row) || is_mourning(folder)) return;
    const std::string started = std::to_string(entries_of(folder / "started"));
    if (std::filesystem::create_directory(folder / "graves" / started)) ::raise(SIGKILL);
  }

  static std::uint64_t entries_of(const std::filesystem::path& folder) {
    return static_cast<std::uint64_t>(
        std::distance(std::filesystem::directory_iterator(folder), {}));
  }

  // Work that a node took into its grave is done elsewhere; it must not kill a second one, or it
  // would become suspect. A grave's name says how much was started by then. All of the work that
  // was in flight is answered before twice as much is new.
  static bool is_mourning(const std::filesystem::path& folder) {
    const std::uint64_t started = entries_of(folder / "started");
    for (const auto& grave : std::filesystem::directory_iterator(folder / "graves")) {
      if (started < std::stoull(grave.path().filename().string()) + 2 * fleet::kInFlight)
        return true;
    }
    return false;
  }

  static bool is_deadly(const Work& work, std::uint64_t row) {
    std::seed_seq seed{static_cast<std::uint64_t>(number("salt", 0)),
                       static_cast<std::uint64_t>(work.step), row};
    std::mt19937 random(seed);
    return random() % static_cast<std::uint32_t>(number("one_in", 20)) == 0;
  }

  int started_ = 0;
  Replay replay_;
  ConfigOf config_of_;
  std::map<std::uint64_t, std::uint64_t> numbers_;  // by row
  bool has_answered_ = false;                       // for another configuration than the default
};

}  // namespace

int main(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return 2;
    arguments[word.substr(0, equals)] = word.substr(equals + 1);
  }
  if (arguments.contains("slots")) take_slot();
  if (arguments.contains("folder")) {
    std::ofstream(arguments["folder"] + "/" + std::to_string(::getpid())) << "node\n";
  }
  fleet::serve_node(
      0, 1,
      {.host = "here",
       .open_device = []() -> Expected<DeviceInfo> {
         DeviceInfo info = open_null()->info();
         if (arguments.contains("device")) info.name = arguments["device"];
         return info;
       },
       .evaluate = [](const Problem&, const fleet::JobHead&,
                      const ConfigOf& config_of) -> Expected<std::unique_ptr<Evaluator>> {
         return std::make_unique<Recorded>(config_of);
       },
       .timing = {.beat = std::chrono::milliseconds(static_cast<int>(number("beat_ms", 2000)))},
       .version = static_cast<int>(number("version", fleet::kVersion))});
}
