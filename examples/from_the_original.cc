// The original's items in C++, one function each: the code of docs/from_the_original.md.
// `tools/check_examples` holds the page to this file.

#include <vyre/builder.h>
#include <vyre/substrate/chain_fusion.h>
#include <vyre/substrate/natural_loop.h>
#include <vyre/substrate/workgroup.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace vyre;

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// A device with a fixed time per size, in place of a real one.
class FixedTimer final : public BackendTimer {
 public:
  Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence&, const Extent& size) override {
    if (size[0] > 256) return std::unexpected(Error{ErrorKind::backend, "", "device lost"});
    return size[0] == 128 ? 8000 : size[0] == 256 ? 10000 : 12000;
  }
};

ir::Sequence twice() {
  return *ir::Sequence::make(*ir::build("twice", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto x = b.read(ir::f32, "x", n);
    auto y = b.write(ir::f32, "y", n);
    b.workgroup(128);
    auto i = b.global_id();
    b.if_(i < n, [&] { y[i] = x[i] + x[i]; });
  }));
}

void modes() {
  const ModeChoice off = from_env_value(" OFF ");
  const ModeChoice unset = from_env_value(std::nullopt);
  const ModeChoice wrong = from_env_value("maybe");  // natural, and a warning that names "maybe"
  check(off.mode == Mode::off && unset.mode == Mode::natural && !wrong.warning.empty(), "modes");
}

void keys() {
  const ir::Sequence program = twice();
  const std::vector<std::uint64_t> shape{1024, 1024, 1024};  // of x, of y, and n
  const Expected<V1Shape> v1 = v1_shape_of(program, shape);
  const Key original = v1_key(*v1);                       // "v1-" and 64 digits
  const Key ours = key_of(program.fingerprint(), shape);  // "v2-" and 64 digits
  check(declared_workgroup(program) == Extent{128, 1, 1}, "the declared size");
  check(v1->output_bytes == 4096 && original < ours, "keys");
}

void remembered_sizes(const DeviceLimits& limits) {
  Tuner tuner({.adapter = "example"}, Mode::natural, limits);
  const Key key = v1_key(*v1_shape_of(twice(), std::vector<std::uint64_t>{8, 8, 8}));
  const Extent before = tuner.resolve(key);                         // the default
  const Offer kept = tuner.record_key_decision(key, {256, 1, 1});   // in memory
  const Offer refused = tuner.record_key_decision(key, {0, 1, 1});  // says why: reason_of
  const Expected<void> saved = tuner.persist();                     // to the file, if any
  check(before == Extent{64, 1, 1} && kept == Offer::kept && saved, "the tuner");
  check(refused == Offer::no_workgroup_size && tuner.resolve(key)[0] == 256, "the refusal");
}

void cache_file() {
  DecisionCache cache = DecisionCache::open({});
  const std::string line = "\"v1-" + std::string(64, 'a') + "\" = [128, 1, 1]\n";
  const Expected<std::size_t> kept = cache.import(line, "the original's file");
  const DecisionRef found = cache.find(*parse_key("v1-" + std::string(64, 'a')));
  const std::optional<Extent> size = workgroup_of(cache.read(found).config);
  check(*kept == 1 && size == Extent{128, 1, 1}, "the original's file");
}

void sweeps() {
  FixedTimer timer;
  const std::vector<Extent> candidates = candidates_for(1024);  // 32, 64, ... 1024
  const auto sweep = best_of(timer, twice(), candidates);
  const auto strict = best_of(timer, twice(), candidates, OnFailure::stop);
  check(sweep->best == Measurement{{128, 1, 1}, 8000} && sweep->failed.size() == 2, "skip");
  check(!strict && strict.error().message == "device lost", "stop");
}

void natural_policy() {
  const std::vector<std::uint64_t> elapsed_ns{12000, 8000, 10000};
  std::vector<std::uint32_t> metric = *identity_fisher_q16(3);
  metric[0] = 8 * substrate::kOne;
  const auto step = natural_gradient_step(elapsed_ns, metric, 4000);
  check(step->best == 1 && step->selected == 0, "the decision, and the next probe");
  const auto plain = natural_gradient_step(elapsed_ns);  // the identity, a temperature of best / 10
  const auto refused = natural_gradient_step(elapsed_ns, std::vector<std::uint32_t>{});
  check(plain->selected == plain->best && refused.error().code == kWrongMetric, "metrics");
}

void resizing() {
  const TunerFeedback idle{.idle_us = 200'000, .observed_workgroup_size_x = 256};
  const auto plain = ResizePolicy{}.suggest(idle);
  SteadyResize steady;
  const auto first = steady.suggest(idle);
  const auto again = steady.suggest(idle);  // none: 128 was suggested, and is waited for
  check(plain == 128U && first == 128U && !again, "resizing");
}

void soft_pick(Dispatcher& dispatcher) {
  const std::vector<std::uint32_t> weights{65536, 131072, 65536};
  const auto chances = substrate::pick_config_pre_exp_fixed_via(dispatcher, weights);
  const std::vector<std::uint32_t> half{65536, 0, 0, 32768};
  const auto natural = substrate::natural_config_gradient_magnitude_pre_exp_fixed_via(
      dispatcher, std::vector<std::uint32_t>{65536, 65536}, half);
  check(*chances == std::vector<std::uint32_t>{16384, 32768, 16384}, "a soft pick");
  check(*natural == std::vector<std::uint32_t>{32768, 16384}, "under a metric");
}

void closed_loop(Dispatcher& dispatcher) {
  const std::vector<float> values{1, 0, -1, 0, 0, 2, 0, -2};  // four samples of two numbers
  const std::vector<float> weights{1, 1, 1, 1};
  const substrate::Samples samples{.values = values, .weights = weights, .n = 2};
  const auto fisher = substrate::damped_fisher_via(dispatcher, samples, 0.01F);
  const std::vector<double> gradient{1, 1};
  const auto natural = substrate::natural_gradient_via(dispatcher, *fisher, gradient);
  const auto whitened = substrate::whitened_gradient_via(dispatcher, *fisher, gradient);
  check((*natural)[0] > (*whitened)[0] && (*whitened)[0] > (*whitened)[1], "the loop");
}

void chains(Dispatcher& dispatcher) {
  const std::vector<std::uint64_t> ranks{8, 0, 8, 8};  // the link without data does not count
  substrate::ChainScratch scratch;
  const auto pressure = substrate::fusion_pressure_via(dispatcher, ranks, scratch);
  const bool fuse = substrate::should_fuse_chain(ranks, 8);
  const auto via = substrate::should_fuse_chain_via(dispatcher, ranks, 8, scratch);
  check(*pressure == 512 && fuse && *via, "a chain at its exact threshold");
}

}  // namespace

int main() {
  const auto device = open_reference();
  const auto dispatcher = make_dispatcher(device);
  modes();
  keys();
  remembered_sizes(device->info().limits);
  cache_file();
  sweeps();
  natural_policy();
  resizing();
  soft_pick(*dispatcher);
  closed_loop(*dispatcher);
  chains(*dispatcher);
  std::puts("all as the page says");
  return 0;
}
