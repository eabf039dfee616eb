#include "tune/worker/job.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>

#include "base/error.h"
#include "base/json_value.h"
#include "vyre/program.h"

namespace vyre::worker {
namespace {

using Blobs = std::vector<std::vector<std::byte>>;

Json sizes_of(const Blobs* blobs) {
  if (blobs == nullptr) return nullptr;
  Json out = Json::array();
  for (const auto& blob : *blobs) out.push_back(blob.size());
  return out;
}

Json header_of(const Job& job, std::size_t sequence_bytes) {
  const Problem& p = job.problem;
  Json arguments = Json::array();
  for (const auto& [name, bits] : p.arguments) arguments.push_back({name, bits});
  Json random = Json::array();
  for (const bool is_random : p.random_inputs) random.push_back(is_random);
  Json opaque = Json::array();
  for (const Opaque kind : p.opaque_outputs) opaque.push_back(static_cast<int>(kind));
  return {{"device", job.device},
          {"binary_store", job.options.binary_store.string()},
          {"build_limit_ms", job.options.build_limit.count()},
          {"memory_limit", job.memory_limit},
          {"name", p.name},
          {"sequence", sequence_bytes},
          {"default", to_json(p.space.config_at(p.default_index))},
          {"arguments", arguments},
          {"random", random},
          {"opaque", opaque},
          {"absolute", p.tolerance.absolute},
          {"relative", p.tolerance.relative},
          {"inputs", sizes_of(p.inputs.get())},
          {"reference", sizes_of(p.reference.get())}};
}

class Writer {
 public:
  explicit Writer(int fd) : fd_(fd) {}

  void write(const void* bytes, std::size_t size) {
    const char* from = static_cast<const char*>(bytes);
    while (ok_ && size > 0) {
      const ssize_t written = ::write(fd_, from, size);
      if (written < 0 && errno == EINTR) continue;
      ok_ = written > 0;
      if (!ok_) return;
      from += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  void write(const Blobs* blobs) {
    if (blobs == nullptr) return;
    for (const auto& blob : *blobs) write(blob.data(), blob.size());
  }
  bool ok() const { return ok_; }

 private:
  int fd_;
  bool ok_ = true;
};

class Mapping {
 public:
  explicit Mapping(int fd) {
    struct stat info{};
    if (::fstat(fd, &info) != 0 || info.st_size <= 0) return;
    size_ = static_cast<std::size_t>(info.st_size);
    void* start = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (start != MAP_FAILED) start_ = static_cast<const std::byte*>(start);
  }
  ~Mapping() {
    if (start_ != nullptr) ::munmap(const_cast<std::byte*>(start_), size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  // The next so many bytes; none if there are fewer.
  std::optional<std::span<const std::byte>> take(std::size_t bytes) {
    if (start_ == nullptr || bytes > size_ - next_) return std::nullopt;
    next_ += bytes;
    return std::span(start_ + next_ - bytes, bytes);
  }

 private:
  const std::byte* start_ = nullptr;
  std::size_t size_ = 0;
  std::size_t next_ = 0;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::unexpected<Error> damaged() {
  return bad_inputs("the job is damaged: vyre-worker is started by vyre, not by hand");
}

Expected<Blobs> take_blobs(const Json& sizes, Mapping& mapping) {
  Blobs out;
  for (const Json& size : sizes) {
    const auto bytes = mapping.take(size.get<std::size_t>());
    if (!bytes) return damaged();
    out.emplace_back(bytes->begin(), bytes->end());
  }
  return out;
}

// A space of one configuration.
Expected<space::Space> only(const Config& config) {
  std::vector<space::Parameter> parameters;
  for (const auto& [name, value] : config.entries()) parameters.push_back({name, {value}});
  return space::Space::from_rows(std::move(parameters), {space::Point(config.size(), 0)});
}

Expected<Job> job_from(const Json& json, Mapping& mapping) {
  const auto text = mapping.take(json.at("sequence").get<std::size_t>());
  if (!text) return damaged();
  VYRE_TRY(ir::SequenceDef def, ir::parse(text_of(*text)));
  VYRE_TRY(ir::Sequence sequence, ir::Sequence::make(std::move(def)));
  VYRE_TRY(const Config config, to_config({json.at("default"), "default"}));
  VYRE_TRY(space::Space space, only(config));
  Job job{.device = json.at("device"),
          .options = {.binary_store = json.at("binary_store").get<std::string>(),
                      .build_limit =
                          std::chrono::milliseconds(json.at("build_limit_ms").get<std::int64_t>())},
          .memory_limit = json.at("memory_limit"),
          .problem = {.name = json.at("name"), .sequence = sequence, .space = std::move(space)}};
  for (const Json& argument : json.at("arguments")) {
    job.problem.arguments.emplace_back(argument.at(0), argument.at(1));
  }
  for (const Json& is_random : json.at("random")) {
    job.problem.random_inputs.push_back(is_random.get<bool>());
  }
  for (const Json& kind : json.at("opaque")) {
    job.problem.opaque_outputs.push_back(static_cast<Opaque>(kind.get<std::uint8_t>()));
  }
  job.problem.tolerance = {json.at("absolute"), json.at("relative")};
  VYRE_TRY(Blobs inputs, take_blobs(json.at("inputs"), mapping));
  job.problem.inputs = std::make_shared<const Blobs>(std::move(inputs));
  if (!json.at("reference").is_null()) {
    VYRE_TRY(Blobs reference, take_blobs(json.at("reference"), mapping));
    job.problem.reference = std::make_shared<const Blobs>(std::move(reference));
  }
  return job;
}

}  // namespace

Expected<FileDescriptor> write_job(const Job& job) {
  FileDescriptor file(::memfd_create("vyre-job", MFD_CLOEXEC));
  if (!file.is_open()) return backend_error("cannot make a memory file for a worker process");
  const std::string sequence = ir::print(job.problem.sequence.def());
  const std::string header =
      header_of(job, sequence.size()).dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::uint64_t length = header.size();
  Writer writer(file.get());
  writer.write(&length, sizeof length);
  writer.write(header.data(), header.size());
  writer.write(sequence.data(), sequence.size());
  writer.write(job.problem.inputs.get());
  writer.write(job.problem.reference.get());
  if (writer.ok()) return file;
  return backend_error("no memory for a copy of the inputs: use smaller problem sizes");
}

Expected<Job> read_job(int fd) {
  Mapping mapping(fd);
  std::uint64_t length = 0;
  const auto head = mapping.take(sizeof length);
  if (!head) return damaged();
  std::memcpy(&length, head->data(), sizeof length);
  const auto text = mapping.take(length);
  if (!text) return damaged();
  const Json json = Json::parse(text_of(*text), nullptr, false);
  if (!json.is_object()) return damaged();
  try {
    return job_from(json, mapping);
  } catch (const Json::exception&) {
    return damaged();
  }
}

Expected<FileDescriptor> make_reference_file() {
  FileDescriptor file(::memfd_create("vyre-reference", MFD_CLOEXEC));
  if (!file.is_open()) return backend_error("cannot make a memory file for a worker process");
  return file;
}

// Whether they are repeatable, the number of outputs, the size of each, then their bytes.
Expected<void> write_reference(int fd, const Reference& reference) {
  const Outputs& outputs = reference.outputs;
  ::lseek(fd, 0, SEEK_SET);
  Writer writer(fd);
  std::vector<std::uint64_t> head{reference.is_repeatable ? 1U : 0U, reference.elapsed_ns,
                                  outputs.size()};
  for (const auto& output : outputs) head.push_back(output.size());
  writer.write(head.data(), head.size() * sizeof head[0]);
  writer.write(&outputs);
  if (writer.ok()) return {};
  return backend_error("no memory for a copy of the outputs: use smaller problem sizes");
}

Expected<Reference> read_reference(int fd) {
  Mapping mapping(fd);
  const auto number = [&]() -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const auto bytes = mapping.take(sizeof value);
    if (!bytes) return std::nullopt;
    std::memcpy(&value, bytes->data(), sizeof value);
    return value;
  };
  const auto is_repeatable = number();
  const auto elapsed_ns = number();
  const auto count = number();
  if (!count) return damaged();
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t k = 0; k < *count; ++k) {
    const auto size = number();
    if (!size) return damaged();
    sizes.push_back(*size);
  }
  Reference out{.is_repeatable = *is_repeatable != 0, .elapsed_ns = *elapsed_ns};
  for (const std::uint64_t size : sizes) {
    const auto bytes = mapping.take(size);
    if (!bytes) return damaged();
    out.outputs.emplace_back(bytes->begin(), bytes->end());
  }
  return out;
}

}  // namespace vyre::worker
