// Ranks of an MPI application that launch with one set of decisions.
//
// Rank 0 has a decision, the others have empty caches. After Runtime::agree all of them serve it,
// and the digests are equal.
//
//   mpirun -n 8 example_agree_mpi

#include <mpi.h>
#include <vyre/vyre.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr double kLimitSeconds = 30;

// Whether the operation has ended in time. A rank that is gone must not let the others wait for
// ever.
bool ends(MPI_Request& request) {
  const auto start = std::chrono::steady_clock::now();
  for (int is_done = 0;;) {
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) return true;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() > kLimitSeconds) return false;
    std::this_thread::yield();
  }
}

// Sends the bytes to all ranks, and returns those of all: lengths first, then contents.
vyre::Expected<std::vector<std::string>> gather(std::string_view mine) {
  const auto failed = [](const char* why) {
    return std::unexpected(vyre::Error{.kind = vyre::ErrorKind::backend, .message = why});
  };
  constexpr const char* kLate =
      "a rank has not come to the exchange in time; start all ranks again";
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int size = static_cast<int>(mine.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
  if (!ends(request)) return failed(kLate);

  std::vector<int> begins;
  std::size_t total = 0;
  for (const int one : sizes) {
    begins.push_back(static_cast<int>(total));
    total += static_cast<std::size_t>(one);
  }
  if (total > std::numeric_limits<int>::max()) return failed("the ballots have more than 2 GB");
  std::string bytes(total, '\0');
  MPI_Iallgatherv(mine.data(), size, MPI_CHAR, bytes.data(), sizes.data(), begins.data(), MPI_CHAR,
                  MPI_COMM_WORLD, &request);
  if (!ends(request)) return failed(kLate);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    out.push_back(
        bytes.substr(static_cast<std::size_t>(begins[k]), static_cast<std::size_t>(sizes[k])));
  }
  return out;
}

template <class T>
T check(vyre::Expected<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

vyre::ir::Sequence saxpy() {
  return check(vyre::ir::Sequence::make(check(vyre::ir::build("saxpy", [](vyre::ir::Builder& b) {
    auto block = b.tunable("block", 64);
    auto n = b.shape("n");
    auto a = b.scalar(vyre::ir::f32, "a");
    auto x = b.read(vyre::ir::f32, "x", n);
    auto y = b.read_write(vyre::ir::f32, "y", n);
    b.workgroup(block);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  }))));
}

// As `vyre tune` on rank 0 would have left it.
void decide(vyre::Runtime& runtime, const vyre::ir::Sequence& sequence,
            std::span<const vyre::Arg> arguments) {
  const auto shape = check(runtime.shape_of(sequence, arguments));
  runtime.cache().offer(vyre::key_of(sequence.fingerprint(), shape),
                        {.fingerprint = sequence.fingerprint(),
                         .shape = shape,
                         .config = {{"block", 128}},
                         .samples = 30});
}

// Whether all ranks have the same text.
bool is_same_on_all(const std::string& text) {
  for (const std::string& one : check(gather(text))) {
    if (one != text) return false;
  }
  return true;
}

bool run(int rank, int ranks) {
  const auto sequence = saxpy();
  auto runtime = check(vyre::Runtime::open(vyre::open_reference()));
  const std::vector<float> x(4096, 1);
  std::vector<float> y(4096, 10);
  const vyre::Arg arguments[] = {{"a", 2.0F}, {"x", x}, {"y", y}};
  if (rank == 0) decide(runtime, sequence, arguments);

  const auto agreement = runtime.agree(gather, {.ranks = static_cast<std::uint32_t>(ranks)});
  if (!agreement) {
    std::fprintf(stderr, "rank %d: %s\n", rank, agreement.error().message.c_str());
    return false;
  }
  if (!runtime.launch(sequence, arguments) || y[0] != 12) return false;
  const auto shape = check(runtime.shape_of(sequence, arguments));
  const auto served = runtime.config_of(sequence, runtime.resolve(sequence, shape));
  const bool is_same = is_same_on_all(agreement->digest + to_string(served));
  if (rank == 0) {
    std::printf("%u ranks serve %zu decision(s), %s, digest %.16s: %s\n", agreement->ranks,
                agreement->decisions, to_string(served).c_str(), agreement->digest.c_str(),
                is_same ? "equal on all" : "NOT EQUAL");
  }
  return is_same && served == vyre::Config{{"block", 128}};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // After a collective call that did not end, nothing but the end is safe.
  if (!run(rank, ranks)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
