#include "backend/opencl/build.h"

#include <chrono>
#include <future>
#include <thread>

#include "backend/common/build_log.h"
#include "base/byte_writer.h"
#include "base/text.h"
#include "ir/includes.h"

namespace vyre::backend::opencl {
namespace {

// A hash of everything that decides the binary. None if the compiler may read files that the text
// names only.
std::optional<Hash> content_key(const Context& context, const SourceText& source) {
  if (ir::may_read_files(source.text, source.options)) return std::nullopt;
  ByteWriter out;
  out.text("vyre opencl binary 2");
  for (const cl_device_info what : std::array<cl_device_info, 4>{
           CL_DEVICE_VENDOR, CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION}) {
    out.text(device_text(context.device(), what));
  }
  cl_platform_id platform = nullptr;
  api().clGetDeviceInfo(context.device(), CL_DEVICE_PLATFORM, sizeof(platform), &platform, nullptr);
  out.text(platform_text(platform, CL_PLATFORM_VERSION));
  out.text(source.text);
  out.text(source.options);
  for (const std::uint32_t axis : source.workgroup) out.u32(axis);
  return blake3(out.bytes());
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.substr(0, log.find('\0'));
}

struct Built {
  cl_int code = CL_SUCCESS;
  Owned<cl_program> program{};
};

// A build that runs on a thread of its own, and goes on when nobody waits for it any more. The
// thread owns the program meanwhile: PoCL builds under a lock that the release of the program waits
// for, so only a thread that may wait as long as the compiler takes may release it.
struct BuildJob {
  std::shared_ptr<Context> context;
  Owned<cl_program> program;
  std::string options;
  std::promise<Built> done{};

  void run() {
    cl_device_id device = context->device();
    const cl_int code =
        api().clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
    // References are given away before the promise is kept: the thread that waits may count them.
    context.reset();
    done.set_value({code, std::move(program)});
  }
};

std::string binary_of(cl_program program) {
  ++counters().fetched;
  std::size_t size = 0;
  if (api().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) !=
      CL_SUCCESS) {
    return {};
  }
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  const cl_int code = api().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes),
                                             static_cast<void*>(&bytes), nullptr);
  return code == CL_SUCCESS ? binary : std::string();
}

std::vector<std::string> kernel_names(cl_program program) {
  std::size_t size = 0;
  api().clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size);
  std::string list(size, '\0');
  api().clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, list.data(), nullptr);
  std::vector<std::string> names(1);
  for (const char c : list) {
    if (c == ';')
      names.emplace_back();
    else if (c != '\0')
      names.back() += c;
  }
  return names;
}

}  // namespace

Program::Program(std::shared_ptr<Context> context, const SourceText& source)
    : context_(std::move(context)), name_(source.name), key_(content_key(*context_, source)) {}

Expected<std::shared_ptr<Program>> Program::build(const std::shared_ptr<Context>& context,
                                                  const SourceText& source) {
  std::shared_ptr<Program> out(new Program(context, source));
  if (!out->key_) {
    VYRE_TRY_VOID(out->compile(source));
    return out;
  }
  if (auto known = context->find_program(*out->key_)) return known;
  if (out->load()) {
    ++counters().loaded;
    out->saved_ = true;
  } else {
    VYRE_TRY_VOID(out->compile(source));
  }
  context->add_program(*out->key_, out);
  return out;
}

bool Program::load() {
  const BinaryStore::Found found = context_->store().load(*key_);
  if (found.damaged) ++counters().damaged;
  if (found.binary.empty()) return false;
  cl_device_id device = context_->device();
  const auto* bytes = reinterpret_cast<const unsigned char*>(found.binary.data());
  const std::size_t size = found.binary.size();
  cl_int status = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  program_ = Owned(api().clCreateProgramWithBinary(context_->context(), 1, &device, &size, &bytes,
                                                   &status, &code));
  if (code == CL_SUCCESS && status == CL_SUCCESS) {
    code = api().clBuildProgram(program_.get(), 1, &device, "", nullptr, nullptr);
    if (code == CL_SUCCESS) return true;
  }
  program_ = {};
  ++counters().damaged;
  return false;
}

Expected<void> Program::compile(const SourceText& source) {
  const char* text = source.text.c_str();
  cl_int code = CL_SUCCESS;
  Owned made(api().clCreateProgramWithSource(context_->context(), 1, &text, nullptr, &code));
  if (code != CL_SUCCESS) return cl_error(code, fmt::format("{}", quote(name_)));
  auto job = std::make_shared<BuildJob>(BuildJob{context_, std::move(made), source.options});
  std::future<Built> done = job->done.get_future();
  std::thread([job] { job->run(); }).detach();
  job.reset();
  const std::chrono::milliseconds limit = context_->options().build_limit;
  if (done.wait_for(limit) != std::future_status::ready) {
    return backend_error(
        "{}: compiling took longer than {} ms and was given up; make the kernel smaller or raise "
        "the limit (DeviceOptions::build_limit)",
        quote(name_), limit.count());
  }
  Built built = done.get();
  code = built.code;
  program_ = std::move(built.program);
  if (code == CL_SUCCESS) {
    ++counters().compiled;
    saved_ = !key_ || !context_->store().keeps();
    return {};
  }
  if (code != CL_BUILD_PROGRAM_FAILURE) return cl_error(code, "compiling " + quote(name_));
  return rejected("{} does not compile: {}", quote(name_),
                  shortened_log(build_log(program_.get(), context_->device())));
}

Expected<Owned<cl_kernel>> Program::kernel(const std::string& entry) const {
  cl_int code = CL_SUCCESS;
  Owned kernel(api().clCreateKernel(program_.get(), entry.c_str(), &code));
  if (code == CL_SUCCESS) return kernel;
  if (code != CL_INVALID_KERNEL_NAME) return cl_error(code, "kernel " + quote(entry));
  std::string list;
  const std::vector<std::string> names = kernel_names(program_.get());
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return rejected("{} has no kernel {}; it has: {}{}", quote(name_), quote(entry), list,
                  did_you_mean(entry, names));
}

void Program::save() {
  if (saved_.exchange(true)) return;
  const std::string binary = binary_of(program_.get());
  if (binary.empty() || !context_->store().save(*key_, binary)) ++counters().unsaved;
}

}  // namespace vyre::backend::opencl
