#include "cli/verify_command.h"

#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/json_value.h"
#include "base/text.h"
#include "cli/interrupts.h"
#include "fleet/child.h"
#include "ir/ops.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kMostKept = 65'536;  // of what the command writes: its end
// As fleet::Child says how a command has ended.
constexpr std::string_view kRight = "exit code 0";
constexpr std::string_view kWrong = "exit code 1";

std::string_view view_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The last line that has something in it. Programs that end by an exception say it there.
std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const std::size_t start = text.rfind('\n');
  return escaped(start == std::string_view::npos ? text : text.substr(start + 1));
}

// A folder of our own below the system's for temporary files.
class Exchange {
 public:
  static Expected<std::unique_ptr<Exchange>> make(const Problem& problem) {
    std::error_code failed;
    std::string path = (fs::temp_directory_path(failed) / "vyre-verify-XXXXXX").string();
    if (failed || ::mkdtemp(path.data()) == nullptr) {
      return io_error("--verify: cannot make a folder in {}: {}; set TMPDIR",
                      quote_path(fs::path(path).parent_path().native()), last_error());
    }
    std::unique_ptr<Exchange> out(new Exchange(path, problem));
    for (const char* part : {"input", "output"}) {
      fs::create_directory(out->folder_ / part, failed);
      if (failed) return io_error("--verify: {}: {}", quote_path(path), failed.message());
    }
    VYRE_TRY_VOID(out->write("input", *problem.inputs, ir::takes_input));
    return out;
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  const fs::path& folder() const { return folder_; }

  Expected<void> put(const Config& config, const Outputs& outputs) const {
    const Json about{
        {"kernel", problem_.name}, {"sizes", problem_.sizes}, {"config", to_json(config)}};
    VYRE_TRY_VOID(write_file_atomically(folder_ / "config.json", about.dump(2) + "\n"));
    return write("output", outputs, ir::gives_output);
  }

 private:
  Exchange(fs::path folder, const Problem& problem)
      : folder_(std::move(folder)), problem_(problem) {}

  // Names of buffers are identifiers, so they are names of files, too.
  Expected<void> write(const char* part, const std::vector<std::vector<std::byte>>& all,
                       bool (*counts)(ir::Access)) const {
    std::size_t next = 0;
    for (const ir::Buffer& buffer : problem_.sequence.def().buffers) {
      if (!counts(buffer.access)) continue;
      const fs::path file = folder_ / part / (buffer.name + ".bin");
      VYRE_TRY_VOID(write_file_atomically(file, view_of(all.at(next++))));
    }
    return {};
  }

  fs::path folder_;
  const Problem& problem_;
};

struct Ended {
  std::string how;
  std::string said;  // its last line
};

class Judge {
 public:
  Judge(VerifyCommand command, const Problem& problem)
      : command_(std::move(command)), problem_(problem) {}

  Expected<std::optional<std::string>> judge(const Config& config, const Outputs& outputs) {
    if (exchange_ == nullptr) {
      VYRE_TRY(exchange_, Exchange::make(problem_));
    }
    VYRE_TRY_VOID(exchange_->put(config, outputs));
    VYRE_TRY(Ended ended, run());
    if (ended.how == kRight) return std::nullopt;
    if (ended.how != kWrong) {
      return bad_inputs("--verify {}: ended with {}, and not with 0 for right or 1 for wrong{}{}",
                        quote(command_.command), ended.how, ended.said.empty() ? "" : ": ",
                        ended.said);
    }
    return ended.said.empty() ? "--verify says that it is wrong" : std::move(ended.said);
  }

 private:
  Expected<Ended> run() const {
    const std::string script = "exec 2>&1 < /dev/null\n" + command_.command + " \"$@\"";
    VYRE_TRY(fleet::Child child, fleet::Child::start({"/bin/sh", "-c", script, "vyre-verify",
                                                      exchange_->folder().string()}));
    const Clock::time_point deadline = Clock::now() + command_.limit;
    std::string said;
    for (bool is_open = true;;) {
      auto how = child.ended();
      if (is_open) is_open = read_all(child.output(), said, how ? 0ms : 20ms);
      if (how) return Ended{*std::move(how), last_line(said)};
      if (!is_open) std::this_thread::sleep_for(1ms);  // it ends right after its output
      if (Interrupts::is_asked()) return backend_error("--verify: interrupted");
      if (Clock::now() < deadline) continue;
      return bad_inputs(
          "--verify {}: took longer than {} ms and was ended; raise --run-limit, or make it faster",
          quote(command_.command), command_.limit.count());
    }
  }

  // All that is there, after waiting so long for it. False: nothing more will come.
  static bool read_all(int fd, std::string& said, std::chrono::milliseconds wait) {
    pollfd poll{fd, POLLIN, 0};
    if (::poll(&poll, 1, static_cast<int>(wait.count())) <= 0) return true;
    std::array<char, 4096> bytes{};
    for (;;) {
      const ssize_t got = ::read(fd, bytes.data(), bytes.size());
      if (got < 0) return errno == EAGAIN || errno == EINTR;
      if (got == 0) return false;
      said.append(bytes.data(), static_cast<std::size_t>(got));
      if (said.size() > kMostKept) said.erase(0, said.size() - kMostKept);
    }
  }

  VerifyCommand command_;
  const Problem& problem_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace

Verifier verifier_of(VerifyCommand command, const Problem& problem) {
  return
      [judge = std::make_shared<Judge>(std::move(command), problem)](
          const Config& config, const Outputs& outputs) { return judge->judge(config, outputs); };
}

}  // namespace vyre::cli
