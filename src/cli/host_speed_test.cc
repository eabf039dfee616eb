#include "cli/host_speed.h"

#include <gtest/gtest.h>

#include "cli/host_blas.h"
#include "cli/host_loops.h"

namespace vyre::cli {
namespace {

struct Small {
  const char* kernel;
  ProblemSizes sizes;
};

// Sizes that no tile and no vector divides.
const Small kSmall[] = {{"saxpy", {{"n", 1001}}},
                        {"reduction", {{"n", 1001}}},
                        {"matvec", {{"rows", 64}, {"cols", 48}}},
                        {"gemm", {{"m", 16}, {"n", 48}, {"k", 32}}},
                        {"stencil", {{"width", 37}, {"height", 19}}},
                        {"transpose", {{"width", 37}, {"height", 19}}},
                        {"conv2d", {{"width", 37}, {"height", 19}}}};

TEST(HostSpeed, IsThereForWhatTheHostHasCodeFor) {
  for (const auto& [kernel, sizes] : kSmall) {
    const auto problem = bundled_problem(kernel, sizes);
    ASSERT_TRUE(problem) << problem.error().message;
    const bool has_code =
        !host_loops(kernel, problem->sizes).empty() || !blas_loops(kernel, problem->sizes).empty();
    const auto speed = measure_host(*problem);
    ASSERT_EQ(speed.has_value(), has_code) << kernel;
    if (speed) {
      EXPECT_GT(speed->ns, 0) << kernel;
      EXPECT_TRUE(speed->by == "OpenBLAS" || speed->by == "OpenMP") << speed->by;
    }
  }
}

TEST(HostSpeed, IsMissingForOtherKernels) {
  auto problem = bundled_problem("softmax", {{"rows", 4}, {"cols", 64}});
  ASSERT_TRUE(problem);
  EXPECT_FALSE(measure_host(*problem));
  problem->name = "my_kernel";
  EXPECT_FALSE(measure_host(*problem));
}

}  // namespace
}  // namespace vyre::cli
