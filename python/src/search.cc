// Spaces, and strategies that search them by ask and tell.

#include "vyre/substrate/search.h"

#include <limits>

#include "convert.h"

namespace vyre::python {
namespace {

using Parameters = std::vector<std::pair<std::string, std::vector<Value>>>;

struct StrategyHandle {
  std::unique_ptr<Strategy> strategy;
};

std::vector<space::Parameter> parameters_of(const Parameters& given) {
  std::vector<space::Parameter> out;
  out.reserve(given.size());
  for (const auto& [name, values] : given) out.push_back({name, values});
  return out;
}

SpaceHandle build(const Parameters& parameters, const std::vector<std::string>& constraints) {
  return {value_of(
      space::Space::build({.parameters = parameters_of(parameters), .constraints = constraints}))};
}

SpaceHandle from_rows(const Parameters& parameters, std::vector<space::Point> rows) {
  return {value_of(space::Space::from_rows(parameters_of(parameters), std::move(rows)))};
}

Entries config_at(const SpaceHandle& handle, std::uint64_t index) {
  if (index >= handle.space.size()) throw nb::index_error("there is no such configuration");
  return handle.space.config_at(index).entries();
}

StrategyHandle make(const std::string& name, const SpaceHandle& space, std::uint64_t seed,
                    const std::vector<std::uint64_t>& start) {
  return {value_of(make_strategy(name, space.space, {.seed = seed, .start = start}))};
}

std::vector<std::uint64_t> ask(StrategyHandle& handle, std::size_t most, double seconds) {
  const nb::gil_scoped_release others;
  return handle.strategy->ask(most, seconds);
}

recording::Status status_of(const std::string& name) {
  using recording::Status;
  for (const Status status : {Status::ok, Status::timeout, Status::compile, Status::runtime,
                              Status::correctness, Status::constraints}) {
    if (name == recording::to_string(status)) return status;
  }
  raise({.message = "there is no status \"" + name +
                    "\"; use compile, runtime, timeout, correctness or constraints"});
}

// Without a time the configuration has failed with `status`.
void tell(StrategyHandle& handle, std::uint64_t index, std::optional<double> time_ms,
          const std::string& status, double compile_seconds, double run_seconds) {
  if (time_ms && !(*time_ms > 0)) {
    raise({.message = "a time must be above 0; a configuration that failed has none"});
  }
  Result result{.compile_seconds = compile_seconds, .run_seconds = run_seconds};
  result.status = time_ms ? recording::Status::ok : status_of(status);
  result.time_ms = time_ms.value_or(0);
  const nb::gil_scoped_release others;
  handle.strategy->tell(index, result);
}

}  // namespace

void add_search(nb::module_& module) {
  nb::class_<SpaceHandle>(module, "Space")
      .def("size", [](const SpaceHandle& h) { return h.space.size(); })
      .def("config_at", &config_at)
      .def("find", [](const SpaceHandle& h,
                      const Entries& config) { return h.space.find(to_config(config)); })
      .def("neighbours",
           [](const SpaceHandle& h, std::uint64_t index) {
             return h.space.hamming_neighbours(h.space.at(index));
           })
      .def("digest", [](const SpaceHandle& h) { return digest_of(h.space); });
  nb::class_<StrategyHandle>(module, "Strategy")
      .def("ask", &ask)
      .def("tell", &tell, nb::arg("index"), nb::arg("time_ms").none(), nb::arg("status"),
           nb::arg("compile_seconds"), nb::arg("run_seconds"))
      .def("withdraw", [](StrategyHandle& h, std::uint64_t index) { h.strategy->withdraw(index); })
      .def("expected_gain", [](const StrategyHandle& h) { return h.strategy->expected_gain(); });
  module.def("build_space", &build);
  module.def("space_from_rows", &from_rows);
  module.def("make_strategy", &make);
  module.def("strategies", [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const StrategyKind& kind : strategies()) out.emplace_back(kind.name, kind.what);
    return out;
  });
}

}  // namespace vyre::python
