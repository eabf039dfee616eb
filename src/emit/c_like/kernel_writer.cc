#include "emit/c_like/kernel_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "emit/c_like/c_literal.h"
#include "emit/c_like/dialect.h"
#include "emit/c_like/starting_zeros.h"
#include "emit/c_like/stmt_writer.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::emit {
namespace {

using ir::Access;
using ir::Buffer;
using ir::Scalar;
using ir::Symbol;
using ir::SymbolKind;

Emission make_emission(const Dialect& dialect, const KernelSource& source, Prelude& prelude) {
  const ir::Program& program = *source.program;
  std::vector<std::optional<std::uint64_t>> known(program.symbols.size());
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (program.symbols[k].kind == SymbolKind::tunable) known[k] = source.symbols[k];
  }
  bounds::Proofs proofs = bounds::prove(program, known, source.workgroup);
  Emission emission{dialect,          program,           source.workgroup,
                    std::move(known), std::move(proofs), Names(dialect.reserved),
                    prelude};
  for (const Symbol& s : program.symbols) emission.names.of(s.name);
  for (const Buffer& b : program.buffers) emission.names.of(b.name);
  for (const ir::Variable& v : program.variables) emission.names.of(v.name);
  for (const ir::Expr& e : program.exprs) {
    if (ir::is_vector(e.type)) prelude.vector(e.type);
  }
  return emission;
}

class KernelWriter {
 public:
  KernelWriter(const Dialect& dialect, const KernelSource& source, Prelude& prelude)
      : emission_(make_emission(dialect, source, prelude)),
        dialect_(dialect),
        program_(emission_.program),
        exprs_(emission_) {}

  std::string run(const std::string& entry) {
    // The body is written first: it shows which names the top has to declare.
    Lines body(1);
    StmtWriter(emission_, exprs_, body).block(program_.body);
    KernelParts parts{.program = program_.name,
                      .entry = entry,
                      .workgroup = emission_.workgroup,
                      .buffers = buffers(),
                      .values = values(),
                      .outside = {},
                      .body = {},
                      .has_barrier = has_barrier()};
    Lines outside;
    parts.body = top(outside) + body.take();
    parts.outside = outside.take() + emission_.prelude.text_of_buffers();
    return dialect_.kernel(parts);
  }

 private:
  std::vector<BufferParameter> buffers() {
    std::vector<BufferParameter> out;
    for (const Buffer& b : program_.buffers) {
      if (!ir::is_bound(b.access)) continue;
      out.push_back({emission_.names.of(b.name), scalar_name(b.element), b.access == Access::read});
    }
    return out;
  }

  // A bool is passed as a u32: the size of bool differs between host and devices.
  std::vector<ValueParameter> values() {
    std::vector<ValueParameter> out;
    for (const Symbol& s : program_.symbols) {
      if (s.kind == SymbolKind::tunable) continue;
      if (s.type == Scalar::boolean) {
        out.push_back({emission_.names.derived(s.name, "bits"), scalar_name(Scalar::u32)});
      } else {
        out.push_back({emission_.names.of(s.name), scalar_name(s.type)});
      }
    }
    return out;
  }

  bool has_barrier() const {
    return std::ranges::any_of(program_.stmts,
                               [](const ir::Stmt& s) { return s.kind == ir::StmtKind::barrier; });
  }

  std::string scalar_name(Scalar type) const { return type_name(dialect_, {type, 1}); }

  std::string top(Lines& outside) {
    Lines lengths(1);
    for (const std::uint32_t buffer : emission_.lengths_used) {
      const Buffer& b = program_.buffers[buffer];
      lengths.line(fmt::format("const {} {} = {};", scalar_name(Scalar::u32),
                               emission_.names.derived(b.name, "length"), exprs_.plain(b.length)));
    }
    Lines values(1);
    for (std::uint32_t k = 0; k < program_.symbols.size(); ++k) symbol(values, k);
    Lines arrays(1);
    for (const Buffer& b : program_.buffers) {
      const bool is_outside = b.access == Access::local ? dialect_.local_array_is_outside
                                                        : dialect_.private_array_is_outside;
      array(is_outside ? outside : arrays, b);
    }
    zero_local(arrays);
    return values.take() + lengths.take() + arrays.take();
  }

  void symbol(Lines& lines, std::uint32_t index) {
    const Symbol& s = program_.symbols[index];
    const std::string& name = emission_.names.of(s.name);
    if (s.kind != SymbolKind::tunable) {
      if (s.type != Scalar::boolean) return;
      lines.line(fmt::format("const {} {} = {} != 0;", scalar_name(s.type), name,
                             emission_.names.derived(s.name, "bits")));
    } else if (emission_.tunables_used.contains(index)) {
      lines.line(fmt::format("const {} {} = {};", scalar_name(s.type), name,
                             literal(dialect_.literals, s.type, *emission_.symbols[index]).text));
    }
  }

  void array(Lines& lines, const Buffer& b) {
    if (ir::is_bound(b.access)) return;
    const std::uint64_t length = *ir::fold(program_, b.length, emission_.symbols);
    const std::string size = std::to_string(std::max<std::uint64_t>(length, 1));
    const std::string element = scalar_name(b.element);
    const Substitution names[] = {{'C', element}, {'N', emission_.names.of(b.name)}, {'L', size}};
    const bool is_local = b.access == Access::local;
    lines.line(substitute(is_local ? dialect_.local_array : dialect_.private_array, names));
  }

  // Zeros for the local arrays whose starting zeros the program can see. The invocations share the
  // work: each begins at the element of its own number and goes on by the size of the workgroup.
  void zero_local(Lines& lines) {
    const std::uint64_t invocations =
        std::uint64_t{emission_.workgroup[0]} * emission_.workgroup[1] * emission_.workgroup[2];
    bool any = false;
    for (std::uint32_t k = 0; k < program_.buffers.size(); ++k) {
      const Buffer& b = program_.buffers[k];
      if (b.access != Access::local) continue;
      const std::uint64_t length = *ir::fold(program_, b.length, emission_.symbols);
      if (!sees_starting_zeros(program_, emission_.proofs, k, length, invocations)) continue;
      any = true;
      const std::string& at = emission_.names.derived("zero", "at");
      lines.line(fmt::format("for ({} {} = {}; {} < {}; {} += {}) {}[{}] = 0;",
                             scalar_name(Scalar::u32), at, place_in_workgroup(), at, length, at,
                             invocations, emission_.names.of(b.name), at));
    }
    if (any) lines.line(dialect_.local_barrier);
  }

  // The number of this invocation among those of its workgroup.
  std::string place_in_workgroup() const {
    const auto& [x, y, z] = emission_.workgroup;
    const auto local = [&](std::uint32_t axis) {
      return raw_id(dialect_, ir::id_index(ir::IdKind::local_id, axis), emission_.workgroup);
    };
    std::string out = local(0);
    if (y > 1 || z > 1) out += fmt::format(" + {} * {}", x, local(1));
    if (z > 1) out += fmt::format(" + {} * {}", x * y, local(2));
    return out;
  }

  Emission emission_;
  const Dialect& dialect_;
  const ir::Program& program_;
  ExprWriter exprs_;
};

}  // namespace

std::string kernel_text(const Dialect& dialect, const KernelSource& source, Prelude& prelude) {
  return KernelWriter(dialect, source, prelude).run(source.entry);
}

}  // namespace vyre::emit
