#include "backend/vulkan/build.h"

#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "backend/vulkan/spirv.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/text.h"
#include "ir/includes.h"

namespace vyre::backend::vulkan {
namespace {

using Built = Expected<std::shared_ptr<const Pipeline>>;

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 26U;
constexpr std::uint64_t kMostCacheBytes = std::uint64_t{1} << 30U;

// A hash of everything that decides the pipeline. None if the compiler may read files that the text
// names only.
std::optional<Hash> content_key(const Context& context, const PipelineRequest& request) {
  if (ir::may_read_files(request.text, "")) return std::nullopt;
  ByteWriter out;
  out.text("vyre vulkan pipeline 2");
  out.text(spirv_compiler());
  out.raw(context.facts().pipeline_cache_uuid);
  out.text(context.facts().driver);
  out.u32(context.facts().minor);
  out.u8(request.is_ours ? 1 : 0);
  out.text(request.text);
  for (const auto& [name, value] : request.definitions) {
    out.text(name);
    out.text(value);
  }
  out.u64(request.buffers.size());
  for (const NamedValue& value : request.values) out.u32(value.bytes);
  out.u64(request.tunables.size());
  for (const TunableValue& tunable : request.tunables) {
    out.text(tunable.name);
    out.u64(tunable.bits);
  }
  for (const std::uint32_t axis : request.workgroup) out.u32(axis);
  return blake3(out.bytes());
}

std::optional<CompiledShader> shader_from_store(const Context& context, const Hash& key) {
  const BinaryStore::Found found = context.store().load(key);
  if (found.binary.empty() && !found.damaged) return std::nullopt;
  auto shader = unpacked(found.binary);
  ++(shader ? vulkan_counters().loaded : vulkan_counters().damaged);
  return shader;
}

Built compile(Context& context, const PipelineRequest& request, const std::optional<Hash>& key) {
  if (key) {
    if (auto known = shader_from_store(context, *key)) {
      return Pipeline::make(context, request, *known);
    }
  }
  // A user's module stays as it is: optimising drops names, by which it is checked.
  const SpirvOptions options{.definitions = request.definitions,
                             .vulkan_minor = context.facts().minor,
                             .optimise = request.is_ours,
                             .file = request.file,
                             .exact_arithmetic = request.is_ours};
  CompiledShader shader;
  VYRE_TRY(shader.spirv, compile_glsl(request.text, options));
  VYRE_TRY(auto out, Pipeline::make(context, request, shader));
  ++vulkan_counters().compiled;
  if (key && context.store().keeps() && !context.store().save(*key, packed(shader))) {
    ++vulkan_counters().unsaved;
  }
  return out;
}

// A build that runs on a thread of its own, and goes on when nobody waits for it any more: a
// compiler cannot be told to stop.
struct BuildJob {
  std::shared_ptr<Context> context;
  PipelineRequest request;
  std::optional<Hash> key;
  std::promise<Built> done{};

  void run() {
    Built built = compile(*context, request, key);
    // Given away before the promise is kept: the thread that waits may count references.
    context.reset();
    done.set_value(std::move(built));
  }
};

}  // namespace

std::string packed(const CompiledShader& shader) {
  ByteWriter out;
  out.u64(shader.spirv.size());
  for (const std::uint32_t word : shader.spirv) out.u32(word);
  out.text(shader.driver_cache);
  return {out.bytes().begin(), out.bytes().end()};
}

std::optional<CompiledShader> unpacked(std::string_view bytes) {
  ByteReader in(bytes);
  CompiledShader out;
  out.spirv.resize(in.count(kMostWords, sizeof(std::uint32_t)));
  for (std::uint32_t& word : out.spirv) word = in.u32();
  out.driver_cache = in.text(kMostCacheBytes);
  if (!in.is_at_end() || out.spirv.empty()) return std::nullopt;
  return out;
}

Expected<std::shared_ptr<const Pipeline>> build_pipeline(const std::shared_ptr<Context>& context,
                                                         const PipelineRequest& request) {
  VYRE_TRY_VOID(context->device()->check_alive());
  const std::optional<Hash> key = content_key(*context, request);
  if (key) {
    if (auto known = context->find_pipeline(*key)) return known;
  }
  auto job = std::make_shared<BuildJob>(BuildJob{context, request, key});
  std::future<Built> done = job->done.get_future();
  std::thread([job] { job->run(); }).detach();
  job.reset();
  const std::chrono::milliseconds limit = context->options().build_limit;
  if (done.wait_for(limit) != std::future_status::ready) {
    return backend_error(
        "{}: compiling took longer than {} ms and was given up; make the kernel smaller or raise "
        "the limit (DeviceOptions::build_limit)",
        quote(request.name), limit.count());
  }
  Built built = done.get();
  if (built && key) context->add_pipeline(*key, *built);
  return built;
}

}  // namespace vyre::backend::vulkan
