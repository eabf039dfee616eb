// Remembering decisions, against the original's structure: an ordered map of hexadecimal texts,
// with a BLAKE3 for every lookup.

#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <map>
#include <thread>

#include "base/check.h"
#include "testing/bench.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/runtime.h"

namespace vyre::testing {
namespace {

constexpr double kMs = 1e6;
constexpr Timing kFew{.batch_ns = 1, .samples = 7};
constexpr std::size_t kAsked = 4096;  // keys asked in turn, so that no cache line is lucky

using Shape = std::array<std::uint64_t, 3>;

// One of 50, as an application has them.
const ir::Sequence& program(std::size_t n) {
  static const auto kPrograms = [] {
    std::vector<ir::Sequence> out;
    for (std::uint32_t k = 0; k < 50; ++k) {
      out.push_back(*ir::Sequence::make(*ir::build("fill", [&](ir::Builder& b) {
        auto x = b.write(ir::u32, "x", b.shape("n"));
        x[b.global_id(0)] = k;
      })));
    }
    return out;
  }();
  return kPrograms[n % kPrograms.size()];
}

Shape shape(std::size_t n) { return {1024 + n, 64, 32 * (n % 100)}; }

Decision decision(std::size_t n) {
  const Shape sizes = shape(n);
  return {.program = fmt::format("kernel_{}", n % 50),
          .fingerprint = program(n).fingerprint(),
          .shape = {sizes.begin(), sizes.end()},
          .config = {{"block_x", std::int64_t{32}}, {"tile", std::int64_t(n % 7)}, {"lds", true}},
          .space = "0123456789abcdef",
          .elapsed = {1234.5 + static_cast<double>(n), 1200.25, 1300.125},
          .default_elapsed = {12340000.5, 12200.25, 12300.125},
          .samples = 31,
          .runner_up = RunnerUp{.config = {{"block_x", std::int64_t{64}}, {"lds", false}},
                                .elapsed = {1250, 1240, 1310}},
          .verified = true,
          .strategy = "natural",
          .decided_at = 1'763'000'000,
          .version = "0.1.0"};
}

Key key(std::size_t n) { return key_of(program(n).fingerprint(), shape(n)); }

Runtime filled(std::size_t count, const std::filesystem::path& folder = {}) {
  auto opened = Runtime::open(open_null(), {.files = {.folder = folder}});
  VYRE_CHECK(opened);
  Runtime out = *std::move(opened);
  for (std::size_t n = 0; n < count; ++n) out.cache().offer(key(n), decision(n));
  return out;
}

// What a dispatch has in hand: a program and sizes.
struct Asked {
  const ir::Sequence* sequence;
  Shape sizes;
};
std::vector<Asked> asked_of(std::size_t count) {
  std::vector<Asked> out;
  for (std::size_t k = 0; k < kAsked; ++k) {
    const std::size_t n = k * 2654435761U % count;
    out.push_back({&program(n), shape(n)});
  }
  return out;
}

// Many at a time: calling a body costs a fifth of what is measured here.
double resolve_ns(const Runtime& runtime, const std::vector<Asked>& asked,
                  const Timing& timing = {}) {
  constexpr std::size_t kAtOnce = 64;
  std::size_t next = 0;
  const auto body = [&] {
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      keep(runtime.resolve(*asked[next + k].sequence, asked[next + k].sizes));
    }
    next = (next + kAtOnce) % kAsked;
  };
  return median_ns(body, timing) / kAtOnce;
}

using Baseline = std::map<std::string, std::array<std::uint32_t, 3>>;
V1Shape v1_of(const Asked& a) {
  return {.fingerprint = a.sequence->fingerprint(),
          .workgroup_size = {64, 1, 1},
          .workgroup_count = Extent{static_cast<std::uint32_t>(a.sizes[0]), 1, 1},
          .output_bytes = a.sizes[1] * a.sizes[2]};
}

double baseline_ns(std::size_t count, const std::vector<Asked>& asked) {
  Baseline map;
  for (std::size_t n = 0; n < count; ++n) {
    map[to_string(v1_key(v1_of({&program(n), shape(n)})))] = {64, 1, 1};
  }
  std::size_t next = 0;
  return median_ns([&] { keep(map.find(to_string(v1_key(v1_of(asked[next++ % kAsked]))))); });
}

void hits(Report& report, std::size_t count, bool with_goals) {
  const Runtime runtime = filled(count);
  const auto asked = asked_of(count);
  for (const Asked& a : asked) {
    VYRE_CHECK(runtime.resolve(*a.sequence, a.sizes).source == Source::decision);
  }
  const double ours = resolve_ns(runtime, asked);
  const double theirs = baseline_ns(count, asked);
  Row hit{.name = fmt::format("resolve, a hit of {}", count), .value = ours, .unit = "ns"};
  Row faster{.name = fmt::format("resolve, {}: times faster than the map", count),
             .value = theirs / ours,
             .unit = "x",
             .note = fmt::format("map: {:.0f} ns", theirs)};
  if (with_goals) {
    hit.goal = at_most(25);
    faster.goal = at_least(15);
  }
  report.add(hit);
  report.add(faster);
}

// Two readers; a third thread offers and saves all the time.
void hits_while_saving(Report& report) {
  const TemporaryFolder folder;
  Runtime runtime = filled(10'000, folder.path());
  const auto asked = asked_of(10'000);
  const double alone = resolve_ns(runtime, asked);
  std::atomic<bool> stop{false};
  std::atomic<int> saves{0};
  std::thread saver([&] {
    for (std::size_t n = 10'000; !stop; ++n) {
      runtime.cache().offer(key(n), decision(n));
      VYRE_CHECK(runtime.cache().save().has_value());
      ++saves;
    }
  });
  std::thread other([&] {
    for (std::size_t k = 0; !stop; ++k) {
      keep(runtime.resolve(*asked[k % kAsked].sequence, asked[k % kAsked].sizes));
    }
  });
  // Batches shorter than a turn of the scheduler: the median is one in which the thread ran.
  const double busy = resolve_ns(runtime, asked, {.batch_ns = 2e5, .samples = 4001});
  stop = true;
  saver.join();
  other.join();
  report.add({.name = "resolve, 10000, 2 readers and a saver",
              .value = busy,
              .unit = "ns",
              .baseline = alone,
              .goal = at_most(2),
              .note = fmt::format("{} saves meanwhile, {} cores", saves.load(),
                                  std::thread::hardware_concurrency())});
}

void keys(Report& report) {
  const auto asked = asked_of(10'000);
  std::size_t next = 0;
  const auto pair = compare_ns(
      [&] {
        const Asked& a = asked[next++ % kAsked];
        keep(key_of(a.sequence->fingerprint(), a.sizes));
      },
      [&] { keep(to_string(v1_key(v1_of(asked[next++ % kAsked])))); });
  report.add({.name = "build a key",
              .value = pair.first_ns,
              .unit = "ns",
              .baseline = pair.second_ns,
              .ratio = pair.ratio,
              .goal = at_most(1)});
}

double load_ms(const CacheOptions& options, std::size_t count) {
  return median_ns([&] { VYRE_CHECK(DecisionCache::open(options).size() == count); }, kFew) / kMs;
}

void files(Report& report, std::size_t count, double most_load_ms) {
  const TemporaryFolder folder;
  Runtime runtime = filled(count, folder.path());
  DecisionCache& cache = runtime.cache();
  VYRE_CHECK(cache.save().has_value());
  std::uint32_t samples = 31;
  const double save = median_ns(
                          [&] {
                            Decision changed = decision(0);
                            changed.samples = ++samples;
                            cache.offer(key(0), changed);
                            VYRE_CHECK(cache.save().has_value());
                          },
                          kFew) /
                      kMs;
  Row saved{
      .name = fmt::format("save {} decisions, with fsyncs", count), .value = save, .unit = "ms"};
  if (count == 1000) saved.goal = at_most(50);
  report.add(saved);
  report.add({.name = fmt::format("load {} decisions", count),
              .value = load_ms(
                  {.adapter = safe_name(open_null()->info()), .folder = folder / "tuner"}, count),
              .unit = "ms",
              .goal = at_most(most_load_ms)});
}

std::size_t heap_bytes() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

void memory(Report& report) {
  constexpr std::size_t kCount = 10'000;
  const std::size_t before = heap_bytes();
  const Runtime runtime = filled(kCount);
  report.add({.name = "memory of a decision, 10000, runner-up included",
              .value = static_cast<double>(heap_bytes() - before) / kCount,
              .unit = "B",
              .goal = at_most(300),
              .note = fmt::format("{} by its own count", runtime.cache().memory_bytes() / kCount)});
}

VYRE_BENCHMARK(decisions) {
  hits(report, 10'000, true);
  hits(report, 1'000'000, false);
  hits_while_saving(report);
  keys(report);
  files(report, 1000, 30);
  files(report, 10'000, 250);
  memory(report);
}

}  // namespace
}  // namespace vyre::testing
