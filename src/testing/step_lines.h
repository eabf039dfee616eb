// StepLines: the text of one program of a random chain while it is being written (random_step.h).

#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <utility>

#include "testing/chain_terms.h"
#include "testing/random_step.h"

namespace vyre::testing {

class StepLines {
 public:
  // Keeps references to both.
  StepLines(const StepPlan& step, std::mt19937_64& random) : step_(step), terms_(random) {}

 protected:
  std::uint64_t below(std::uint64_t n) { return terms_.below(n); }
  bool chance(std::uint64_t one_in) { return terms_.chance(one_in); }
  std::string expr(ir::Scalar type, int depth) { return terms_.expr(type, depth); }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  // Everything up to the launch. Most steps share their tunables, so that launches can be equal.
  void declare();
  // Over so many elements of axis 0, `per_group_` of them for a workgroup.
  void launch(const std::string& across, const std::string& down = "");

  // From now on expressions may load this element.
  void add(const ChainBuffer& b, const std::string& index) {
    terms_.add(fmt::format("{}[{}]", b.name, index), b.type);
  }
  void add_own(const std::string& index) {
    if (step_.in_place) add(step_.output, index);
  }
  // Elements of all inputs for row r and column c, and some of their neighbours.
  void add_loads_of_matrix();

  const StepPlan& step_;
  ChainTerms terms_;
  std::string own_;        // behind the names of the step's own tunables
  std::string per_group_;  // elements of axis 0 that a workgroup takes
  std::string text_;

 private:
  void declare_buffer(const char* access, const ChainBuffer& b);
};

// Steps whose invocations own a strip: neighbouring columns whose sums stay in an array, or rows
// below each other of which values stay in a variable. See StepKind::column_sum and ::slide.
class StripLines : public StepLines {
 public:
  using StepLines::StepLines;

 protected:
  void column_sum();
  void slide();

 private:
  void sum_columns(const std::string& columns);
  std::string own_element() const;
};

}  // namespace vyre::testing
