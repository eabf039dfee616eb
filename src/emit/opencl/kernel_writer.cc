#include "emit/opencl/kernel_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "emit/c_like/literal.h"
#include "emit/c_like/starting_zeros.h"
#include "emit/opencl/language.h"
#include "emit/opencl/stmt_writer.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::emit::opencl {
namespace {

using ir::Access;
using ir::Buffer;
using ir::Scalar;
using ir::Symbol;
using ir::SymbolKind;

constexpr std::size_t kLineBytes = 80;  // more arguments than fit stand one in a line

Kernel make_kernel(const KernelSource& source, Prelude& prelude) {
  const ir::Program& program = *source.program;
  std::vector<std::optional<std::uint64_t>> known(program.symbols.size());
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (program.symbols[k].kind == SymbolKind::tunable) known[k] = source.symbols[k];
  }
  bounds::Proofs proofs = bounds::prove(program, known, source.workgroup);
  Kernel kernel{program,           source.workgroup,   std::move(known),
                std::move(proofs), Names(is_reserved), prelude};
  for (const Symbol& s : program.symbols) kernel.names.of(s.name);
  for (const Buffer& b : program.buffers) kernel.names.of(b.name);
  for (const ir::Variable& v : program.variables) kernel.names.of(v.name);
  return kernel;
}

class KernelWriter {
 public:
  KernelWriter(const KernelSource& source, Prelude& prelude)
      : kernel_(make_kernel(source, prelude)), program_(kernel_.program), exprs_(kernel_) {}

  std::string run(const std::string& entry) {
    // The body first: it shows what the top has to declare.
    Lines body;
    body.level = 1;
    StmtWriter(kernel_, exprs_, body).block(program_.body);
    const auto& [x, y, z] = kernel_.workgroup;
    return fmt::format(
        "// program {}\n__kernel __attribute__((reqd_work_group_size({}, {}, {})))\n"
        "void {}({}) {{\n{}{}}}\n",
        program_.name, x, y, z, entry, arguments(), top(), body.take());
  }

 private:
  std::string arguments() {
    std::vector<std::string> out;
    for (const Buffer& b : program_.buffers) {
      if (!ir::is_bound(b.access)) continue;
      const std::string_view access = b.access == Access::read ? "const " : "";
      out.push_back(fmt::format("__global {}{}* restrict {}", access, type_name({b.element, 1}),
                                kernel_.names.of(b.name)));
    }
    for (const Symbol& s : program_.symbols) {
      if (s.kind == SymbolKind::tunable) continue;
      const bool is_bool = s.type == Scalar::boolean;
      out.push_back(is_bool ? "uint " + kernel_.names.derived(s.name, "bits")
                            : type_name({s.type, 1}) + " " + kernel_.names.of(s.name));
    }
    const std::string line = fmt::format("{}", fmt::join(out, ", "));
    if (line.size() < kLineBytes) return line;
    return fmt::format("\n    {}", fmt::join(out, ",\n    "));
  }

  std::string top() {
    Lines lengths;
    lengths.level = 1;
    for (const std::uint32_t buffer : kernel_.lengths_used) {
      const Buffer& b = program_.buffers[buffer];
      lengths.line(fmt::format("const uint {} = {};", kernel_.names.derived(b.name, "length"),
                               exprs_.plain(b.length)));
    }
    Lines values;
    values.level = 1;
    for (std::uint32_t k = 0; k < program_.symbols.size(); ++k) symbol(values, k);
    Lines arrays;
    arrays.level = 1;
    for (const Buffer& b : program_.buffers) array(arrays, b);
    zero_local(arrays);
    return values.take() + lengths.take() + arrays.take();
  }

  void symbol(Lines& lines, std::uint32_t index) {
    const Symbol& s = program_.symbols[index];
    const std::string& name = kernel_.names.of(s.name);
    if (s.kind != SymbolKind::tunable) {
      if (s.type != Scalar::boolean) return;
      lines.line(
          fmt::format("const bool {} = {} != 0;", name, kernel_.names.derived(s.name, "bits")));
    } else if (kernel_.tunables_used.contains(index)) {
      lines.line(fmt::format("const {} {} = {};", type_name({s.type, 1}), name,
                             literal(s.type, *kernel_.symbols[index]).text));
    }
  }

  void array(Lines& lines, const Buffer& b) {
    if (ir::is_bound(b.access)) return;
    const std::uint64_t length = *ir::fold(program_, b.length, kernel_.symbols);
    const bool is_local = b.access == Access::local;
    lines.line(fmt::format("{}{} {}[{}]{};", is_local ? "__local " : "", type_name({b.element, 1}),
                           kernel_.names.of(b.name), std::max<std::uint64_t>(length, 1),
                           is_local ? "" : " = {0}"));
  }

  void zero_local(Lines& lines) {
    const std::uint64_t invocations =
        std::uint64_t{kernel_.workgroup[0]} * kernel_.workgroup[1] * kernel_.workgroup[2];
    bool any = false;
    for (std::uint32_t k = 0; k < program_.buffers.size(); ++k) {
      const Buffer& b = program_.buffers[k];
      if (b.access != Access::local) continue;
      const std::uint64_t length = *ir::fold(program_, b.length, kernel_.symbols);
      if (!sees_starting_zeros(program_, kernel_.proofs, k, length, invocations)) continue;
      any = true;
      const std::string& at = kernel_.names.derived("zero", "at");
      lines.line(fmt::format("for (uint {} = {}; {} < {}; {} += {}) {}[{}] = 0;", at,
                             place_in_workgroup(), at, length, at, invocations,
                             kernel_.names.of(b.name), at));
    }
    if (any) lines.line("barrier(CLK_LOCAL_MEM_FENCE);");
  }

  // The number of this invocation among those of its workgroup.
  std::string place_in_workgroup() const {
    const auto& [x, y, z] = kernel_.workgroup;
    std::string out = "get_local_id(0)";
    if (y > 1 || z > 1) out += fmt::format(" + {} * get_local_id(1)", x);
    if (z > 1) out += fmt::format(" + {} * get_local_id(2)", x * y);
    return out;
  }

  Kernel kernel_;
  const ir::Program& program_;
  ExprWriter exprs_;
};

}  // namespace

std::string kernel_text(const KernelSource& source, Prelude& prelude) {
  return KernelWriter(source, prelude).run(source.entry);
}

}  // namespace vyre::emit::opencl
