// From the words of a command line to the problem that is tuned.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vyre/problem.h"

namespace vyre::cli {

// As they were typed.
struct ProblemOptions {
  std::vector<std::string> sizes;       // NAME=NUMBER
  std::vector<std::string> sets;        // NAME=VALUE: scalars of a sequence
  bool fuse = false;                    // the steps of a sequence
  std::vector<std::string> inputs;      // NAME=FILE
  std::vector<std::string> references;  // NAME=FILE
  std::vector<std::string> ignored;     // NAME: outputs that are not compared
  std::vector<std::string> metrics;     // NAME=EXPRESSION
  std::optional<double> absolute;       // of the tolerance; none: the problem's own
  std::optional<double> relative;

  bool has_data() const { return !(inputs.empty() && references.empty()); }
  bool has_tolerance() const { return absolute || relative; }
  // Whether an option is given that can be meant for one kernel only.
  bool is_about_one() const {
    return has_data() || has_tolerance() || !ignored.empty() || !metrics.empty() || !sets.empty();
  }
};

// Whether it is the name of a bundled kernel. Everything else is a file.
bool names_bundled(const std::string& kernel);
// Whether it is a file with a sequence in text form: one that ends in .vyre.
bool names_sequence(const std::string& kernel);

// `kernel`: a T1 file, a sequence in text form, or the name of a bundled kernel.
// A bundled kernel that is source text comes in the language of the device.
Expected<Problem> find_problem(const std::string& kernel, const ProblemOptions& options,
                               const DeviceInfo& device);

}  // namespace vyre::cli
