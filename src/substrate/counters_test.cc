#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "testing/broken_dispatcher.h"
#include "vyre/substrate/chain_fusion.h"
#include "vyre/substrate/natural_gradient.h"
#include "vyre/substrate/natural_loop.h"

namespace vyre::substrate {
namespace {

using Reals = std::vector<double>;
using Floats = std::vector<float>;
using Weights = std::vector<std::uint32_t>;

// The counts that a call adds, by name. Counters that are left out must not change.
TEST(Counters, CountEachModuleOncePerCallFailuresIncluded) {
  testing::BrokenDispatcher broken(Outputs{});
  const auto snapshot = [] {
    std::map<std::string, std::uint64_t> out;
    for (const auto& [name, count] : counters()) out[std::string(name)] = count;
    return out;
  };
  const std::string pick = "differentiable_autotune_calls";
  const std::string natural = "natural_gradient_autotuner_calls";
  const std::string chain = "tensor_train_chain_fusion_calls";
  const std::string fisher = "fisher_estimation_calls";
  const std::string root = "inverse_square_root_calls";
  struct Case {
    std::function<void()> call;
    std::vector<std::string> counted;
  };
  const Floats f{1};
  const Case table[] = {
      {[&] { (void)pick_config_pre_exp_fixed_via(broken, {}); }, {pick}},
      {[&] { (void)config_gradient_magnitude_pre_exp_fixed_via(broken, Weights{1}); }, {pick}},
      {[&] { (void)config_gradient_pre_exp_fixed_signed_via(broken, {}); }, {pick}},
      {[&] { (void)natural_config_gradient_magnitude_pre_exp_fixed_via(broken, {}, {}); },
       {pick, natural}},
      {[&] { (void)natural_config_gradient_pre_exp_fixed_signed_via(broken, {}, {}); },
       {pick, natural}},
      {[&] { (void)precondition_autotune_gradient_fixed_via(broken, {}, {}, 0); }, {natural}},
      {[&] { (void)precondition_autotune_gradient_fixed_signed_via(broken, {}, {}, 0); },
       {natural}},
      {[&] { (void)damped_fisher_via(broken, {}, 1); }, {fisher}},
      {[&] { (void)inverse_sqrt_via(broken, f, 1); }, {root}},
      {[&] { (void)whitened_gradient_via(broken, f, Reals{1}); }, {natural, root}},
      {[&] { (void)natural_gradient_via(broken, f, Reals{1}); }, {natural, root}},
      {[&] { (void)natural_step_via(broken, {}, 1, {}, 1); }, {fisher, natural, root}},
      {[&] { (void)fusion_pressure_via(broken, {}); }, {chain}},
      {[&] { (void)should_fuse_chain_via(broken, {}, 1); }, {chain}},
      {[&] {
         (void)pick_config(Reals{1}, 1);
         (void)config_gradient(Reals{1}, 1);
         (void)autotune_step({}, {}, 0, 1);
         (void)should_fuse_chain({}, 1);
       },
       {}},
  };
  for (std::size_t row = 0; row < std::size(table); ++row) {
    auto expected = snapshot();
    ASSERT_EQ(expected.size(), 5U);
    for (const std::string& name : table[row].counted) ++expected.at(name);
    table[row].call();
    EXPECT_EQ(snapshot(), expected) << "row " << row;
  }
}

}  // namespace
}  // namespace vyre::substrate
