// Journals of campaigns that are over: they stay, for `vyre explain --plot`, and say so.

#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace vyre::testing {

// Whether all journals of the folder are finished, and nothing else is left in it.
inline bool all_are_finished(const std::filesystem::path& journals) {
  for (const auto& entry : std::filesystem::directory_iterator(journals)) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t last = text.rfind('\n', text.size() - 2) + 1;  // 0: it has one line
    const bool says_so = text.size() > 1 && text.compare(last, 16, "{\"finished\":true") == 0;
    if (entry.path().extension() != ".jsonl" || !says_so) return false;
  }
  return true;
}

}  // namespace vyre::testing
