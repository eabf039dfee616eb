// Runtime: launches with what was decided, on memory of Python's objects.

#include <mutex>

#include "convert.h"

namespace vyre::python {
namespace {

// A number; memory of the host: type, bytes of an element, address, bytes, whether it is read only;
// or a buffer on the device.
using Memory = std::tuple<std::string, std::size_t, std::uintptr_t, std::size_t, bool>;
using Given = std::variant<bool, std::int64_t, std::uint64_t, double, Memory, BufferHandle>;
using GivenArgs = std::vector<std::pair<std::string, Given>>;

Arg::Type type_of(const std::string& name) {
  if (name == "u32") return Arg::Type::u32;
  if (name == "i32") return Arg::Type::i32;
  if (name == "u64") return Arg::Type::u64;
  if (name == "i64") return Arg::Type::i64;
  if (name == "f32") return Arg::Type::f32;
  if (name == "f64") return Arg::Type::f64;
  return Arg::Type::bytes;
}

Arg arg_of(const std::string& name, const Given& given) {
  if (const auto* memory = std::get_if<Memory>(&given)) {
    const auto& [type, element_bytes, address, bytes, is_read_only] = *memory;
    return Arg::memory(name, type_of(type), element_bytes, memory_at(address, bytes), is_read_only);
  }
  if (const auto* device = std::get_if<BufferHandle>(&given)) return {name, *device->buffer};
  if (const auto* truth = std::get_if<bool>(&given)) return {name, *truth};
  if (const auto* whole = std::get_if<std::int64_t>(&given)) return {name, *whole};
  if (const auto* bits = std::get_if<std::uint64_t>(&given)) return {name, *bits};
  return {name, std::get<double>(given)};
}

std::vector<Arg> args_of(const GivenArgs& given) {
  std::vector<Arg> out;
  out.reserve(given.size());
  for (const auto& [name, value] : given) out.push_back(arg_of(name, value));
  return out;
}

Expected<Mode> mode_of(const std::string& name) {
  for (const Mode mode : {Mode::off, Mode::on, Mode::natural}) {
    if (name == to_string(mode)) return mode;
  }
  return std::unexpected(
      Error{.message = "there is no mode \"" + name + "\"; use \"off\", \"on\" or \"natural\""});
}

class RuntimeHandle {
 public:
  RuntimeHandle(const DeviceHandle& device, const std::string& mode, double seconds,
                std::uint64_t evaluations, bool online, const std::string& folder,
                const std::string& system_folder, const std::string& worker) {
    RuntimeOptions options{.mode = value_of(mode_of(mode)),
                           .miss_budget = {.seconds = seconds, .evaluations = evaluations},
                           .workers = {.executable = worker},
                           .files = files_of(folder, system_folder)};
    if (online) options.online.emplace();
    options.events = [this](const Event& event) {
      const std::scoped_lock lock(mutex_);
      messages_.push_back(event.message);
    };
    runtime_.emplace(value_of(Runtime::open(device.device, std::move(options))));
  }

  // The runtime's threads know this object's address.
  RuntimeHandle(RuntimeHandle&&) = delete;

  void declare(const ProblemHandle& handle) {
    const Problem& p = handle.problem;
    value_of(runtime_->declare(
        p.sequence,
        {.space = p.space, .tolerance = p.tolerance, .opaque_outputs = p.opaque_outputs}));
  }

  void launch(const ProblemHandle& handle, const GivenArgs& given,
              const std::optional<Entries>& chosen,
              const std::optional<std::vector<std::uint32_t>>& grid) {
    const std::vector<Arg> args = args_of(given);
    const Config config = to_config(chosen.value_or(Entries()));
    CallOptions options{.config = chosen ? &config : nullptr};
    if (grid) {
      Extent extent{1, 1, 1};
      for (std::size_t axis = 0; axis < grid->size() && axis < 3; ++axis)
        extent[axis] = (*grid)[axis];
      options.grid = extent;
    }
    Expected<void> done;
    {
      const nb::gil_scoped_release others;
      done = runtime_->launch(handle.problem.sequence, args, options);
    }
    value_of(std::move(done));
  }

  // (configuration, where it comes from)
  std::pair<Entries, std::string> resolve(const ProblemHandle& handle, const GivenArgs& given) {
    const std::vector<Arg> args = args_of(given);
    const auto& sequence = handle.problem.sequence;
    const auto shape = value_of(runtime_->shape_of(sequence, args));
    const Resolved resolved = runtime_->resolve(sequence, shape);
    return {runtime_->config_of(sequence, resolved).entries(),
            std::string(to_string(resolved.source))};
  }

  void finish() {
    Expected<void> done;
    {
      const nb::gil_scoped_release others;
      done = runtime_->finish();
    }
    value_of(std::move(done));
  }

  nb::list take_events() {
    const std::scoped_lock lock(mutex_);
    nb::list out;
    for (const std::string& message : std::exchange(messages_, {})) out.append(text_of(message));
    return out;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> messages_;
  std::optional<Runtime> runtime_;  // ends first: its threads send events
};

}  // namespace

void add_runtime(nb::module_& module) {
  nb::class_<RuntimeHandle>(module, "Runtime")
      .def(nb::init<const DeviceHandle&, const std::string&, double, std::uint64_t, bool,
                    const std::string&, const std::string&, const std::string&>())
      .def("declare", &RuntimeHandle::declare)
      .def("launch", &RuntimeHandle::launch, nb::arg("problem"), nb::arg("arguments"),
           nb::arg("config").none(), nb::arg("grid").none())
      .def("resolve", &RuntimeHandle::resolve)
      .def("finish", &RuntimeHandle::finish)
      .def("take_events", &RuntimeHandle::take_events);
}

}  // namespace vyre::python
