// The common parts of `vyre cache` and `vyre explain`: files, decisions, and how decisions are
// shown.

#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "decisions/edit.h"
#include "vyre/decisions.h"

namespace vyre::cli {

// A decision, with its file and key.
struct Listed {
  std::filesystem::path file;
  Key key = {};
  std::string identity_id;  // empty: a line of the original's form
  Identity identity = {};
  Decision decision = {};
  // Whether a device of this machine would be served with it; none: nobody has looked.
  std::optional<bool> is_today = {};
};

// The file that was named, or all of the user's: *.toml in the folder that the environment names.
Expected<std::vector<std::filesystem::path>> files_of(const std::string& named);

// The decisions of all the files, in the order of the files.
Expected<std::vector<Listed>> decisions_of(const std::string& named);

// The decisions whose key starts with `which`, of which at least 4 digits must be given, or whose
// program has this name. An error if there is none.
Expected<std::vector<Listed>> find_decisions(const std::string& named, const std::string& which);

// Looks at this machine's devices and sets `is_today`. With any other identity a decision is only a
// seed.
void mark_today(std::vector<Listed>& listed);

// To the standard error.
void print_event(const Event& event);

std::string time_text(double ns);  // "12.3 us"
// "the device became 1.30 times slower while it was measured; ..."
std::string drift_text(double drift);
std::string shape_text(const std::vector<std::uint64_t>& shape);
nlohmann::ordered_json to_json(const Listed& listed);

}  // namespace vyre::cli
