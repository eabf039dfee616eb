// The interpreter as a device: runs the workgroups of a launch on all cores.

#include "vyre/device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include "backend/common/range.h"
#include "backend/reference/lower.h"
#include "backend/reference/workgroup_runner.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "ir/ops.h"
#include "ir/source.h"
#include "vyre/program.h"

namespace vyre {
namespace backend::reference {
namespace {

constexpr std::uint32_t kMostItems = 1024;
constexpr std::uint64_t kMostBufferBytes = std::uint64_t{16} << 30;
constexpr std::uint64_t kLocalBytes = std::uint64_t{1} << 20;

// Commands are over when they return, so the host's clock tells their time.
class ReferenceTimer final : public Timer {
 public:
  using Clock = std::chrono::steady_clock;

  // One command, from its making to its end. A null timer: it is not timed.
  class Command {
   public:
    explicit Command(Timer* timer) : timer_(dynamic_cast<ReferenceTimer*>(timer)) {
      if (timer_ != nullptr && !timer_->start_) timer_->start_ = Clock::now();
    }
    ~Command() {
      if (timer_ != nullptr) timer_->end_ = Clock::now();
    }
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

   private:
    ReferenceTimer* timer_;
  };

  Expected<std::uint64_t> elapsed_ns() override {
    if (!start_) return 0;
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(end_ - *start_).count());
  }

 private:
  std::optional<Clock::time_point> start_;
  Clock::time_point end_;
};

class ReferenceBuffer final : public Buffer {
 public:
  explicit ReferenceBuffer(std::size_t bytes) : bytes_(bytes) {}

  std::size_t size() const override { return bytes_.size(); }
  std::byte* data() { return bytes_.data(); }

  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override {
    VYRE_TRY_VOID(check_range(offset, bytes.size(), bytes_.size()));
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }

  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override {
    VYRE_TRY_VOID(check_range(offset, bytes.size(), bytes_.size()));
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
    return {};
  }

  Expected<void> fill_zero(std::size_t bytes, Timer* timer) override {
    VYRE_TRY_VOID(check_range(0, bytes, bytes_.size()));
    const ReferenceTimer::Command command(timer);
    std::fill_n(bytes_.begin(), bytes, std::byte{0});
    return {};
  }

  Expected<void> copy_from(const Buffer& from, std::size_t bytes) override {
    const auto* other = dynamic_cast<const ReferenceBuffer*>(&from);
    if (other == nullptr) return bad_inputs("a copy from a buffer of another device");
    VYRE_TRY_VOID(check_range(0, bytes, other->size()));
    VYRE_TRY_VOID(check_range(0, bytes, size()));
    std::copy_n(other->bytes_.begin(), bytes, bytes_.begin());
    return {};
  }

 private:
  std::vector<std::byte> bytes_;
};

// Shared by the device and its kernels, so that a kernel may outlive the device.
struct Shared {
  explicit Shared(const ReferenceOptions& wishes) : options(wishes), pool(wishes.threads) {}
  ReferenceOptions options;
  ThreadPool pool;
};

class ReferenceKernel final : public Kernel {
 public:
  ReferenceKernel(std::shared_ptr<Shared> shared, ir::Sequence sequence, std::uint32_t program,
                  Extent workgroup, Code code)
      : shared_(std::move(shared)),
        sequence_(std::move(sequence)),
        program_(sequence_.def().programs[program]),
        workgroup_(workgroup),
        code_(std::move(code)),
        runners_(shared_->pool.threads()) {}

  Expected<void> launch(const Launch& launch) override {
    const std::lock_guard lock(mutex_);
    VYRE_TRY_VOID(bind(launch));
    const ReferenceTimer::Command command(launch.timer);
    try {
      return run(launch);
    } catch (const std::bad_alloc&) {
      return backend_error("out of memory while running \"{}\"; use smaller workgroups or arrays",
                           program_.name);
    }
  }

 private:
  Expected<void> bind(const Launch& launch) {
    bound_.clear();
    std::size_t next = 0;
    for (const ir::Buffer& b : program_.buffers) {
      if (!ir::is_bound(b.access)) continue;
      auto* buffer = next < launch.buffers.size()
                         ? dynamic_cast<ReferenceBuffer*>(launch.buffers[next])
                         : nullptr;
      if (buffer == nullptr) {
        return bad_inputs(
            "launch of \"{}\": buffer {} is missing or of another device; pass the "
            "bound buffers in declaration order",
            program_.name, quote(b.name));
      }
      bound_.push_back({buffer->data(), buffer->size() / ir::byte_size(b.element)});
      ++next;
    }
    if (next != launch.buffers.size() || launch.symbols.size() != program_.symbols.size()) {
      return bad_inputs("launch of \"{}\": {} buffers and {} symbols given, {} and {} wanted",
                        program_.name, launch.buffers.size(), launch.symbols.size(), next,
                        program_.symbols.size());
    }
    return {};
  }

  Expected<void> run(const Launch& launch) {
    const auto& [x, y, z] = launch.groups;
    const std::uint64_t count = std::uint64_t{x} * y * z;
    std::atomic<std::int64_t> budget = static_cast<std::int64_t>(
        std::min<std::uint64_t>(shared_->options.budget, std::uint64_t{1} << 62));
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> stopped = false;
    std::atomic<bool> no_memory = false;
    auto work = [&](std::uint32_t worker) {
      try {
        WorkgroupRunner& runner = ready_runner(worker, launch, budget);
        for (std::uint64_t g = next++; g < count && !stopped; g = next++) {
          const Extent group{static_cast<std::uint32_t>(g % x),
                             static_cast<std::uint32_t>(g / x % y),
                             static_cast<std::uint32_t>(g / x / y)};
          if (!runner.run(group)) stopped = true;
        }
      } catch (const std::bad_alloc&) {
        no_memory = true;
        stopped = true;
      }
    };
    if (count == 1) {
      work(0);
    } else {
      shared_->pool.run(work);
    }
    if (no_memory) throw std::bad_alloc();
    return stopped ? why_stopped() : Expected<void>();
  }

  WorkgroupRunner& ready_runner(std::uint32_t worker, const Launch& launch,
                                std::atomic<std::int64_t>& budget) {
    auto& runner = runners_[worker];
    if (!runner || shared_->options.detect_races) {
      runner = std::make_unique<WorkgroupRunner>(code_, program_, workgroup_,
                                                 shared_->options.detect_races);
    }
    runner->begin_launch(bound_, launch, budget);
    return *runner;
  }

  Expected<void> why_stopped() const {
    for (const auto& runner : runners_) {
      if (runner && runner->races().race()) return race_error(*runner->races().race());
    }
    return backend_error(
        "\"{}\" was stopped after {} lane instructions, the interpreter's budget; raise "
        "ReferenceOptions::budget or check its loops",
        program_.name, shared_->options.budget);
  }

  Expected<void> race_error(const Race& race) const {
    const auto side = [&](const Access& a) {
      constexpr std::array kVerbs{"reads", "writes", "updates"};
      return fmt::format("invocation {} {} it in `{}`", a.lane,
                         kVerbs[static_cast<std::size_t>(a.touch)],
                         ir::print_stmt(program_, a.stmt));
    };
    return fail(ErrorKind::backend, "race",
                "data race in \"{}\" on {}[{}]: {}, {}; put a barrier between them or make both "
                "atomic",
                program_.name, program_.buffers[race.buffer].name, race.element, side(race.first),
                side(race.second));
  }

  std::shared_ptr<Shared> shared_;
  ir::Sequence sequence_;
  const ir::Program& program_;
  Extent workgroup_;
  Code code_;
  std::mutex mutex_;
  std::vector<Storage> bound_;
  std::vector<std::unique_ptr<WorkgroupRunner>> runners_;
};

class ReferenceDevice final : public Device {
 public:
  explicit ReferenceDevice(const ReferenceOptions& options)
      : shared_(std::make_shared<Shared>(options)) {
    info_.backend = "reference";
    info_.selector = "reference";
    info_.name = "interpreter";
    info_.driver = "1";
    info_.limits = {.workgroup_items = kMostItems,
                    .workgroup_size = {kMostItems, kMostItems, kMostItems},
                    .buffer_bytes = kMostBufferBytes,
                    .local_bytes = kLocalBytes,
                    .compute_units = shared_->pool.threads()};
    info_.shares_host_cores = true;
  }

  const DeviceInfo& info() const override { return info_; }

  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    if (bytes > kMostBufferBytes) {
      return bad_inputs("a buffer of {} bytes is more than the device's {}", bytes,
                        kMostBufferBytes);
    }
    try {
      return std::make_unique<ReferenceBuffer>(bytes);
    } catch (const std::bad_alloc&) {
      return backend_error("no memory for a buffer of {} bytes; use smaller inputs", bytes);
    }
  }

  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    const ir::Program& compiled = sequence.def().programs[program];
    if (compiled.source) {
      const ir::Language language = compiled.source->language;
      return rejected("\"{}\" is {}, which the interpreter cannot run; use {}", compiled.name,
                      ir::name_of(language), ir::device_for(language));
    }
    const LoweringOptions options{.detect_races = shared_->options.detect_races};
    VYRE_TRY(Code code, lower(compiled, specialisation, options));
    return std::make_shared<ReferenceKernel>(shared_, sequence, program, specialisation.workgroup,
                                             std::move(code));
  }

  Expected<std::unique_ptr<Timer>> make_timer() override {
    return std::make_unique<ReferenceTimer>();
  }

  Expected<void> finish() override { return {}; }  // launches return when they are done

 private:
  std::shared_ptr<Shared> shared_;
  DeviceInfo info_;
};

}  // namespace
}  // namespace backend::reference

std::shared_ptr<Device> open_reference(const ReferenceOptions& options) {
  return std::make_shared<backend::reference::ReferenceDevice>(options);
}

}  // namespace vyre
