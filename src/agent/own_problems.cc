#include "agent/own_problems.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/text.h"
#include "tune/problem_call.h"

namespace vyre::agent {
namespace {

// A shape ends with the values of the symbols of kind shape, by which problems name their sizes.
ProblemSizes sizes_of(const ir::Sequence& sequence, const std::vector<std::uint64_t>& shape) {
  std::vector<std::string> names;
  for (const ir::Symbol& symbol : sequence.def().symbols) {
    if (symbol.kind == ir::SymbolKind::shape) names.push_back(symbol.name);
  }
  ProblemSizes out;
  if (names.size() > shape.size()) return out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    out[names[k]] = shape[shape.size() - names.size() + k];
  }
  return out;
}

}  // namespace

Expected<Problem> load_own(const std::filesystem::path& file, const DeviceInfo& device,
                           const ProblemSizes& sizes) {
  if (file.extension() != ".vyre") return load_problem(file, sizes);
  return load_chain(file, {.sizes = sizes, .limits = device.limits});
}

Expected<Wish> wish_for(const Problem& problem, const DeviceInfo& device) {
  VYRE_TRY(std::vector<std::uint64_t> shape, shape_of(problem, device.limits));
  const ir::Fingerprint fingerprint = problem.sequence.fingerprint();
  return Wish{.key = key_of(fingerprint, shape),
              .identity = id_of(identity_of(device)),
              .program = problem.name,
              .fingerprint = fingerprint,
              .shape = std::move(shape),
              .ranks = 1};
}

Expected<OwnProblems> OwnProblems::find(const std::filesystem::path& folder,
                                        const DeviceInfo& device) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto ending = entry.path().extension();
    if (ending == ".json" || ending == ".vyre") files.push_back(entry.path());
  }
  if (error) {
    return bad_inputs("--problems {}: {}", quote_path(folder.native()), error.message());
  }
  std::ranges::sort(files);
  OwnProblems out(device);
  for (const auto& file : files) {
    const auto problem = load_own(file, device);
    if (problem) {
      out.files_.emplace(problem->sequence.fingerprint(), file);
    } else {
      out.messages_.push_back(problem.error().message);
    }
  }
  return out;
}

Expected<std::optional<Problem>> OwnProblems::problem_for(const Wish& wish) const {
  const auto file = files_.find(wish.fingerprint);
  if (file == files_.end()) return std::nullopt;
  VYRE_TRY(Problem problem, load_own(file->second, device_));
  VYRE_TRY(Wish own, wish_for(problem, device_));
  if (own.key != wish.key) {
    VYRE_TRY(problem, load_own(file->second, device_, sizes_of(problem.sequence, wish.shape)));
    VYRE_TRY(own, wish_for(problem, device_));
  }
  if (own.key == wish.key) return problem;
  return bad_inputs("{}: no sizes of it give the shape of the wish {}",
                    quote_path(file->second.native()), to_string(wish.key));
}

}  // namespace vyre::agent
