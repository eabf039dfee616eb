// The common parts of `vyre cache` and `vyre explain`: files, decisions, and how decisions are
// shown.

#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "decisions/edit.h"
#include "report/decision_facts.h"
#include "report/words.h"
#include "vyre/decisions.h"

namespace vyre::cli {

using report::drift_text;
using report::Listed;
using report::shape_text;
using report::time_text;

inline constexpr std::size_t kShownOfKey = 15;  // bytes of a key, in lists

// The file that was named, or all of the user's: *.toml in the folder that the environment names.
Expected<std::vector<std::filesystem::path>> files_of(const std::string& named);

// The decisions of all the files, in the order of the files.
Expected<std::vector<Listed>> decisions_of(const std::string& named);

// The decisions of the program with the name `which`. If there is no such program: the decisions
// whose key starts so, of which at least 4 digits must be given, or whose program's name does. An
// error if there is none, or if several keys or several names start so.
Expected<std::vector<Listed>> find_decisions(const std::string& named, const std::string& which);

// Looks at this machine's devices and sets `is_today`. With any other identity a decision is only a
// seed.
void mark_today(std::vector<Listed>& listed);

// To the standard error.
void print_event(const Event& event);

nlohmann::ordered_json to_json(const Listed& listed);

}  // namespace vyre::cli
