// What decides how a kernel is launched, before anything is remembered: modes, keys, candidates and
// policies. Plain values and pure functions, but for the two that say otherwise.
//
// The natural-gradient policy works in Q16 (vyre/substrate.h). Elapsed times are whole nanoseconds.

#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/device.h"
#include "vyre/error.h"
#include "vyre/natural_gradient.h"
#include "vyre/program.h"

namespace vyre::tuner {

// --- Modes: what the dispatch path may do. Explicit calls work in all of them. ---

enum class Mode : std::uint8_t {
  off,      // the remembered decision, else the default; never measures, never writes
  on,       // sweep the candidates at the first dispatch of a key, keep the fastest
  natural,  // sweep or search with the Fisher-preconditioned policy
};

std::string_view to_string(Mode mode);
constexpr Mode production_default() { return Mode::natural; }

struct ModeChoice {
  Mode mode = production_default();
  std::string warning = {};  // not empty: the value was not understood, and is named here
};

// The value of VYRE_AUTOTUNER: nothing or an empty text is the production default; "on"; "natural"
// or "ng"; "off", "default", "0", "false" or "no". Case and surrounding spaces do not matter.
ModeChoice from_env_value(std::optional<std::string_view> value);

// What an application takes from its environment.
struct Environment {
  Mode mode = production_default();
  std::optional<std::filesystem::path> cache_folder = {};  // none: keep decisions in memory only
  std::vector<std::string> warnings = {};
};

struct EnvironmentVariables {
  std::optional<std::string> autotuner = {};       // VYRE_AUTOTUNER
  std::optional<std::string> xdg_cache_home = {};  // counts as unset unless it is absolute
  std::optional<std::string> home = {};
};

Environment from_variables(const EnvironmentVariables& variables);

// The only function of the library that reads the environment.
Environment from_env();

// --- Keys: what a decision is about. ---

// 32 bytes that name a program and its shape, and the scheme that made them.
struct Key {
  std::uint32_t version = 2;
  std::array<std::uint64_t, 4> words{};

  bool operator==(const Key&) const = default;
};

std::string to_string(const Key& key);  // "v2-" and 64 lower-case hexadecimal digits

// "v1-" or "v2-" and 64 lower-case hexadecimal digits.
Expected<Key> parse_key(std::string_view text);

// The original's shape of a dispatch. It does not name all that can change a winner, so our own
// decisions use `key_of`; these keys are for golden vectors and for files of the original.
struct V1Shape {
  ir::Fingerprint fingerprint{};
  backend::Extent workgroup_size{1, 1, 1};
  std::optional<backend::Extent> workgroup_count = {};
  std::uint64_t output_bytes = 0;
};

Key v1_key(const V1Shape& shape);

// The v2 key. `shape`: the element count of every buffer of the sequence's interface, then the
// value of every symbol of kind `shape`, each in declaration order. Some nanoseconds: the
// fingerprint is a cryptographic hash already, and sizes are not made by enemies, so the mixing
// need not be one. Shapes that differ in one number never share a key.
Key key_of(const ir::Fingerprint& fingerprint, std::span<const std::uint64_t> shape);

// --- Workgroup sizes to try. ---

// 32, 64, ... 1024, those that fit, ascending; possibly none.
std::vector<backend::Extent> candidates_for(std::uint32_t most_items);

// [64,1,1], or the largest power of two that the device allows.
backend::Extent default_workgroup_size(const backend::DeviceLimits& limits);

// --- Best of N. ---

class BackendTimer {
 public:
  virtual ~BackendTimer() = default;
  // Whatever error it returns reaches the caller unchanged.
  virtual Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence& program,
                                                       const backend::Extent& workgroup_size) = 0;
};

struct Measurement {
  backend::Extent workgroup_size{1, 1, 1};
  std::uint64_t elapsed_ns = 0;

  bool operator==(const Measurement&) const = default;
};

struct FailedCandidate {
  std::size_t index = 0;
  Error error = {};
};

enum class OnFailure : std::uint8_t {
  skip,  // go on; the first error is returned only if all fail
  stop,  // return the first error and measure nothing after it
};

struct Sweep {
  std::optional<Measurement> best = {};  // none: there were no candidates
  std::vector<FailedCandidate> failed = {};
};

// Measures in order; strictly less wins, so the first of equals stays.
Expected<Sweep> best_of(BackendTimer& timer, const ir::Sequence& program,
                        std::span<const backend::Extent> candidates,
                        OnFailure on_failure = OnFailure::skip);

// --- The natural-gradient policy. ---

// `code` of every error that the policy itself makes; a timer's error keeps its own.
inline constexpr std::string_view kPolicyError = "policy";

struct NaturalStep {
  std::size_t selected = 0;  // the next probe: largest natural gradient, the first of equals
  std::size_t best = 0;      // the decision: first of the least elapsed
  std::uint64_t best_elapsed_ns = 0;
  std::vector<std::uint32_t> weights_q16 = {};  // sum to ONE
  std::vector<std::uint32_t> natural_gradient_q16 = {};
  std::vector<std::size_t> measured = {};  // index of the candidate behind each of the above
};

// max(1, best / 10): a temperature that fits kernels of any length.
std::uint64_t relative_temperature_ns(std::uint64_t best_elapsed_ns);

// Weights exp(-(elapsed - best) / temperature), normalised, under `metric_q16`, n x n row by row.
// No temperature: relative to the best. No measurements, a temperature of 0 and a metric of another
// size are errors, checked in that order.
Expected<NaturalStep> natural_gradient_step(
    std::span<const std::uint64_t> elapsed_ns, std::span<const std::uint32_t> metric_q16,
    std::optional<std::uint64_t> temperature_ns = std::nullopt);

// The metric of no knowledge: ONE on the diagonal.
using substrate::identity_fisher_q16;

struct NaturalSweep {
  NaturalStep step = {};  // indices are into the candidates
  Measurement best = {};
  std::vector<FailedCandidate> failed = {};
};

// Measures all candidates, then takes the step; rows and columns of failed ones are struck from
// the metric. No metric: the identity.
Expected<NaturalSweep> best_of_natural_gradient(
    BackendTimer& timer, const ir::Sequence& program, std::span<const backend::Extent> candidates,
    std::span<const std::uint32_t> metric_q16 = {},
    std::optional<std::uint64_t> temperature_ns = std::nullopt,
    OnFailure on_failure = OnFailure::skip);

// --- The same policy with a metric that is estimated, not assumed. ---

struct NaturalSearchOptions {
  std::uint32_t budget = 0;    // measurements; 0: 16 per candidate
  double temperature = 0.1;    // of the policy, relative: candidates 10 % apart weigh 1 to e
  double damping = 0.05;       // lambda of the Fisher block, times the number of candidates
  double certainty = 2;        // standard errors between the best and the rest
  double indifference = 0.01;  // what is surely closer to the best than this is a tie
};

struct CandidateEvidence {
  std::vector<std::uint64_t> samples_ns = {};
  double elapsed_ns = 0;      // median
  double relative_error = 0;  // standard error of the above, as a fraction
};

struct NaturalSearch {
  std::size_t best = 0;       // least elapsed, the first of equals; among ties the first candidate
  std::size_t runner_up = 0;  // the next best; `best` if there is no other
  std::uint32_t measurements = 0;
  std::uint32_t ties = 1;   // candidates that are no further than `indifference`, the best included
  bool is_certain = false;  // false: the budget came first
  std::vector<CandidateEvidence> candidates = {};
  std::vector<FailedCandidate> failed = {};
};

// Measures every candidate twice, then again and again the one with the largest natural gradient:
// where the policy expects most and the samples say least. Metric and gradient are computed on the
// dispatcher's device. Until the best is certain, or the budget is spent. Deterministic for what
// the timer says. Fails if all candidates fail, or with the dispatcher's error.
Expected<NaturalSearch> natural_search(backend::Dispatcher& dispatcher, BackendTimer& timer,
                                       const ir::Sequence& program,
                                       std::span<const backend::Extent> candidates,
                                       const NaturalSearchOptions& options = {});

// --- Resizing while running. ---

struct TunerFeedback {
  std::map<std::string, std::uint64_t> op_counts = {};
  std::uint64_t wall_time_us = 0;
  std::uint64_t idle_us = 0;
  std::uint32_t observed_workgroup_size_x = 0;
  double observed_throughput_per_us = 0;  // elements
};

struct ResizePolicy {
  std::uint32_t adapter_max = 1024;
  std::uint32_t minimum = 32;
  double saturation_per_us = 1.0;
  std::uint64_t idle_shrink_us = 100'000;

  // Half when idle too long, double when below saturation, else nothing. Never 0. Remembers
  // nothing, so it may go back and forth for ever: see SteadyResize.
  std::optional<std::uint32_t> suggest(const TunerFeedback& feedback) const;
};

// ResizePolicy with hysteresis. A size that was suggested is waited for; one that was measured
// is suggested again only where it did better than the present one by `gain`. So it settles: every
// size is tried once at most until the work itself changes.
class SteadyResize {
 public:
  explicit SteadyResize(ResizePolicy policy = {}, double gain = 0.05)
      : policy_(policy), gain_(gain) {}

  std::optional<std::uint32_t> suggest(const TunerFeedback& feedback);

 private:
  void remember(std::uint32_t size, double throughput);
  std::optional<std::uint32_t> better_than(std::uint32_t size) const;

  ResizePolicy policy_;
  double gain_;
  std::optional<std::uint32_t> awaited_;
  std::map<std::uint32_t, double> throughput_;  // the last one seen at each size
};

}  // namespace vyre::tuner
