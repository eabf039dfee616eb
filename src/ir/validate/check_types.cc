#include "ir/validate/check_types.h"

#include <array>

#include "base/text.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {
namespace {

// The type of each expression, from its operands up. An expression with a wrong operand is not
// judged itself: one mistake is one error.
class Types {
 public:
  explicit Types(Inspection& inspection) : inspection_(inspection), program_(inspection.program) {}

  void check() {
    for (const ExprId id : inspection_.exprs) {
      if (inspection_.full()) return;
      judge(id);
    }
  }

 private:
  void judge(ExprId id) {
    const Expr& e = program_.exprs[id];
    if (!is_allowed(e.type)) {
      return report(id, "V032", "there is no type {}; vectors are u32x2, u32x4, f32x2 and f32x4",
                    spelled(e.type));
    }
    for (const ExprId arg : operands(e)) {
      if (inspection_.wrong[arg]) inspection_.wrong[id] = true;
    }
    if (inspection_.wrong[id]) return;
    const std::optional<Type> type = result(id, e);
    if (type && *type != e.type) {
      report(id, "V031", "it gives {}, but is marked as {}; set Expr::type to {}", to_string(*type),
             to_string(e.type), to_string(*type));
    }
  }

  // None if something is wrong; the mistake is then reported.
  std::optional<Type> result(ExprId id, const Expr& e) {
    switch (e.op) {
      case Op::constant:
        return constant(id, e);
      case Op::symbol:
        return Type{program_.symbols[e.index].type, 1};
      case Op::variable:
        return program_.variables[e.index].type;
      case Op::id:
      case Op::length:
        return kU32;
      case Op::load:
        return load(id, e);
      case Op::vector:
        return vector(id, e);
      case Op::extract:
        return extract(id, e);
      case Op::cast:
      case Op::bitcast:
        return cast(id, e);
      default:
        return operation(id, e);
    }
  }

  std::optional<Type> constant(ExprId id, const Expr& e) {
    if (is_vector(e.type)) {
      report(id, "V033", "a constant is a scalar, not {}; use a vector of constants",
             to_string(e.type));
      return std::nullopt;
    }
    const bool is_bool = e.type.scalar == Scalar::boolean;
    const bool fits = is_bool ? e.bits <= 1 : byte_size(e.type.scalar) == 8 || e.bits >> 32 == 0;
    if (fits) return e.type;
    report(id, "V033", "the constant {:#x} has bits beyond {}; zero-extend the value", e.bits,
           to_string(e.type));
    return std::nullopt;
  }

  std::optional<Type> load(ExprId id, const Expr& e) {
    const Type index = type_of(e.args[0]);
    const Buffer& buffer = program_.buffers[e.index];
    if (is_integer(index) && !is_vector(index)) return Type{buffer.element, e.type.width};
    report(id, "V036", "the index into {} is {}; it must be u32, i32, u64 or i64",
           quote(buffer.name), to_string(index));
    return std::nullopt;
  }

  std::optional<Type> vector(ExprId id, const Expr& e) {
    const Type element{e.type.scalar, 1};
    for (const ExprId arg : operands(e)) {
      if (type_of(arg) == element) continue;
      report(id, "V030", "an element of this {} is {}; it must be {}", to_string(e.type),
             to_string(type_of(arg)), to_string(element));
      return std::nullopt;
    }
    return e.type;
  }

  std::optional<Type> extract(ExprId id, const Expr& e) {
    const Type operand = type_of(e.args[0]);
    if (!is_vector(operand)) {
      report(id, "V030", "only a vector has elements to extract, not {}", to_string(operand));
      return std::nullopt;
    }
    if (e.index < operand.width) return Type{operand.scalar, 1};
    report(id, "V034", "a {} has no element {}; use 0 to {}", to_string(operand), e.index,
           operand.width - 1);
    return std::nullopt;
  }

  std::optional<Type> cast(ExprId id, const Expr& e) {
    const Type from = type_of(e.args[0]);
    const bool scalars = !is_vector(from) && !is_vector(e.type);
    if (e.op == Op::cast) {
      if (scalars) return e.type;
      report(id, "V035", "a cast is from scalar to scalar, not from {} to {}; cast the elements",
             to_string(from), to_string(e.type));
      return std::nullopt;
    }
    const bool has_bool = from.scalar == Scalar::boolean || e.type.scalar == Scalar::boolean;
    if (scalars && !has_bool && byte_size(from.scalar) == byte_size(e.type.scalar)) return e.type;
    report(id, "V035",
           "a bitcast is between numbers of the same size, not from {} to {}; use a cast",
           to_string(from), to_string(e.type));
    return std::nullopt;
  }

  std::optional<Type> operation(ExprId id, const Expr& e) {
    std::array<Type, 4> types{};
    const auto args = operands(e);
    for (std::size_t i = 0; i < args.size(); ++i) types[i] = type_of(args[i]);
    const auto given = std::span<const Type>(types).first(args.size());
    if (auto type = result_type(e.op, given)) return type;
    const bool is_select = e.op == Op::select;
    report(id, "V030", "{} takes {}, not {}; cast its operands",
           is_select ? "select" : info(e.op).name,
           is_select ? "a bool and two values of one type" : describe(info(e.op).rule),
           list(given));
    return std::nullopt;
  }

  static std::string list(std::span<const Type> types) {
    std::string out;
    for (const Type type : types) out += (out.empty() ? "" : ", ") + to_string(type);
    return out;
  }

  Type type_of(ExprId id) const { return program_.exprs[id].type; }

  template <class... Args>
  void report(ExprId id, std::string_view code, fmt::format_string<Args...> format,
              Args&&... args) {
    inspection_.wrong[id] = true;
    inspection_.report(inspection_.owners[id], code, "in {}, {}", inspection_.show(id),
                       fmt::format(format, std::forward<Args>(args)...));
  }

  Inspection& inspection_;
  const Program& program_;
};

}  // namespace

void check_types(Inspection& inspection) { Types(inspection).check(); }

}  // namespace vyre::ir
