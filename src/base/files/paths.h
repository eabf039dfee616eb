// Where each of the user's files is, below Files::folder: the one place that knows.
//
//   tuner/ADAPTER.toml               decisions; the path is the original's
//   tuner/ADAPTER.toml.lock          held while decisions are saved
//   tuner/ADAPTER.quarantine.jsonl   configurations that failed
//   tuner/ADAPTER.rates.json         how fast the device copies, computes and launches
//   journals/ADAPTER-KEY.jsonl       what a campaign measured; on nodes, ADAPTER-IDENTITY-KEY
//   journals/ADAPTER-KEY.trying      what it is trying now, where candidates run in the process
//   kernels/                         compiled kernels
//
// `adapter` is the device's safe name; every text is safe.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vyre/config.h"

namespace vyre {

// A file name of the adapter's: everything outside [A-Za-z0-9._-] and leading dots replaced by `_`;
// a name that had to be changed, is empty or too long ends in `-` and 8 digits of its hash.
std::string file_stem_of(std::string_view adapter);

// All of these are empty if `files` names no folder.
std::filesystem::path decisions_folder(const Files& files);
std::filesystem::path decisions_file(const Files& files, std::string_view adapter);
std::filesystem::path quarantine_file(const Files& files, std::string_view adapter);
std::filesystem::path rates_file(const Files& files, std::string_view adapter);
std::filesystem::path journals_folder(const Files& files);
std::filesystem::path journal_file(const Files& files, std::string_view adapter,
                                   std::string_view key);
std::filesystem::path kernels_folder(const Files& files);

// Beside a journal.
std::filesystem::path trying_file(const std::filesystem::path& journal);

// The files that a decisions file belongs to; empty if it does not lie where decisions_file puts
// it.
Files files_around(const std::filesystem::path& decisions_file);

}  // namespace vyre
