// `vyre convert`: a recording in the format that another tuner reads.

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "vyre/recording.h"

namespace vyre::cli {
namespace {

struct ConvertFlags {
  std::string from;
  std::string to;
  std::string format = "t4";
  std::string kernel;
};

Expected<void> convert(const ConvertFlags& options) {
  VYRE_TRY(recording::Recording recording, recording::read_recording(options.from));
  for (const std::string& warning : recording.warnings) {
    fmt::print(stderr, "vyre: {}: {}\n", quote(options.from), escaped(warning));
  }
  if (!options.kernel.empty()) recording.metadata.set("kernel", options.kernel);
  if (options.format == "t4") return recording::write_t4(options.to, recording);
  const Value* const kernel = recording.metadata.find("kernel");
  if (kernel == nullptr) {
    return bad_inputs(
        "{} does not name its kernel, and Kernel Tuner asks for it; give the name of the kernel "
        "function with --kernel",
        quote(options.from));
  }
  return recording::write_kernel_tuner(options.to, recording);
}

}  // namespace

void add_convert(Command& vyre, Context& context) {
  auto options = std::make_shared<ConvertFlags>();
  Command command = vyre.add("convert", "Write a recording in the format of another tuner");
  command.option("FROM", options->from, "T4, CSV or a cache file of Kernel Tuner, gzipped or not",
                 {.required = true});
  command.option("TO", options->to, "File to write; gzipped if its name ends in .gz",
                 {.required = true});
  command.option("--format", options->format,
                 "t4, or kernel-tuner: a cache file for its simulation mode",
                 {.shows_default = true, .one_of = {"t4", "kernel-tuner"}});
  command.option("--kernel", options->kernel,
                 "Name of the kernel function, if the recording has none or another");
  command.callback(
      [&context, options] { context.action = [options] { return convert(*options); }; });
}

}  // namespace vyre::cli
