#include "backend/cuda/build.h"

#include <bit>
#include <chrono>
#include <future>
#include <thread>

#include "backend/common/build_log.h"
#include "base/byte_writer.h"
#include "base/text.h"
#include "ir/includes.h"

namespace vyre::backend::cuda {
namespace {

CompileRequest request_for(const Context& context, const KernelPlan& plan, Form form) {
  const Target& target = context.target();
  CompileRequest out{
      .name = plan.source.name,
      .text = plan.source.text,
      .entry = plan.entry,
      .options = ir::words_of_options(plan.source.options),
      .architecture = form == target.form ? target.architecture : target.ptx_architecture,
      .form = form};
  for (const Parameter& parameter : plan.parameters) {
    if (parameter.kind == Parameter::Kind::constant) out.constants.push_back(parameter.name);
  }
  return out;
}

// A hash of everything that decides the image. None if the compiler may read files that the text
// names only.
std::optional<Hash> content_key(const Context& context, const SourceText& source,
                                const CompileRequest& request) {
  if (ir::may_read_files(source.text, source.options)) return std::nullopt;
  ByteWriter out;
  out.text("vyre cuda image 1");
  out.text(context.target().compiler->build());
  out.text(request.architecture);
  out.tag(request.form);
  out.text(request.text);
  out.text(request.entry);
  for (const std::string& constant : request.constants) out.text(constant);
  out.text(source.options);
  return blake3(out.bytes());
}

// A compilation on a thread of its own, which goes on when nobody waits for it any more: a compiler
// cannot be told to stop.
Expected<Image> compile_within(const std::shared_ptr<const Compiler>& compiler,
                               CompileRequest request, std::chrono::milliseconds limit) {
  struct Compilation {
    std::shared_ptr<const Compiler> compiler;
    CompileRequest request;
    std::promise<Expected<Image>> done{};
  };
  const std::string name = request.name;
  auto job = std::make_shared<Compilation>(Compilation{compiler, std::move(request)});
  std::future<Expected<Image>> done = job->done.get_future();
  std::thread([job] { job->done.set_value(job->compiler->compile(job->request)); }).detach();
  if (done.wait_for(limit) == std::future_status::ready) return done.get();
  return backend_error(
      "{}: compiling took longer than {} ms and was given up; make the kernel smaller or raise the "
      "limit (DeviceOptions::build_limit)",
      quote(name), limit.count());
}

std::optional<Image> image_from_store(const Context& context, const Hash& key) {
  const BinaryStore::Found found = context.store().load(key);
  if (found.binary.empty() && !found.damaged) return std::nullopt;
  auto image = unpacked(found.binary);
  ++(image ? cuda_counters().loaded : cuda_counters().damaged);
  return image;
}

Expected<Image> find_or_compile(const Context& context, CompileRequest request,
                                const std::optional<Hash>& key) {
  if (key) {
    if (auto known = image_from_store(context, *key)) return *std::move(known);
  }
  VYRE_TRY(Image image, compile_within(context.target().compiler, std::move(request),
                                       context.options().build_limit));
  ++cuda_counters().compiled;
  if (key && context.store().keeps() && !context.store().save(*key, packed(image))) {
    ++cuda_counters().unsaved;
  }
  return image;
}

}  // namespace

Expected<std::shared_ptr<LoadedModule>> LoadedModule::build(const std::shared_ptr<Context>& context,
                                                            const KernelPlan& plan) {
  for (Form form = context->form();; form = Form::ptx) {
    CompileRequest request = request_for(*context, plan, form);
    const auto key = content_key(*context, plan.source, request);
    if (key) {
      if (auto known = context->find_module(*key)) return known;
    }
    VYRE_TRY(const Image image, find_or_compile(*context, std::move(request), key));
    std::shared_ptr<LoadedModule> out(new LoadedModule(context));
    VYRE_TRY(const bool is_taken, out->load(image, plan.source.name));
    if (is_taken) {
      if (key) context->add_module(*key, out);
      return out;
    }
    context->use_ptx_from_now_on();
  }
}

LoadedModule::~LoadedModule() {
  if (module_ == nullptr) return;
  if (const auto use = context_->use()) context_->call().module_unload(module_);
  --cuda_counters().modules;
}

Expected<bool> LoadedModule::load(const Image& image, const std::string& name) {
  // CU_JIT_ERROR_LOG_BUFFER and its size: what the driver says of PTX that it does not take.
  std::array<int, 2> options{5, 6};
  std::array<char, 4096> log{};
  std::array<void*, 2> values{log.data(), std::bit_cast<void*>(log.size() - 1)};
  const DriverFunctions& call = context_->call();
  const unsigned count = image.form == Form::ptx ? 2 : 0;
  const int code =
      call.module_load(&module_, image.bytes.c_str(), count, options.data(), values.data());
  const bool is_refused = is(code, Code::invalid_image) || is(code, Code::no_binary_for_gpu);
  if (is_refused && image.form == Form::binary && !context_->target().ptx_architecture.empty()) {
    return false;
  }
  if (code != 0) {
    const std::string says = log[0] == '\0' ? "" : fmt::format(" ({})", shortened_log(log.data()));
    module_ = nullptr;
    VYRE_TRY_VOID(context_->check(code, fmt::format("loading {}{}", quote(name), says)));
  }
  ++cuda_counters().modules;
  VYRE_TRY_VOID(find_names(image));
  return true;
}

Expected<void> LoadedModule::find_names(const Image& image) {
  const DriverFunctions& call = context_->call();
  const int code = call.module_function(&function_, module_, image.entry.c_str());
  VYRE_TRY_VOID(context_->check(code, fmt::format("kernel {}", quote(image.entry))));
  for (const std::string& name : image.constants) {
    Constant& constant = constants_.emplace_back();
    VYRE_TRY_VOID(context_->check(
        call.module_global(&constant.pointer, &constant.bytes, module_, name.c_str()),
        fmt::format("constant {}", quote(name))));
  }
  parameters_ = image.parameters;
  return {};
}

}  // namespace vyre::backend::cuda
