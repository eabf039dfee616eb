// Problems: kernels with their spaces and data.

#include <algorithm>

#include "convert.h"

namespace vyre::python {
namespace {

using Scalars = std::map<std::string, Value>;

// Trying a Python function takes about a microsecond; more than this takes minutes.
constexpr std::uint64_t kMostTried = 2'000'000;

std::string access_text(ir::Access access) {
  switch (access) {
    case ir::Access::read:
      return "in";
    case ir::Access::read_write:
      return "inout";
    case ir::Access::write:
      return "out";
    case ir::Access::local:
    case ir::Access::private_:
      break;
  }
  return "";
}

bool takes_input(ir::Access access) {
  return access == ir::Access::read || access == ir::Access::read_write;
}

ProblemHandle from_t1(const std::string& t1, const std::string& source, const std::string& folder,
                      const ProblemSizes& sizes) {
  const auto file = value_of(recording::parse_t1(t1, "the problem"));
  return {value_of(t1_problem(file, source, folder, sizes))};
}

ProblemHandle bundled(const std::string& name, const ProblemSizes& sizes,
                      const std::string& backend) {
  const ir::Language language = backend == "cuda"  ? ir::Language::cuda
                                : backend == "hip" ? ir::Language::hip
                                                   : ir::Language::opencl_c;
  return {value_of(bundled_problem(name, sizes, language))};
}

ChainOptions chain_options(const ProblemSizes& sizes, const Scalars& scalars, bool fuse,
                           const DeviceHandle* device) {
  ChainOptions out{.sizes = sizes, .scalars = scalars, .fuse = fuse};
  if (device != nullptr) out.limits = device->device->info().limits;
  return out;
}

ProblemHandle chain_file(const std::string& file, const ProblemSizes& sizes, const Scalars& scalars,
                         bool fuse, const DeviceHandle* device) {
  return {value_of(load_chain(file, chain_options(sizes, scalars, fuse, device)))};
}

ProblemHandle chain_text(const std::string& text, const ProblemSizes& sizes, const Scalars& scalars,
                         bool fuse, const DeviceHandle* device) {
  auto sequence = ir::Sequence::make(value_of(ir::parse(text)));
  return {value_of(
      chain_problem(value_of(std::move(sequence)), chain_options(sizes, scalars, fuse, device)))};
}

// Name, how it is used, and the elements' type: the language's, or numpy's letters for bytes.
nb::list buffers_of(const ProblemHandle& handle) {
  nb::list out;
  for (const ir::Buffer& buffer : handle.problem.sequence.def().buffers) {
    const std::string access = access_text(buffer.access);
    if (access.empty()) continue;
    const std::string type = buffer.opaque_bytes > 0
                                 ? "V" + std::to_string(buffer.opaque_bytes)
                                 : ir::to_string(ir::Type{.scalar = buffer.element});
    out.append(nb::make_tuple(buffer.name, access, type));
  }
  return out;
}

// How many bytes of a scalar the kernel takes; 0: all.
std::uint32_t passed_bytes(const ir::SequenceDef& def, const std::string& name) {
  if (def.programs.size() != 1 || !def.programs[0].source) return 0;
  const auto& arguments = def.programs[0].source->arguments;
  const auto it = std::ranges::find(arguments, name, &ir::Source::Argument::name);
  return it == arguments.end() ? 0 : it->bytes;
}

// Name, type, bytes that are passed, and the bits that the problem has for it.
nb::list numbers_of(const ProblemHandle& handle) {
  nb::list out;
  const Problem& problem = handle.problem;
  const ir::SequenceDef& def = problem.sequence.def();
  for (const auto& [name, bits] : problem.arguments) {
    const auto it = std::ranges::find(def.symbols, name, &ir::Symbol::name);
    if (it == def.symbols.end()) continue;
    out.append(nb::make_tuple(name, ir::to_string(ir::Type{.scalar = it->type}),
                              passed_bytes(def, name), bits));
  }
  return out;
}

std::vector<std::byte> copy_of(std::uintptr_t address, std::size_t bytes) {
  const auto memory = memory_at(address, bytes);
  return {memory.begin(), memory.end()};
}

// All at once, because inputs are shared and a change copies them.
void set_inputs(ProblemHandle& handle,
                const std::map<std::string, std::pair<std::uintptr_t, std::size_t>>& data) {
  Problem& problem = handle.problem;
  Outputs inputs = problem.inputs == nullptr ? Outputs() : *problem.inputs;
  std::size_t place = 0;
  for (const ir::Buffer& buffer : problem.sequence.def().buffers) {
    if (!takes_input(buffer.access)) continue;
    inputs.resize(std::max(inputs.size(), place + 1));
    if (const auto it = data.find(buffer.name); it != data.end()) {
      inputs[place] = copy_of(it->second.first, it->second.second);
      if (place < problem.random_inputs.size()) problem.random_inputs[place] = false;
    }
    ++place;
  }
  problem.inputs = std::make_shared<const Outputs>(std::move(inputs));
}

void set_device_input(ProblemHandle& handle, const std::string& name, const BufferHandle& buffer) {
  Problem& problem = handle.problem;
  std::size_t place = 0;
  for (const ir::Buffer& declared : problem.sequence.def().buffers) {
    if (!takes_input(declared.access)) continue;
    if (declared.name == name) break;
    ++place;
  }
  if (problem.device_inputs.size() <= place) problem.device_inputs.resize(place + 1);
  problem.device_inputs[place] = buffer.buffer;
}

void set_number(ProblemHandle& handle, const std::string& name, std::uint64_t bits) {
  for (auto& [known, value] : handle.problem.arguments) {
    if (known == name) value = bits;
  }
}

void set_expected(ProblemHandle& handle, const std::string& name, std::uintptr_t address,
                  std::size_t bytes) {
  value_of(set_reference(handle.problem, name, copy_of(address, bytes)));
}

// Keeps the configurations for which the function is true. The space is listed for that.
void keep_valid(ProblemHandle& handle, const nb::callable& is_valid) {
  Problem& problem = handle.problem;
  const space::Space& all = problem.space;
  if (all.size() > kMostTried) {
    raise({.message = "a constraint that is a function is tried on every configuration, and " +
                      std::to_string(all.size()) +
                      " are too many; write it as text: \"block_x * block_y <= 1024\""});
  }
  std::vector<space::Point> rows;
  for (std::uint64_t index = 0; index < all.size(); ++index) {
    const nb::object config = nb::cast(all.config_at(index).entries());
    if (nb::cast<bool>(is_valid(config))) rows.push_back(all.at(index));
  }
  if (rows.empty()) raise({.message = "no configuration satisfies the constraints"});
  const space::Point before = all.at(problem.default_index);
  space::Space left = value_of(space::Space::from_rows(all.parameters(), std::move(rows)));
  problem.default_index = left.nearest_valid(before).index;
  problem.space = std::move(left);
}

nb::list parameters_of(const space::Space& space) {
  nb::list out;
  for (const space::Parameter& p : space.parameters()) {
    out.append(nb::make_tuple(p.name, nb::cast(p.values)));
  }
  return out;
}

void add_properties(nb::class_<ProblemHandle>& problem) {
  problem.def_prop_ro("name", [](const ProblemHandle& h) { return h.problem.name; });
  problem.def_prop_ro("warnings", [](const ProblemHandle& h) { return h.problem.warnings; });
  problem.def_prop_ro("sizes", [](const ProblemHandle& h) { return h.problem.sizes; });
  problem.def_prop_ro("space", [](const ProblemHandle& h) { return SpaceHandle{h.problem.space}; });
  problem.def_prop_ro("default", [](const ProblemHandle& h) {
    return h.problem.space.config_at(h.problem.default_index).entries();
  });
  problem.def_prop_ro("metrics", [](const ProblemHandle& h) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const Metric& m : h.problem.metrics) out.emplace_back(m.name, m.expression);
    return out;
  });
  problem.def_prop_ro("parameters",
                      [](const ProblemHandle& h) { return parameters_of(h.problem.space); });
  problem.def_prop_ro("buffers", &buffers_of);
  problem.def_prop_ro("numbers", &numbers_of);
}

}  // namespace

void add_problems(nb::module_& module) {
  nb::class_<ProblemHandle> problem(module, "Problem");
  add_properties(problem);
  problem.def("copy", [](const ProblemHandle& h) { return ProblemHandle{h.problem}; });
  problem.def("set_inputs", &set_inputs);
  problem.def("set_device_input", &set_device_input);
  problem.def("set_number", &set_number);
  problem.def("set_expected", &set_expected);
  problem.def("set_tolerance", [](ProblemHandle& h, double absolute, double relative) {
    h.problem.tolerance = {.absolute = absolute, .relative = relative};
  });
  problem.def("ignore_output", [](ProblemHandle& h, const std::string& name) {
    value_of(vyre::ignore_output(h.problem, name));
  });
  problem.def("restrict", &keep_valid);
  module.def("load_problem", [](const std::string& file, const ProblemSizes& sizes) {
    return ProblemHandle{value_of(load_problem(file, sizes))};
  });
  module.def("t1_problem", &from_t1);
  module.def("bundled_problem", &bundled);
  module.def("bundled_names", [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const BundledProblem& p : bundled_problems()) out.emplace_back(p.name, p.what);
    return out;
  });
  module.def("load_chain", &chain_file, nb::arg("file"), nb::arg("sizes"), nb::arg("scalars"),
             nb::arg("fuse"), nb::arg("device").none());
  module.def("chain_problem", &chain_text, nb::arg("text"), nb::arg("sizes"), nb::arg("scalars"),
             nb::arg("fuse"), nb::arg("device").none());
}

}  // namespace vyre::python
