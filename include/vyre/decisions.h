// DecisionCache: the tuner's decisions, kept across runs.
//
// A wrong hit is worse than a miss: it silently pins a slow kernel for good. So a key names
// everything that can change the winner. A decision that was made on another device, with another
// driver or over another space is served only as a seed, and says so.
//
// Thread-safe; readers never wait for writers. Processes may share one file: each save merges, and
// no reader ever sees a file that is half written. A file that cannot be read is left as it is, and
// the cache then works from memory. docs/cache_format.md has the format.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/config.h"
#include "vyre/device.h"
#include "vyre/error.h"
#include "vyre/program.h"
#include "vyre/space.h"
#include "vyre/substrate/estimate.h"

namespace vyre {

// --- Keys: what a decision is about. ---

// 32 bytes that name a program and its shape, and the scheme that made them. Keys are ordered as
// their texts are, and std::hash works on them.
struct Key {
  std::uint32_t version = 2;
  std::array<std::uint64_t, 4> words{};

  bool operator==(const Key&) const = default;
  std::strong_ordering operator<=>(const Key& other) const;
};

std::string to_string(const Key& key);  // "v2-" and 64 lower-case hexadecimal digits

// "v1-" or "v2-" and 64 lower-case hexadecimal digits.
Expected<Key> parse_key(std::string_view text);

// The original's shape of a dispatch; v1_shape_of (vyre/substrate/workgroup.h) makes one. It does
// not name everything that can change a winner, so our own decisions use `key_of`. v1 keys are for
// golden vectors and for files of the original.
struct V1Shape {
  ir::Fingerprint fingerprint{};
  Extent workgroup_size{1, 1, 1};
  std::optional<Extent> workgroup_count = {};
  std::uint64_t output_bytes = 0;
};

Key v1_key(const V1Shape& shape);

// The v2 key. `shape` is the element count of every buffer of the sequence's interface, then the
// value of every symbol of kind `shape`, each in declaration order. Takes some nanoseconds: the
// fingerprint is a cryptographic hash already, and nobody attacks sizes, so they are only mixed in.
// Shapes that differ in one number never share a key.
Key key_of(const ir::Fingerprint& fingerprint, std::span<const std::uint64_t> shape);

// --- Decisions. ---

// Events that an application may want to know of. The library itself never prints.
enum class EventKind : std::uint8_t {
  warning,       // something was ignored, and kept as it was
  file_refused,  // a file of decisions is unreadable, and left alone
  seed_used,     // a launch uses a decision that was not made for it
  tune_advised,  // the same, and there is reason to think that the decision is a bad one here
  fallback,      // the device refused a remembered configuration; the default runs instead
  tuned,         // a decision was made
  not_tuned,     // tuning has failed; launches go on as before
  demoted,       // a decision no longer holds; the default takes its place
};
struct Event {
  EventKind kind = EventKind::warning;
  std::string message = {};  // one line
};
// Called from any thread that uses the cache or the runtime, and from the runtime's own threads. It
// must not call the cache or the runtime, and must not throw. Empty: events are dropped.
using EventSink = std::function<void(const Event&)>;

struct RunnerUp {
  Config config = {};
  Estimate elapsed = {};

  bool operator==(const RunnerUp&) const = default;
};

// The decisions that a decision took the place of. It was measured against them side by side and
// chosen, or it was made later over another space, or later from as many samples.
struct Superseded {
  std::vector<std::string> ids = {};  // as id_of gives them, the latest first
  std::uint32_t samples = 0;          // one more than the most that one of them counts for

  bool operator==(const Superseded&) const = default;
};

struct Decision {
  std::string program = {};               // its name, for people
  ir::Fingerprint fingerprint = {};       // zeros: not known
  std::vector<std::uint64_t> shape = {};  // as key_of takes it
  Config config = {};                     // kept with names ascending
  std::string space = {};                 // digest of the space that was searched
  Estimate elapsed = {};
  Estimate default_elapsed = {};      // of the launch with the default configuration
  Gain gain = {};                     // over the default; without pairs: not known
  std::uint32_t samples = 0;          // 0: imported on trust, never measured here
  std::uint32_t tied_candidates = 1;  // not distinguishable from the winner, itself included
  std::optional<RunnerUp> runner_up = {};
  // The device became slower by this factor while it was measured, or faster; 0: it held still.
  double drift = 0;
  // The host's clock has told its times, because the device has no clock or a coarse one: they
  // contain the launch.
  bool host_clock = false;
  // What the compiler made of the winner: one per step of the sequence, in its order. Empty: the
  // driver does not tell.
  std::vector<KernelFacts> kernels = {};
  Superseded supersedes = {};
  bool verified = false;  // its output was compared with a reference run
  std::string strategy = {};
  std::int64_t decided_at = 0;  // seconds since 1970; for people: no rule depends on it
  std::string version = {};     // of vyre

  bool operator==(const Decision&) const = default;
};

// 16 hexadecimal digits over identity, configuration, samples and time. They stay the same in every
// file that the decision gets into.
std::string id_of(const Decision& decision, const Identity& identity);

// Notes that `fresh` was measured side by side with `old`, a decision for the same key, identity
// and space, and was chosen: `fresh` stays from now on, wherever the two meet.
void supersede(Decision& fresh, const Decision& old, const Identity& identity);

// How many times faster than the default, from runs side by side or else from the two estimates,
// which may have been taken at different times. None: the default was not measured.
std::optional<double> times_faster(const Decision& decision);

// A workgroup size as a Config, for programs without tunables. No tunable can have these names.
inline constexpr std::string_view kWorkgroupNames[] = {"workgroup.x", "workgroup.y", "workgroup.z"};
Config workgroup_config(const Extent& size);
std::optional<Extent> workgroup_of(const Config& config);

// 64 hexadecimal digits over parameters, values and constraints.
std::string digest_of(const space::Space& space);

// The file that a decision comes from. The later one in this list wins.
enum class Layer : std::uint8_t { embedded, system, fleet, user };
std::string_view to_string(Layer layer);

struct CacheOptions {
  std::string adapter = {};                  // names the file; any text is safe
  std::filesystem::path folder = {};         // of the user's files; empty: memory only
  std::filesystem::path file = {};           // not empty: this one, instead of folder and adapter
  std::filesystem::path system_folder = {};  // read only; empty: none
  std::filesystem::path fleet_folder = {};   // the same, between the system's and the user's
  std::string_view embedded = {};            // text of a file built into the application
  Identity identity = {};                    // today's
  // Bytes of a file; exactly so many are accepted. The second limit is for TOML in another spelling
  // than the one that vyre writes, such as files that were edited by hand: reading it is slow.
  std::uint64_t limit_bytes = std::uint64_t{256} << 20U;
  std::uint64_t foreign_limit_bytes = std::uint64_t{8} << 20U;
  double lock_seconds = 10;  // how long a save waits for another process
  EventSink events = {};
};

// "<adapter>.toml". Bytes outside [A-Za-z0-9._-] and leading dots become `_`. A name that was
// changed, is empty or is too long ends in `-` and 8 digits of its hash.
std::string file_name_of(std::string_view adapter);

struct PackedDecision;

// A handle of a decision in the cache. Valid as long as the cache lives.
class DecisionRef {
 public:
  DecisionRef() = default;
  explicit DecisionRef(const PackedDecision* packed) : packed_(packed) {}

  explicit operator bool() const { return packed_ != nullptr; }
  bool operator==(const DecisionRef&) const = default;
  const PackedDecision* get() const { return packed_; }

  // Whether the decision was made under another identity or over another space than today's.
  bool is_seed() const;

 private:
  const PackedDecision* packed_ = nullptr;
};

// The decision that serves a shape that was never tuned.
struct Neighbourly {
  DecisionRef decision = {};  // of a neighbour; empty: there are none
  std::string doubt = {};     // the reason why the shape should be tuned, if there is one
};

struct CacheEntry {
  Key key = {};
  std::string identity = {};  // id; empty: a line of the original's file
  Layer layer = Layer::user;
  bool is_seed = false;
  bool is_best = false;  // of its key: `find` serves it, unless a snapshot is served
  Decision decision = {};
};

// The fate of a decision that was offered. The first two are kept and saved; the others are not.
enum class Offer : std::uint8_t {
  kept,           // `find` serves it from now on
  kept_unserved,  // `find` serves another: of today's identity and space, or a better founded one
  less_evidence,  // the one that is there rests on more samples
  superseded,     // the one that is there was measured against it and chosen
  worse_than_default,  // slower than not tuning at all
  no_workgroup_size,   // a v1 key with a configuration that is no workgroup size of 1 or more
};
// One line for people: why a decision is not served; empty for `kept`.
std::string_view reason_of(Offer offer);

class DecisionCache {
 public:
  // Always gives a cache. A file that cannot be read becomes an event; for the user's file
  // load_error() has the reason.
  static DecisionCache open(CacheOptions options);
  DecisionCache(DecisionCache&&) noexcept;
  DecisionCache& operator=(DecisionCache&&) noexcept;
  ~DecisionCache();

  // The decision for the key; empty is an ordinary miss. Takes some nanoseconds, and no lock.
  DecisionRef find(const Key& key) const;
  // find(key_of(fingerprint, shape)), a little faster.
  DecisionRef find(const ir::Fingerprint& fingerprint, std::span<const std::uint64_t> shape) const;
  // The decision of the same program whose shape is nearest, by ratio of sizes, but not the same.
  // Takes a lock and looks at all decisions of the program.
  DecisionRef nearest(const ir::Fingerprint& fingerprint,
                      std::span<const std::uint64_t> shape) const;
  // Of the nearest few decisions, the one whose configuration does best at all of them, as far as
  // they know. `is_valid` says which configurations are valid for this shape; the others are passed
  // over. Without `is_valid` the caller must check the results of the configuration, as Runtime
  // does. As expensive as `nearest`.
  Neighbourly from_neighbours(const ir::Fingerprint& fingerprint,
                              std::span<const std::uint64_t> shape,
                              const std::function<bool(const Config&)>& is_valid = {}) const;
  Decision read(DecisionRef ref) const;
  // The same with its key, identity and layer. (Those of a snapshot are in no layer.)
  CacheEntry entry(DecisionRef ref) const;

  // From now on `find`, `nearest` and `from_neighbours` serve the decisions of this snapshot, one
  // for each key, and no others: what is offered, read or saved is kept, but not served. A second
  // snapshot replaces the first. `layer`, `is_seed` and `is_best` of the entries do not matter. For
  // Runtime::agree.
  void pin(std::vector<CacheEntry> snapshot);
  bool is_pinned() const;
  // As `find`, without the snapshot. Takes a lock.
  DecisionRef find_kept(const Key& key) const;

  // Keeps one of two decisions for the same key and identity. If one superseded the other, it
  // stays. Else the one that counts for more samples does. A decision counts for one more than
  // those that it superseded. With equally many, and over another space, `decision` takes the place
  // of the one that is there, and notes that in `supersedes`.
  //
  // Merging files has no "later": more samples win, then more superseded decisions, then the
  // greater hash. So files give the same result in any order, whatever their clocks said.
  Offer offer(const Key& key, Decision decision);
  // The same for a decision that was made under another identity. It is a seed, unless that
  // identity is today's.
  Offer offer(const Key& key, Decision decision, const Identity& identity);

  // Offers all decisions of the text of a file, each under its own identity, and returns how many
  // were kept. `name` is the file, for messages. After an error none was kept.
  Expected<std::size_t> import(std::string_view text, std::string_view name);

  // From now on decisions of this program over another space are seeds.
  void declare_space(const ir::Fingerprint& fingerprint, std::string_view digest);

  // Takes up what others have published: looks at the files of the system, the fleet and the user,
  // and merges those that were replaced since they were last read. Takes no lock of a file and
  // writes nothing, so that a file on any file system will do. A decision that is in its file no
  // more stays until the process ends. After an error, which names a file, the decisions of that
  // file are as before, and all other files were read. Returns whether a file was read again.
  Expected<bool> refresh();

  // Merges with the decisions that other processes have saved since, and writes the file. Durable
  // when it returns without error. Without a folder it does nothing. After an error the file is
  // unchanged.
  Expected<void> save();

  std::optional<Error> load_error() const;
  std::filesystem::path file() const;  // empty: memory only
  const Identity& identity() const;
  // Grows with every change. A caller that keeps resolved decisions resolves them again then.
  std::uint64_t generation() const;
  std::size_t size() const;  // decisions, superseded ones not counted
  std::size_t memory_bytes() const;
  std::vector<CacheEntry> entries() const;  // ascending by key, then identity

 private:
  struct Content;
  explicit DecisionCache(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace vyre

template <>
struct std::hash<vyre::Key> {
  // The words are hashes already.
  std::size_t operator()(const vyre::Key& key) const noexcept {
    return static_cast<std::size_t>(key.words[0] ^ key.version);
  }
};
