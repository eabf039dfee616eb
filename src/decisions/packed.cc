#include "decisions/packed.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "decisions/evidence.h"

namespace vyre {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10U;
constexpr std::size_t kUsualBytes = 256;  // of what follows the struct

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + alignof(PackedDecision) - 1) / alignof(PackedDecision) * alignof(PackedDecision);
}

// Writes numbers with seven bits in each byte; the top bit says that another byte follows. Signed
// numbers are zigzag coded, so that small negative ones are short too.
class Packer {
 public:
  explicit Packer(TextPool& texts) : texts_(texts) { bytes_.reserve(kUsualBytes); }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::byte>(value | 0x80U));
    bytes_.push_back(static_cast<std::byte>(value));
  }

  void real(double value) {
    std::array<std::byte, sizeof(double)> raw{};
    std::memcpy(raw.data(), &value, sizeof(double));
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }

  void config(const Config& config) {
    number(config.size());
    for (const auto& [name, value] : config.entries()) {
      number(texts_.number(name));
      number(value.index());
      std::visit([this](const auto& v) { put(v); }, value);
    }
  }

  void gain(const Gain& gain) {
    for (const double times : {gain.times, gain.low, gain.high}) real(times);
    number(gain.pairs);
  }

  void kernels(const std::vector<KernelFacts>& kernels) {
    number(kernels.size());
    for (const KernelFacts& kernel : kernels) {
      number(kernel.registers);
      number(kernel.private_bytes);
      number(kernel.local_bytes);
    }
  }

  void superseded(const Superseded& superseded) {
    number(superseded.samples);
    number(superseded.ids.size());
    for (const std::string& id : superseded.ids) number(texts_.number(id));
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void put(bool value) { number(value ? 1 : 0); }
  void put(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void put(double value) { real(value); }
  void put(const std::string& value) { number(texts_.number(value)); }

  TextPool& texts_;
  std::vector<std::byte> bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const PackedDecision& packed)
      : at_(reinterpret_cast<const std::byte*>(&packed) + sizeof(PackedDecision)) {}

  std::uint64_t number() {
    std::uint64_t out = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(*at_++);
      out |= (byte & 0x7fU) << shift;
      if (byte < 0x80) return out;
    }
  }

  double real() {
    double out = 0;
    std::memcpy(&out, at_, sizeof out);
    at_ += sizeof out;
    return out;
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> out(number());
    for (std::uint64_t& count : out) count = number();
    return out;
  }

  Config config(const TextPool& texts) {
    Config out;
    for (std::uint64_t left = number(); left > 0; --left) {
      const std::string& name = texts.text(static_cast<std::uint32_t>(number()));
      out.set(name, value(number(), texts));
    }
    return out;
  }

  Gain gain() {
    Gain out;
    for (double* times : {&out.times, &out.low, &out.high}) *times = real();
    out.pairs = static_cast<std::uint32_t>(number());
    return out;
  }

  std::vector<KernelFacts> kernels() {
    std::vector<KernelFacts> out(number());
    for (KernelFacts& kernel : out) {
      kernel.registers = static_cast<std::uint32_t>(number());
      kernel.private_bytes = static_cast<std::uint32_t>(number());
      kernel.local_bytes = static_cast<std::uint32_t>(number());
    }
    return out;
  }

  Superseded superseded(const TextPool& texts) {
    Superseded out{.samples = static_cast<std::uint32_t>(number())};
    out.ids.resize(number());
    for (std::string& id : out.ids) id = texts.text(static_cast<std::uint32_t>(number()));
    return out;
  }

 private:
  Value value(std::uint64_t kind, const TextPool& texts) {
    if (kind == 2) return real();
    const std::uint64_t bits = number();
    if (kind == 0) return bits != 0;
    if (kind == 1)
      return static_cast<std::int64_t>(bits >> 1U) ^ -static_cast<std::int64_t>(bits & 1U);
    return texts.text(static_cast<std::uint32_t>(bits));
  }

  const std::byte* at_;
};

}  // namespace

std::uint32_t TextPool::number(std::string_view text) {
  const auto it = numbers_.find(text);
  if (it != numbers_.end()) return it->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), number);
  bytes_ += sizeof(std::string) + text.size() + 64;  // a node of the map and its bucket
  return number;
}

std::byte* Arena::allocate(std::size_t bytes) {
  bytes = round_up(bytes);
  if (chunks_.empty() || chunks_.back().size - chunks_.back().used < bytes) {
    const std::size_t size = std::max(kChunkBytes, bytes);
    chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size, 0});
    total_ += size;
  }
  Chunk& chunk = chunks_.back();
  std::byte* out = chunk.bytes.get() + chunk.used;
  chunk.used += bytes;
  return out;
}

PackedDecision* pack(Arena& arena, TextPool& texts, const Key& key, const Decision& decision) {
  Packer tail(texts);
  tail.number(decision.shape.size());
  for (const std::uint64_t count : decision.shape) tail.number(count);
  tail.config(decision.config);
  if (decision.runner_up) {
    tail.config(decision.runner_up->config);
    const Estimate& elapsed = decision.runner_up->elapsed;
    for (const double ns : {elapsed.ns, elapsed.low_ns, elapsed.high_ns}) tail.real(ns);
  }
  if (decision.gain.pairs > 0) tail.gain(decision.gain);
  const bool has_superseded = decision.supersedes != Superseded{};
  if (has_superseded) tail.superseded(decision.supersedes);
  const bool has_drift = decision.drift != 0;
  if (has_drift) tail.real(decision.drift);
  if (!decision.kernels.empty()) tail.kernels(decision.kernels);
  const std::size_t bytes = round_up(sizeof(PackedDecision) + tail.bytes().size());
  auto* out = new (arena.allocate(bytes)) PackedDecision{
      .words = key.words,
      .key_version = static_cast<std::uint8_t>(key.version),
      .verified = decision.verified,
      .has_runner_up = decision.runner_up.has_value(),
      .has_gain = decision.gain.pairs > 0,
      .has_superseded = has_superseded,
      .has_drift = has_drift,
      .has_kernels = !decision.kernels.empty(),
      .host_clock = decision.host_clock,
      .bytes = static_cast<std::uint32_t>(bytes),
      .program_name = texts.number(decision.program),
      .space = texts.number(decision.space),
      .strategy = texts.number(decision.strategy),
      .version = texts.number(decision.version),
      .samples = decision.samples,
      .evidence = evidence_of(decision),
      .tied_candidates = decision.tied_candidates,
      .elapsed = decision.elapsed,
      .default_elapsed = decision.default_elapsed,
      .decided_at = decision.decided_at,
  };
  std::ranges::copy(tail.bytes(), reinterpret_cast<std::byte*>(out) + sizeof(PackedDecision));
  return out;
}

Decision unpack(const PackedDecision& packed, const TextPool& texts) {
  Unpacker tail(packed);
  Decision out{.program = texts.text(packed.program_name),
               .shape = tail.shape(),
               .config = tail.config(texts),
               .space = texts.text(packed.space),
               .elapsed = packed.elapsed,
               .default_elapsed = packed.default_elapsed,
               .samples = packed.samples,
               .tied_candidates = packed.tied_candidates,
               .host_clock = packed.host_clock,
               .verified = packed.verified,
               .strategy = texts.text(packed.strategy),
               .decided_at = packed.decided_at,
               .version = texts.text(packed.version)};
  if (packed.has_runner_up) {
    RunnerUp& next = out.runner_up.emplace();
    next.config = tail.config(texts);
    next.elapsed.ns = tail.real();
    next.elapsed.low_ns = tail.real();
    next.elapsed.high_ns = tail.real();
  }
  if (packed.has_gain) out.gain = tail.gain();
  if (packed.has_superseded) out.supersedes = tail.superseded(texts);
  if (packed.has_drift) out.drift = tail.real();
  if (packed.has_kernels) out.kernels = tail.kernels();
  return out;
}

std::vector<std::uint64_t> shape_of(const PackedDecision& packed) {
  return Unpacker(packed).shape();
}

}  // namespace vyre
