// Program and Sequence: kernels of vyre's small language, as plain values.
//
// A Program is data: symbols, buffers, a launch shape and a body. Its nodes live in flat
// vectors and refer to each other by index, children before parents, each used exactly once:
// a tree without pointers, which can be copied, compared, and walked without recursion.
// docs/ir.md says what each part means; src/backend/reference is the living definition.
//
// A Program may be built by hand, by ir::build (vyre/builder.h) or by ir::parse, and may be
// wrong in any way. Sequence::make is the gate: a Sequence has passed `validate`. It is
// immutable, cheap to copy and safe to share between threads.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre::ir {

enum class Scalar : std::uint8_t { boolean, u32, i32, u64, i64, f32 };

// Vectors have two or four elements of u32 or f32; everything else has width 1.
struct Type {
  Scalar scalar = Scalar::u32;
  std::uint8_t width = 1;

  auto operator<=>(const Type&) const = default;
};

std::uint32_t byte_size(Scalar scalar);  // 4 or 8; a boolean takes 4 in a buffer
std::string to_string(Type type);        // "u32", "f32x4"

inline constexpr std::uint32_t kNone = 0xffffffffU;
using ExprId = std::uint32_t;  // index into Program::exprs
using StmtId = std::uint32_t;  // index into Program::stmts

// The operand and result types of an operation of ops.def.
enum class Rule : std::uint8_t {
  number,    // (T, ...) -> T, T a u32, i32, u64, i64, f32 or a vector
  integer,   // (T, ...) -> T, T not a float and not bool
  signed_,   // (T) -> T, T an i32, i64, f32 or a vector of f32
  bits,      // (T, ...) -> T, T not a float
  shift,     // (T, u32) -> T, T an integer scalar
  equality,  // (T, T) -> bool, T any scalar
  order,     // (T, T) -> bool, T any scalar but bool
  real,      // (T, ...) -> T, T an f32 or a vector of f32
  classify,  // (f32) -> bool
};

enum class Op : std::uint8_t {
  constant,  // bits
  symbol,    // index: Program::symbols
  variable,  // index: Program::variables
  id,        // index: IdKind * 3 + axis; u32
  length,    // index: Program::buffers; its element count, u32
  load,      // index: buffer; args: element index. Width above 1: that many from index * width on
  vector,    // args: 2 or 4 scalars
  extract,   // index: which element; args: a vector
  select,    // args: bool, value if true, value if false; both are evaluated
  cast,      // args: one scalar; `type` is the target. Float to integer saturates, NaN gives 0
  bitcast,   // args: one scalar of the same size, neither bool
#define VYRE_OP(name, arity, rule, c, meaning) name,
#include "vyre/ops.def"
};

enum class IdKind : std::uint8_t { global_id, local_id, group_id, global_size, local_size, groups };

struct Expr {
  Op op = Op::constant;
  Type type{};  // of the result
  std::uint32_t index = 0;
  std::uint64_t bits = 0;  // constant: the value, zero-extended; f32 as its IEEE bits
  std::array<ExprId, 4> args{kNone, kNone, kNone, kNone};

  bool operator==(const Expr&) const = default;
};

enum class SymbolKind : std::uint8_t {
  shape,    // a size: given at dispatch or found from an input's size; part of a decision's key
  scalar,   // an argument of the kernel
  tunable,  // a constant that the tuner may choose; has a default
};

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::scalar;
  Scalar type = Scalar::u32;
  // Of a tunable. Of a shape: a size to try the program with, which no dispatch takes; 0: none.
  std::uint64_t default_bits = 0;
  // Tunables only: the values that a tuner may try, as bits, the default among them. Empty: the
  // program does not say, and a tuner leaves the default.
  std::vector<std::uint64_t> values{};

  bool operator==(const Symbol&) const = default;
};

enum class Access : std::uint8_t {
  read,        // consumes an input
  read_write,  // consumes an input, is an output
  write,       // starts as zeros, is an output
  local,       // one per workgroup, starts as zeros
  private_,    // one per invocation, starts as zeros
};

struct Buffer {
  std::string name;
  Scalar element = Scalar::u32;
  Access access = Access::read;
  ExprId length = kNone;  // in elements; a size expression (see Program)
  // Above 0: the size of elements whose type only a source program knows (a half, a struct).
  // `element` is then not used.
  std::uint32_t opaque_bytes = 0;

  bool operator==(const Buffer&) const = default;
};

std::uint32_t element_bytes(const Buffer& buffer);

struct Variable {
  std::string name;
  Type type;
  bool is_mutable = false;

  bool operator==(const Variable&) const = default;
};

using Block = std::vector<StmtId>;

enum class StmtKind : std::uint8_t {
  let,      // introduces `variable` with value args[0]
  assign,   // variable = args[0]
  store,    // buffer[args[0]] = args[1]; a vector value goes to index * width onwards
  if_,      // args[0]; body, otherwise
  for_,     // variable from args[0] while below args[1] by args[2]; `unroll` is a hint
  while_,   // while args[0], at most args[1] times
  return_,  // ends this invocation
  barrier,  // of the workgroup: local and global memory
  atomic,   // variable (if any) = the old value; buffer[args[0]] op= args[1]
  region,   // a block with a name for fusion and reports
};

enum class AtomicOp : std::uint8_t { add, min, max, exchange, compare_exchange };

struct Stmt {
  StmtKind kind = StmtKind::barrier;
  AtomicOp atomic = AtomicOp::add;
  std::uint32_t variable = kNone;
  std::uint32_t buffer = kNone;
  std::array<ExprId, 3> args{kNone, kNone, kNone};  // compare_exchange: args[2] is what is expected
  ExprId unroll = kNone;                            // for_: a size expression, or none
  std::string name{};                               // region
  Block body{};
  Block otherwise{};

  bool operator==(const Stmt&) const = default;
};

// OpenCL C, CUDA C++, HIP C++, and compute shaders in GLSL for Vulkan.
enum class Language : std::uint8_t { opencl_c, cuda, hip, glsl };

// A kernel in another language. Tunables reach it as preprocessor definitions of the same names,
// the workgroup size as VYRE_WORKGROUP_X, _Y and _Z. In GLSL a tunable is the specialisation
// constant of its name where the text declares one.
struct Source {
  // A buffer, a local array, a shape or a scalar. OpenCL C has a parameter for a local array. CUDA
  // and HIP have none: all local arrays together are the kernel's dynamic shared memory. In GLSL
  // the k-th buffer is binding k of set 0, shapes and scalars are the members of the block of push
  // constants in order, and local arrays are declared in the text.
  struct Argument {
    std::string name;
    std::uint32_t bytes = 0;  // scalars: how many of its low bytes are passed; 0: all
    // CUDA and HIP: the `__constant__` array that gets the content of this `read` buffer before the
    // kernel starts. No parameter is passed for the buffer then.
    std::string symbol{};

    bool operator==(const Argument&) const = default;
  };

  Language language = Language::opencl_c;
  std::string text;
  // The name of the kernel function. In CUDA and HIP a name expression, as "scale<float, block>":
  // tunables in it stand for their values. In GLSL the function is `main`, and this a name only.
  std::string entry;
  std::string options{};            // for the compiler, as on its command line
  std::vector<Argument> arguments;  // in the order of the function's parameters
  // What compilers call the text in their messages, usually the name of its file; empty: the name
  // of the program. It is no part of the fingerprint.
  std::string file{};

  bool operator==(const Source&) const = default;
};

// Size expressions (buffer lengths, workgroup size, grid, unroll) are u32 and may use constants,
// symbols, operations of ops.def, select and casts, but no variables, loads, ids or vectors; a grid
// may use length. Lengths of local and private buffers and the workgroup size use constants and
// tunables only.
struct Program {
  std::string name;
  std::vector<Symbol> symbols;
  std::vector<Buffer> buffers;
  std::vector<Variable> variables;
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::array<ExprId, 3> workgroup{kNone, kNone, kNone};  // none: 1 on that axis, all none: [64,1,1]
  std::array<ExprId, 3> grid{kNone, kNone, kNone};       // in workgroups; all none: cover the
                                                         // largest written buffer
  Block body;
  std::optional<Source> source{};  // instead of a body
};

// Same meaning node by node, names included; where the nodes lie in the vectors does not count.
bool operator==(const Program& a, const Program& b);

// One launch of a Sequence, with its bindings in declaration order. `buffers`: the buffer of the
// sequence for each read, read_write and write buffer of the program. `symbols`: a size expression
// over the sequence's symbols for each shape and scalar of the program; none for a shape that is
// found from the bound buffers. `when`: a size expression, bool or u32, over constants and the
// sequence's tunables. Where it is false or 0 the step is left out: it is not compiled or run, and
// scratch that no other step binds gets no memory.
struct Step {
  std::uint32_t program = 0;
  std::vector<std::uint32_t> buffers;
  std::vector<ExprId> symbols;
  ExprId when = kNone;

  bool operator==(const Step&) const = default;
};

// Steps [first, last) run again and again until element 0 of the u32 buffer `until` is not zero,
// at most `limit` times. If it is still zero then, that is no error: a caller can read the buffer.
struct Repeat {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t until = 0;
  std::uint32_t limit = 0;

  bool operator==(const Repeat&) const = default;
};

// Tunables with the same name in several programs are one tunable. A buffer with access `private_`
// is scratch between the steps: on the device only, zero at the start of a dispatch.
struct SequenceDef {
  std::string name;
  std::vector<Symbol> symbols;
  std::vector<Buffer> buffers;
  std::vector<Expr> exprs;  // size expressions of `buffers` and `steps`
  std::vector<Program> programs;
  std::vector<Step> steps;
  std::optional<Repeat> repeat;
};

bool operator==(const SequenceDef& a, const SequenceDef& b);

using Fingerprint = std::array<std::uint8_t, 32>;

// A validated sequence. A handle: copies share the same immutable content.
class Sequence {
 public:
  static Expected<Sequence> make(SequenceDef def);
  static Expected<Sequence> make(Program program);  // a sequence of one, with the same interface

  const SequenceDef& def() const;
  const Fingerprint& fingerprint() const;

  // All tunables, of the sequence and of its programs, each once, in order of declaration.
  const std::vector<Symbol>& tunables() const;

  // Whether a symbol of the sequence decides a buffer's length, a grid, or another symbol of a
  // step. The others are numbers that kernels get as they are, and may change from call to call.
  bool decides_sizes(std::size_t symbol) const;

  // The identity of the content: equal for copies of one handle. While any copy lives, no other
  // sequence has the same identity.
  const void* identity() const { return content_.get(); }

 private:
  struct Content;
  explicit Sequence(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

// --- Functions on programs: check, print, parse, fingerprint. ---

struct Limits {
  static constexpr std::uint32_t kStmtDepth = 64;
  static constexpr std::uint32_t kExprDepth = 128;
  static constexpr std::uint32_t kNodes = 100'000;    // expressions and statements of a program
  static constexpr std::uint32_t kSizeNodes = 1'024;  // of one size expression
  static constexpr std::uint32_t kNameBytes = 128;
  static constexpr std::uint32_t kDeclarations = 1'024;    // symbols plus buffers of a program
  static constexpr std::uint32_t kSteps = 1'024;           // steps of a sequence, and its programs
  static constexpr std::uint32_t kValues = 1'024;          // of one tunable
  static constexpr std::uint32_t kTextBytes = 64U << 20U;  // of a text to parse
};

// The mistakes of the program, in the order of the text form, at most 20; empty if it is valid.
// Each is `rejected`, has the code of a rule (docs/ir.md lists them), and says place and remedy.
std::vector<Error> validate(const Program& program);
std::vector<Error> validate(const SequenceDef& sequence);

// The text form. Works on any program that keeps the structure rules (V001 to V003), valid or not.
// For another program the text is a comment with the reason.
std::string print(const Program& program);
std::string print(const SequenceDef& sequence);

// A statement or expression on one line, shortened to about 60 bytes: for messages.
std::string print_stmt(const Program& program, StmtId stmt);
std::string print_expr(const Program& program, ExprId expr);

// parse(print(p)) == p for every valid program, and print(parse(t)) == t for every text that
// `print` made of one. Errors are bad_inputs: "line 3, column 7: expected ..., found ...". The
// result has structure and operands of fitting types, but need not be valid. docs/ir_text.md has
// the grammar.
Expected<Program> parse_program(std::string_view text);
Expected<SequenceDef> parse(std::string_view text);  // a program is a sequence of one

// Names of variables, buffers, shapes and scalars, the declared workgroup size, the values of
// tunables and the order of independent declarations do not count. Everything that can change a
// result or a winner counts. Valid programs only.
Fingerprint fingerprint(const Program& program);
Fingerprint fingerprint(const SequenceDef& sequence);
std::string to_hex(const Fingerprint& fingerprint);

}  // namespace vyre::ir
