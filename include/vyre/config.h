// Config: chosen values for named parameters, for example {block_x = 32, use_lds = true}.
//
// Plain values, freely copied. Entries keep the order in which they were set, which is the
// parameters' declaration order everywhere in vyre; two Configs with the same entries in
// another order are different values but `find` the same.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vyre {

// bool and the integers are different alternatives, but compare as Python compares them only
// inside constraint expressions (vyre/space.h); here true is not 1.
using Value = std::variant<bool, std::int64_t, double, std::string>;

// As a user would type it: true, 32, 0.5, "row".
std::string to_string(const Value& value);

class Config {
 public:
  Config() = default;
  Config(std::initializer_list<std::pair<std::string, Value>> entries) : entries_(entries) {}

  // Adds the entry, or replaces the value of an existing one.
  void set(std::string_view name, Value value);

  // Null is an ordinary miss. Valid until the next `set`.
  const Value* find(std::string_view name) const;

  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  bool operator==(const Config&) const = default;

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

// "block_x=32, use_lds=true"
std::string to_string(const Config& config);

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

// Where decisions and what belongs to them are kept. Without a folder all of it stays in memory.
struct Files {
  std::filesystem::path folder = {};  // the user's, for example ~/.cache/vyre; made when needed
  // A folder of decision files that is read only, for example an administrator's; empty: none.
  std::filesystem::path system_folder = {};
  // The same for decisions of a fleet: files on this machine's own disk, which an agent replaces by
  // renaming. They come before the system's, and DecisionCache::refresh takes up new ones.
  std::filesystem::path fleet_folder = {};
  // The text of a decision file that is built into the application. Must outlive its users.
  std::string_view embedded = {};
};

// The part of an application's environment that concerns vyre.
struct Environment {
  Mode mode = production_default();
  Files files = {};
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

}  // namespace vyre
