// AnalysisCache: while it lives, the Accesses of its thread share what they find out about programs
// that are the same but for their names.
//
// Ways to join the steps of a sequence look at the same programs again and again: several checks of
// one joined program, and steps that run the same program on other buffers. Names of programs,
// variables, regions and buffers do not matter to an analysis; names of symbols do, since sizes are
// asked for by name. Questions are answered as without the cache. The programs that were asked for
// last are kept.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bounds/accesses.h"
#include "vyre/program.h"

namespace vyre::bounds {

class AnalysisCache {
 public:
  // Takes the place of another cache of the thread until it ends.
  AnalysisCache();
  ~AnalysisCache();
  AnalysisCache(const AnalysisCache&) = delete;
  AnalysisCache& operator=(const AnalysisCache&) = delete;

  // What is known of the program: from the thread's cache, or new. Without a cache, it refers to
  // the program.
  static std::shared_ptr<AccessState> find(const ir::Program& program,
                                           const Assumptions& assumptions);

 private:
  using Key = std::vector<std::uint32_t>;
  struct Analysis;

  static Key key_of(const ir::Program& program, const Assumptions& assumptions);

  std::vector<std::shared_ptr<Analysis>> kept_;  // the last one that was asked for is the first
  AnalysisCache* outer_;
};

}  // namespace vyre::bounds
