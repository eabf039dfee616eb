// A problem of the application's own, tuned in pieces: a campaign that is cancelled goes on from
// its journal, and a decision that was made is remembered. Everything is on the interpreter, in a
// temporary folder.

#include <vyre/vyre.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// Each invocation doubles `items` numbers.
vyre::Expected<vyre::Problem> twice(std::size_t count) {
  const auto program = vyre::ir::build("twice", [](vyre::ir::Builder& b) {
    const auto block = b.tunable("block", 64);
    const auto items = b.tunable("items", 1);
    const auto n = b.shape("n");
    const auto x = b.read(vyre::ir::f32, "x", n);
    const auto y = b.write(vyre::ir::f32, "y", n);
    b.workgroup(block);
    b.grid((n + block * items - 1) / (block * items));
    const auto first = b.let("first", b.global_id() * items);
    b.for_("k", 0, items, {},
           [&](const vyre::ir::Value& k) { y[first + k] = x[first + k] * 2.0F; });
  });
  const auto space = vyre::space::Space::build(
      {.parameters = {{"block", {16, 32, 64, 128}}, {"items", {1, 2, 4, 8}}},
       .constraints = {"block * items <= 512"}});
  if (!program) return std::unexpected(program.error());
  if (!space) return std::unexpected(space.error());
  const auto sequence = vyre::ir::Sequence::make(*program);
  if (!sequence) return std::unexpected(sequence.error());
  vyre::Problem problem{.name = "twice", .sequence = *sequence, .space = *space};
  problem.default_index = *space->find({{"block", 64}, {"items", 1}});
  const std::vector<std::byte> x(count * sizeof(float));
  problem.inputs = std::make_shared<const std::vector<std::vector<std::byte>>>(1, x);
  return problem;
}

void tune_in_pieces(const std::shared_ptr<vyre::Device>& device, const vyre::Problem& problem,
                    const vyre::Files& files) {
  const auto three = [](const vyre::Progress& progress) { return progress.evaluations < 3; };
  const auto part = vyre::tune(
      device, problem, {.seconds = 0, .evaluations = 8, .files = files, .on_progress = three});
  check(part && part->is_interrupted() && !part->is_kept, "cancelled: nothing is decided");

  const auto whole = vyre::tune(device, problem, {.seconds = 0, .evaluations = 8, .files = files});
  check(whole && whole->is_kept && whole->report.resumed == 3, "resumed: three from the journal");

  const auto known = vyre::tune(device, problem, {.seconds = 0, .evaluations = 8, .files = files});
  check(known && known->is_remembered && known->report.evaluations == 0, "remembered: no search");

  const auto anew =
      vyre::tune(device, problem, {.seconds = 0, .evaluations = 8, .files = files, .again = true});
  check(anew && !anew->is_remembered && anew->report.evaluations > 0, "again: searched anew");
  std::printf("%s\n", to_string(anew->decision.config).c_str());
}

// The same campaign one run at a time, between whatever else the application does.
void tune_step_by_step(const std::shared_ptr<vyre::Device>& device, const vyre::Problem& problem) {
  auto steps = vyre::TuneSteps::begin(device, problem, {.seconds = 0, .evaluations = 4});
  check(steps.has_value(), "the default runs");
  int count = 0;
  for (auto more = steps->step(); more && *more; more = steps->step()) ++count;
  const auto tuned = steps->finish();
  check(tuned && tuned->is_kept && count > 4, "decided, in memory");
}

}  // namespace

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "vyre-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const auto device = vyre::open_reference();
  const auto problem = twice(1 << 12);
  if (!problem) return std::puts(problem.error().message.c_str()), 1;
  tune_in_pieces(device, *problem, {.folder = folder});
  tune_step_by_step(device, *problem);
  std::filesystem::remove_all(folder);
  return 0;
}
