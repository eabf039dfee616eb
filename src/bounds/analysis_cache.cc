#include "bounds/analysis_cache.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "bounds/access_state.h"

namespace vyre::bounds {
namespace {

constexpr std::size_t kMostKept = 16;

thread_local AnalysisCache* current_cache = nullptr;

// All of a program and of the assumptions that an analysis depends on, as words.
class KeyWriter {
 public:
  std::vector<std::uint32_t> out;

  void write(const ir::Program& p) {
    out.reserve(9 * p.exprs.size() + 12 * p.stmts.size() + 256);
    word(p.symbols.size());
    for (const ir::Symbol& s : p.symbols) symbol(s);
    word(p.buffers.size());
    for (const ir::Buffer& b : p.buffers) {
      words({word_of(b.element), word_of(b.access), b.length});
    }
    word(p.variables.size());
    for (const ir::Variable& v : p.variables) {
      words({word_of(v.type.scalar), v.type.width, v.is_mutable ? 1U : 0U});
    }
    word(p.exprs.size());
    for (const ir::Expr& e : p.exprs) expr(e);
    word(p.stmts.size());
    for (const ir::Stmt& s : p.stmts) stmt(s);
    list(p.workgroup);
    list(p.grid);
    list(p.body);
  }

  void write(const Assumptions& a) {
    for (const Int limit : {a.most_length, a.most_tunable}) {
      long_word(static_cast<std::uint64_t>(limit));
    }
    list(a.opaque);
  }

 private:
  template <class Enum>
  static std::uint32_t word_of(Enum value) {
    return static_cast<std::uint32_t>(value);
  }
  void words(std::initializer_list<std::uint32_t> values) {
    out.insert(out.end(), values.begin(), values.end());
  }
  void word(std::size_t value) { out.push_back(static_cast<std::uint32_t>(value)); }
  void long_word(std::uint64_t value) {
    words({static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32U)});
  }
  template <class List>
  void list(const List& values) {
    word(values.size());
    out.insert(out.end(), values.begin(), values.end());
  }

  void symbol(const ir::Symbol& s) {
    word(s.name.size());
    for (const char c : s.name) word(static_cast<unsigned char>(c));
    words({word_of(s.kind), word_of(s.type)});
    long_word(s.default_bits);
    word(s.values.size());
    for (const std::uint64_t v : s.values) long_word(v);
  }

  void expr(const ir::Expr& e) {
    words({word_of(e.op) << 16U | word_of(e.type.scalar) << 8U | e.type.width, e.index});
    long_word(e.bits);
    out.insert(out.end(), e.args.begin(), e.args.end());
  }

  void stmt(const ir::Stmt& s) {
    words({word_of(s.kind) << 8U | word_of(s.atomic), s.variable, s.buffer, s.unroll});
    out.insert(out.end(), s.args.begin(), s.args.end());
    list(s.body);
    list(s.otherwise);
  }
};

}  // namespace

// A program of its own, since the caller's may be gone before the next caller comes.
struct AnalysisCache::Analysis {
  Analysis(Key k, const ir::Program& p, const Assumptions& assumptions)
      : key(std::move(k)), program(p), state(program, assumptions) {}

  Key key;
  ir::Program program;
  AccessState state;
};

AnalysisCache::AnalysisCache() : outer_(std::exchange(current_cache, this)) {}

AnalysisCache::~AnalysisCache() { current_cache = outer_; }

AnalysisCache::Key AnalysisCache::key_of(const ir::Program& program,
                                         const Assumptions& assumptions) {
  KeyWriter writer;
  writer.write(program);
  writer.write(assumptions);
  return std::move(writer.out);
}

std::shared_ptr<AccessState> AnalysisCache::find(const ir::Program& program,
                                                 const Assumptions& assumptions) {
  const bool is_known_launch =
      !assumptions.symbols.empty() || assumptions.groups || assumptions.workgroup;
  if (current_cache == nullptr || is_known_launch) {
    return std::make_shared<AccessState>(program, assumptions);
  }
  auto& kept = current_cache->kept_;
  Key key = key_of(program, assumptions);
  const auto it =
      std::ranges::find_if(kept, [&](const auto& analysis) { return analysis->key == key; });
  if (it != kept.end()) {
    std::rotate(kept.begin(), it, it + 1);
  } else {
    if (kept.size() == kMostKept) kept.pop_back();
    kept.insert(kept.begin(), std::make_shared<Analysis>(std::move(key), program, assumptions));
  }
  return {kept.front(), &kept.front()->state};
}

}  // namespace vyre::bounds
