// Tuning: one call of vyre::tune without the GIL, and its result as plain values.

#include <algorithm>
#include <chrono>
#include <mutex>

#include "convert.h"

namespace vyre::python {
namespace {

nb::object entries_of(const Config& config) { return nb::cast(config.entries()); }

// What Python has to say while a campaign runs. The GIL is taken for each call. An exception,
// Ctrl-C's too, ends the campaign and is kept for the caller.
class Listener {
 public:
  Listener(nb::object on_progress, nb::object on_wait, nb::object verify)
      : on_progress_(std::move(on_progress)),
        on_wait_(std::move(on_wait)),
        verify_(std::move(verify)) {}

  bool hears(const Progress& progress) {
    const nb::gil_scoped_acquire gil;
    return goes_on([&] {
      nb::dict told;
      told["evaluations"] = progress.evaluations;
      told["failures"] = progress.failures;
      told["seconds"] = progress.seconds;
      told["default_ns"] = progress.default_ns;
      told["best_ns"] = progress.best_ns;
      told["best"] = progress.best;
      return nb::object(on_progress_(told));
    });
  }

  bool waits(double seconds) {
    const nb::gil_scoped_acquire gil;
    return goes_on([&] { return nb::object(on_wait_(seconds)); });
  }

  // The caller's function is given the configuration and the bytes of each output, and returns None
  // or what is wrong.
  Expected<std::optional<std::string>> judges(const Config& config, const Outputs& outputs) {
    const nb::gil_scoped_acquire gil;
    std::optional<std::string> wrong;
    const bool is_asked = goes_on([&] {
      nb::list bytes;
      for (const auto& output : outputs) bytes.append(nb::bytes(output.data(), output.size()));
      nb::object said = verify_(entries_of(config), bytes);
      wrong = nb::cast<std::optional<std::string>>(said);
      return nb::object(nb::none());
    });
    if (!is_asked) return std::unexpected(Error{.message = "verify has raised an exception"});
    return wrong;
  }

  // Python's exception, or None.
  const nb::object& raised() const { return raised_; }

 private:
  template <class Call>
  bool goes_on(const Call& call) {
    if (!raised_.is_none()) return false;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      return !call().is(nb::bool_(false));
    } catch (nb::python_error& error) {
      raised_ = nb::borrow(error.value());
      return false;
    }
  }

  nb::object on_progress_;
  nb::object on_wait_;
  nb::object verify_;
  nb::object raised_ = nb::none();
};

// Events may come from other threads, so they wait here for the one that tunes.
class EventQueue {
 public:
  EventSink sink() {
    return [this](const Event& event) {
      const std::scoped_lock lock(mutex_);
      messages_.push_back(event.message);
    };
  }
  std::vector<std::string> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(messages_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

template <class T>
T wish(const nb::dict& wishes, const char* name) {
  return nb::cast<T>(wishes[name]);
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

Expected<WorkerOptions> workers_of(const nb::dict& wishes) {
  WorkerOptions out{.executable = wish<std::string>(wishes, "worker"),
                    .build_limit = milliseconds(wish<double>(wishes, "build_limit")),
                    .run_limit = milliseconds(wish<double>(wishes, "run_limit")),
                    .workers = wish<std::optional<std::uint32_t>>(wishes, "workers")};
  const auto isolation = wish<std::string>(wishes, "isolation");
  if (isolation == "workers") out.isolation = Isolation::workers;
  if (isolation == "in_process") out.isolation = Isolation::in_process;
  if (out.isolation == Isolation::automatic && isolation != "automatic") {
    return std::unexpected(Error{.message = "isolation is \"automatic\", \"workers\" or "
                                            "\"in_process\", not \"" +
                                            isolation + "\""});
  }
  return out;
}

TuneOptions options_of(const nb::dict& wishes, const Problem& problem) {
  TuneOptions out{.seconds = wish<double>(wishes, "seconds"),
                  .evaluations = wish<std::uint64_t>(wishes, "evaluations"),
                  .strategy = wish<std::string>(wishes, "strategy"),
                  .seed = wish<std::uint64_t>(wishes, "seed"),
                  .files = files_of(wish<std::string>(wishes, "folder"),
                                    wish<std::string>(wishes, "system_folder")),
                  .again = wish<bool>(wishes, "again"),
                  .replaces = wish<bool>(wishes, "force"),
                  .retry = wish<bool>(wishes, "retry"),
                  .workers = value_of(workers_of(wishes))};
  if (const auto samples = wish<std::uint32_t>(wishes, "samples"); samples > 0) {
    out.race.fewest_samples = samples;
    out.race.most_samples = std::max(out.race.most_samples, samples);
  }
  for (const Entries& first : wish<std::vector<Entries>>(wishes, "first")) {
    out.first.push_back(to_config(first));
  }
  for (const std::string& file : wish<std::vector<std::string>>(wishes, "seed_from")) {
    out.hints.push_back(hint_of(problem.space, value_of(recording::read_recording(file))));
  }
  return out;
}

const char* fate_text(Fate fate) {
  return fate == Fate::racing ? "racing" : fate == Fate::dropped ? "dropped" : "failed";
}

nb::list candidates_of(const Problem& problem, const CampaignReport& report) {
  nb::list out;
  for (const Standing& standing : report.standings) {
    nb::dict row;
    row["index"] = standing.candidate.id;
    row["config"] = entries_of(problem.space.config_at(standing.candidate.id));
    row["is_default"] = standing.candidate.is_default;
    row["fate"] = fate_text(standing.fate);
    row["elapsed"] = to_python(standing.elapsed);
    row["samples_ns"] = nb::cast(standing.samples_ns);
    out.append(row);
  }
  return out;
}

nb::list failures_of(const Problem& problem, const CampaignReport& report) {
  nb::list out;
  for (const Failure& failure : report.failures) {
    nb::dict row;
    row["index"] = failure.index;
    row["config"] = entries_of(problem.space.config_at(failure.index));
    row["status"] = std::string(recording::to_string(failure.status));
    row["why"] = text_of(failure.why);
    out.append(row);
  }
  return out;
}

nb::dict decision_of(const Decision& decision) {
  nb::dict out;
  out["config"] = entries_of(decision.config);
  out["elapsed"] = to_python(decision.elapsed);
  out["default_elapsed"] = to_python(decision.default_elapsed);
  out["gain"] = to_python(decision.gain);
  return out;
}

nb::dict report_of(const Problem& problem, const CampaignReport& report) {
  nb::dict out;
  out["best"] = entries_of(problem.space.config_at(report.best));
  out["elapsed"] = to_python(report.elapsed);
  out["default_elapsed"] = to_python(report.default_elapsed);
  out["gain"] = to_python(report.gained);
  out["candidates"] = candidates_of(problem, report);
  out["failures"] = failures_of(problem, report);
  out["evaluations"] = report.evaluations;
  out["resumed"] = report.resumed;
  out["seconds"] = report.seconds;
  out["kernel_seconds"] = report.kernel_seconds;
  out["stopped"] = std::string(to_string(report.stopped));
  out["host_clock"] = report.is_timed_by_host;
  return out;
}

nb::str message_of(const std::optional<Error>& error) {
  return text_of(error ? error->message : "");
}

nb::dict to_python(const Problem& problem, const Tuned& tuned) {
  nb::dict out;
  out["name"] = tuned.name;
  out["key"] = to_string(tuned.key);
  out["decision"] = decision_of(tuned.decision);
  out["report"] = report_of(problem, tuned.report);
  out["is_remembered"] = tuned.is_remembered;
  out["is_kept"] = tuned.is_kept;
  out["is_interrupted"] = tuned.is_interrupted();
  out["why_not_kept"] = text_of(tuned.why_not_kept);
  out["unsaved"] = message_of(tuned.unsaved);
  out["ended_by"] = message_of(tuned.ended_by);
  return out;
}

// What a campaign has found and measured. It keeps the problem alive.
struct TunedHandle {
  Problem problem;
  Tuned tuned;
  DeviceInfo device;
};

void write_t4(const TunedHandle& handle, const std::string& file, const Entries& metadata) {
  recording::Recording recording = recording_of(handle.problem, handle.tuned.report);
  for (const auto& [name, value] : metadata) recording.metadata.set(name, value);
  value_of(recording::write_t4(file, recording));
}

nb::str explain_tuned(const TunedHandle& handle) {
  return text_of(explain({handle.tuned, handle.device}));
}

nb::str draw_tuned(const TunedHandle& handle) {
  Expected<std::string> svg;
  {
    const nb::gil_scoped_release others;
    svg = draw(handle.tuned);
  }
  return text_of(value_of(std::move(svg)));
}

nb::str page_of(const std::vector<const TunedHandle*>& handles) {
  std::vector<TunedOn> campaigns;
  for (const TunedHandle* handle : handles) campaigns.push_back({handle->tuned, handle->device});
  std::string page;
  {
    const nb::gil_scoped_release others;
    page = report_page(campaigns);
  }
  return text_of(page);
}

// (values, handle, events, exception). The first two are None if there is an exception and nothing
// was measured before it.
nb::tuple tune_problem(const DeviceHandle& device, const ProblemHandle& handle,
                       const nb::dict& wishes, nb::object on_progress, nb::object on_wait,
                       nb::object verify) {
  Problem problem = handle.problem;
  TuneOptions options = options_of(wishes, problem);
  const bool is_judged = !verify.is_none();
  Listener listener(std::move(on_progress), std::move(on_wait), std::move(verify));
  EventQueue events;
  options.on_progress = [&](const Progress& progress) { return listener.hears(progress); };
  options.on_wait = [&](double seconds) { return listener.waits(seconds); };
  if (is_judged) {
    options.verify = [&](const Config& config, const Outputs& outputs) {
      return listener.judges(config, outputs);
    };
  }
  options.events = events.sink();
  Expected<Tuned> tuned;
  {
    const nb::gil_scoped_release others;
    tuned = tune(device.device, problem, options);
  }
  nb::list messages;
  for (const std::string& message : events.take()) messages.append(text_of(message));
  if (!tuned && listener.raised().is_none()) raise(tuned.error());
  if (!tuned) return nb::make_tuple(nb::none(), nb::none(), messages, listener.raised());
  nb::dict values = to_python(problem, *tuned);
  TunedHandle kept{std::move(problem), *std::move(tuned), device.device->info()};
  return nb::make_tuple(values, std::move(kept), messages, listener.raised());
}

}  // namespace

void add_tune(nb::module_& module) {
  nb::class_<TunedHandle>(module, "Tuned")
      .def("write_t4", &write_t4)
      .def("explain", &explain_tuned)
      .def("draw", &draw_tuned);
  module.def("report_page", &page_of, nb::arg("campaigns"));
  module.def("tune", &tune_problem, nb::arg("device"), nb::arg("problem"), nb::arg("wishes"),
             nb::arg("on_progress"), nb::arg("on_wait"), nb::arg("verify").none());
}

}  // namespace vyre::python
