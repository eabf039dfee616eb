// What can be done with programs: check, print, parse, fingerprint.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

struct Limits {
  static constexpr std::uint32_t kStmtDepth = 64;
  static constexpr std::uint32_t kExprDepth = 128;
  static constexpr std::uint32_t kNodes = 100'000;    // expressions and statements of a program
  static constexpr std::uint32_t kSizeNodes = 1'024;  // of one size expression
  static constexpr std::uint32_t kNameBytes = 128;
  static constexpr std::uint32_t kDeclarations = 1'024;    // symbols plus buffers of a program
  static constexpr std::uint32_t kSteps = 1'024;           // steps of a sequence, and its programs
  static constexpr std::uint32_t kTextBytes = 64U << 20U;  // of a text to parse
};

// All that is wrong with the program, in the order of the text form, at most 20; empty: it is
// valid. Each is `rejected`, has a rule's code (docs/ir.md lists them) and says place and remedy.
std::vector<Error> validate(const Program& program);
std::vector<Error> validate(const SequenceDef& sequence);

// The text form. Works on any program that keeps the structure rules (V001 to V003), valid or not;
// for one that does not, it says so in a comment.
std::string print(const Program& program);
std::string print(const SequenceDef& sequence);

// A statement or expression on one line, shortened to about 60 bytes: for messages.
std::string print_stmt(const Program& program, StmtId stmt);
std::string print_expr(const Program& program, ExprId expr);

// parse(print(p)) == p for every valid program, and print(parse(t)) == t for every text that
// `print` made of one. Errors are bad_inputs: "line 3, column 7: expected ..., found ...". What it
// returns has structure and operands of fitting types, but need not be valid. The grammar:
// docs/ir_text.md.
Expected<Program> parse_program(std::string_view text);
Expected<SequenceDef> parse(std::string_view text);  // a program is a sequence of one

// Names of variables, buffers, shapes and scalars, the declared workgroup size and the order of
// independent declarations do not count; everything that can change a result or a winner does.
// Valid programs only.
Fingerprint fingerprint(const Program& program);
Fingerprint fingerprint(const SequenceDef& sequence);
std::string to_hex(const Fingerprint& fingerprint);

}  // namespace vyre::ir
