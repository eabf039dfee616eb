// The passes of `validate`, and what they share.
//
// First comes check_structure, which trusts nothing and never recurses. Only when it finds nothing
// is a Context made; every later pass may then follow ids and recurse. Passes are independent of
// each other; those of the second stage also need the first stage to have found nothing.

#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

inline constexpr std::size_t kMaxFindings = 20;

// A part of the text form, in its order.
enum class Part : std::uint8_t { whole, symbol, buffer, workgroup, grid, body, step, repeat };

struct Place {
  Part part = Part::whole;
  std::uint32_t index = 0;  // body: a StmtId; workgroup and grid: the axis
};

// An expression that is not an operand of another one, and where it stands.
struct Root {
  ExprId expr = kNone;
  Place place;
};

struct Context {
  // A sequence passes a program that holds its declarations; `extra` are the values in its steps.
  explicit Context(const Program& of, std::string_view kind = "program",
                   std::span<const Root> extra = {});

  // Messages begin with the place. After 20 in one pass the rest is dropped.
  template <class... Args>
  void report(Place place, std::string_view code, fmt::format_string<Args...> format,
              Args&&... args) {
    if (!full()) put(place, code, fmt::format(format, std::forward<Args>(args)...));
  }
  bool full() const { return in_pass_ >= kMaxFindings; }
  void next_pass() { in_pass_ = 0; }
  bool empty() const { return found_.empty(); }
  std::vector<Error> take();  // in the order of the text form, at most 20

  // For messages: quoted, on one line.
  std::string show(ExprId expr) const;

  const Program& program;
  std::string_view kind;        // "program" or "sequence"
  std::vector<bool> wrong;      // by ExprId: its type is reported already, so it is judged no more
  std::vector<Root> roots;      // in the order of the text form
  std::vector<StmtId> stmts;    // all statements in the order of the text form
  std::vector<StmtId> parents;  // by StmtId; kNone: in Program::body
  std::vector<Place> owners;    // by ExprId
  std::vector<ExprId> exprs;    // all expressions: text order of owners, children first in each

 private:
  struct Found {
    std::uint64_t order;
    Error error;
  };

  std::uint64_t order(Place place) const;
  std::string name(Place place) const;
  void put(Place place, std::string_view code, std::string text);
  void order_stmts();
  void find_roots(std::span<const Root> extra);
  void find_owners();

  std::vector<std::uint32_t> positions_;  // by StmtId
  std::vector<Found> found_;
  std::size_t in_pass_ = 0;
};

// Calls `visit(id, expr)` for an expression and all below it.
template <class Visit>
void for_each_node(std::span<const Expr> exprs, ExprId root, Visit visit) {
  std::vector<ExprId> open{root};
  while (!open.empty()) {
    const ExprId id = open.back();
    open.pop_back();
    visit(id, exprs[id]);
    for (const ExprId arg : exprs[id].args) {
      if (arg != kNone) open.push_back(arg);
    }
  }
}

// V001 to V006. In no particular order.
std::vector<Error> check_structure(const Program& program, std::string_view kind = "program",
                                   std::span<const Root> extra = {});

// "u32x0": also for types that do not exist.
std::string spelled(Type type);

// First stage.
void check_declarations(Context& context);  // V010 to V013, V043 to V045
void check_types(Context& context);         // V030 to V036
void check_stmts(Context& context);         // V015, V036 to V042, V050, V051
void check_scopes(Context& context);        // V010 to V012, V014, V020 to V022, V032
void check_sizes(Context& context);         // V007, V060 to V062

void check_source(Context& context);  // V110 to V117

// V007 and V060 for one expression.
enum class SizeUse : std::uint8_t { length, fixed, grid };
void check_size(Context& context, const Root& root, SizeUse use);

// V010 to V012; `what` as in "buffer".
void check_name(Context& context, Place place, std::string_view what, std::string_view name);

// Second stage.
void check_extents(Context& context);     // V063 to V066
void check_uniformity(Context& context);  // V070, V071
void check_bounds(Context& context);      // V080

}  // namespace vyre::ir
