// Inspection: what the passes of `validate` share: the program in the order of its text form, and
// the findings so far.
//
// An Inspection is made only for a program in which check_structure has found nothing.

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

struct Inspection {
  // A sequence passes a program that holds its declarations; `extra` are the values in its steps.
  explicit Inspection(const Program& of, std::string_view kind = "program",
                      std::span<const Root> extra = {});

  // Messages begin with the place. After 20 findings in one pass the rest is dropped.
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
  std::string_view kind;  // "program" or "sequence"
  std::vector<bool>
      wrong;  // by ExprId: its type has been reported as wrong, so its users are not judged
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

// "u32x0": also for types that do not exist.
std::string spelled(Type type);

}  // namespace vyre::ir
