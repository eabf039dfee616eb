#include "backend/vulkan/spirv.h"

#include "base/error.h"

#ifdef VYRE_HAS_GLSLANG

// The C interface is C++ inside: its headers declare `bool` for C only.
#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <glslang/build_info.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include "backend/common/build_log.h"
#include "backend/vulkan/no_contraction.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

constexpr int kOwnPasses = 1;  // greater whenever generate, without_contraction or finish change

struct Target {
  glslang_target_client_version_t client;
  glslang_target_language_version_t spirv;
  spv_target_env environment;
};

// By the minor version of Vulkan. 1.3 has SPIR-V 1.6, in which glslang writes the size of a
// workgroup in a form (LocalSizeId) that a device takes only if the feature maintenance4 was asked
// for.
constexpr std::array<Target, 4> kTargets{{
    {GLSLANG_TARGET_VULKAN_1_0, GLSLANG_TARGET_SPV_1_0, SPV_ENV_VULKAN_1_0},
    {GLSLANG_TARGET_VULKAN_1_1, GLSLANG_TARGET_SPV_1_3, SPV_ENV_VULKAN_1_1},
    {GLSLANG_TARGET_VULKAN_1_2, GLSLANG_TARGET_SPV_1_5, SPV_ENV_VULKAN_1_2},
    {GLSLANG_TARGET_VULKAN_1_3, GLSLANG_TARGET_SPV_1_5, SPV_ENV_VULKAN_1_3},
}};

const Target& target_of(const SpirvOptions& options) {
  return kTargets[std::min<std::size_t>(options.vulkan_minor, kTargets.size() - 1)];
}

// The usual limits of a device, but none on the size of a workgroup: the driver has its own, and
// tuning asks it.
glslang_resource_t limits() {
  glslang_resource_t out = *glslang_default_resource();
  constexpr int kAny = std::numeric_limits<int>::max();
  out.max_compute_work_group_size_x = kAny;
  out.max_compute_work_group_size_y = kAny;
  out.max_compute_work_group_size_z = kAny;
  return out;
}

// "ERROR: 0:7: 'x' : undeclared identifier" as "FILE:7: error: 'x' : undeclared identifier". The
// lines that say only that there were errors go.
std::string with_file(std::string_view log, const std::string& file) {
  constexpr std::string_view kError = "ERROR: ";
  std::string out;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    std::string_view line = log.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(kError)) continue;
    line.remove_prefix(kError.size());
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    if (line.ends_with("No code generated.") || line.ends_with("compilation terminated")) continue;
    const std::size_t number = line.find(':');
    const std::size_t after = number == line.npos ? line.npos : line.find(": ", number + 1);
    if (after == line.npos) {
      out += fmt::format("error: {}\n", line);
    } else {
      out += fmt::format("{}:{}: error: {}\n", file, line.substr(number + 1, after - number - 1),
                         line.substr(after + 2));
    }
  }
  return out.empty() ? std::string(log) : out;
}

std::unexpected<Error> failure(const char* log, const SpirvOptions& options) {
  const std::string file = options.file.empty() ? "shader" : options.file;
  return rejected("the GLSL does not compile: {}", shortened_log(with_file(log, file)));
}

using Shader = std::unique_ptr<glslang_shader_t, decltype(&glslang_shader_delete)>;
using Linked = std::unique_ptr<glslang_program_t, decltype(&glslang_program_delete)>;

// SPIR-V as glslang makes it.
Expected<std::vector<std::uint32_t>> generate(const std::string& text,
                                              const SpirvOptions& options) {
  const Target& target = target_of(options);
  const glslang_resource_t resource = limits();
  const auto messages =
      static_cast<glslang_messages_t>(GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT);
  glslang_input_t input{};
  input.language = GLSLANG_SOURCE_GLSL;
  input.stage = GLSLANG_STAGE_COMPUTE;
  input.client = GLSLANG_CLIENT_VULKAN;
  input.client_version = target.client;
  input.target_language = GLSLANG_TARGET_SPV;
  input.target_language_version = target.spirv;
  input.code = text.c_str();
  input.default_version = 460;
  input.default_profile = GLSLANG_NO_PROFILE;
  input.messages = messages;
  input.resource = &resource;
  std::string preamble;
  for (const auto& [name, value] : options.definitions) {
    preamble += fmt::format("#define {} {}\n", name, value);
  }
  const Shader shader(glslang_shader_create(&input), glslang_shader_delete);
  glslang_shader_set_preamble(shader.get(), preamble.c_str());
  if (glslang_shader_preprocess(shader.get(), &input) == 0 ||
      glslang_shader_parse(shader.get(), &input) == 0) {
    return failure(glslang_shader_get_info_log(shader.get()), options);
  }
  const Linked program(glslang_program_create(), glslang_program_delete);
  glslang_program_add_shader(program.get(), shader.get());
  if (glslang_program_link(program.get(), messages) == 0) {
    return failure(glslang_program_get_info_log(program.get()), options);
  }
  glslang_program_SPIRV_generate(program.get(), input.stage);
  const std::uint32_t* words = glslang_program_SPIRV_get_ptr(program.get());
  return std::vector(words, words + glslang_program_SPIRV_get_size(program.get()));
}

// Runs the passes for speed, which inline all functions; then checks the module.
Expected<std::vector<std::uint32_t>> finish(std::vector<std::uint32_t> words,
                                            const SpirvOptions& options) {
  std::string said;
  const auto listen = [&](spv_message_level_t level, const char*, const spv_position_t&,
                          const char* message) {
    if (level <= SPV_MSG_ERROR) said += fmt::format("error: {}\n", message);
  };
  const spv_target_env environment = target_of(options).environment;
  if (options.optimise) {
    spvtools::Optimizer optimizer(environment);
    optimizer.SetMessageConsumer(listen);
    optimizer.RegisterPerformancePasses();
    spvtools::OptimizerOptions how;
    how.set_run_validator(false);
    std::vector<std::uint32_t> faster;
    if (!optimizer.Run(words.data(), words.size(), &faster, how)) {
      return backend_error("SPIRV-Tools could not optimise the shader: {}", shortened_log(said));
    }
    words = std::move(faster);
  }
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer(listen);
  if (!tools.Validate(words)) {
    return backend_error("the compiler made SPIR-V that is not valid: {}", shortened_log(said));
  }
  return words;
}

}  // namespace

Expected<std::vector<std::uint32_t>> compile_glsl(const std::string& text,
                                                  const SpirvOptions& options) {
  static std::once_flag once;
  std::call_once(once, [] { glslang_initialize_process(); });
  VYRE_TRY(auto words, generate(text, options));
  if (options.exact_arithmetic) words = without_contraction(words);
  return finish(std::move(words), options);
}

std::string spirv_compiler() {
  return fmt::format("glslang {}.{}.{}, {}, passes {}", GLSLANG_VERSION_MAJOR,
                     GLSLANG_VERSION_MINOR, GLSLANG_VERSION_PATCH,
                     spvSoftwareVersionDetailsString(), kOwnPasses);
}

}  // namespace vyre::backend::vulkan

#else

namespace vyre::backend::vulkan {

Expected<std::vector<std::uint32_t>> compile_glsl(const std::string&, const SpirvOptions&) {
  return backend_error(
      "this vyre was built without glslang and SPIRV-Tools, which compile for Vulkan; install "
      "glslang-dev and spirv-tools, and build vyre again");
}

std::string spirv_compiler() { return ""; }

}  // namespace vyre::backend::vulkan

#endif
