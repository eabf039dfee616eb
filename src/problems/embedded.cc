#include "problems/embedded.h"

#include <algorithm>

#include "base/error.h"
#include "problems/t1_problem.h"

namespace vyre::problems {

std::string_view embedded_kernel(std::string_view file) {
  const auto files = embedded_kernels();
  const auto found = std::ranges::find(files, file, &EmbeddedFile::name);
  return found == files.end() ? std::string_view() : found->bytes;
}

namespace {

Expected<Problem> made(std::string_view name, const ProblemSizes& sizes, ir::Language language) {
  const std::string file = fmt::format("{}.json", name);
  VYRE_TRY(recording::T1File t1, recording::parse_t1(embedded_kernel(file), file));
  if (language == ir::Language::hip) t1.kernel.language = "HIP";
  auto out = problem_of_t1(t1, embedded_kernel(t1.kernel.kernel_file), {}, sizes);
  if (!out) return bad_inputs("{}: {}", name, out.error().message);
  out->asked = {};  // the search that these files name is for other tuners
  out->former_names = {{"block_size_x", "block_x"}, {"block_size_y", "block_y"}};  // in 0.1.0
  return out;
}

}  // namespace

Expected<Problem> make_embedded(std::string_view name, const ProblemSizes& sizes) {
  return made(name, sizes, ir::Language::opencl_c);
}

std::optional<Expected<Problem>> make_cuda_twin(std::string_view name, const ProblemSizes& sizes,
                                                ir::Language language) {
  const std::string twin = fmt::format("{}_cuda", name);
  if (embedded_kernel(twin + ".json").empty()) return std::nullopt;
  return made(twin, sizes, language);
}

}  // namespace vyre::problems
