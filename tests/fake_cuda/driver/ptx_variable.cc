#include "fake_cuda/driver/ptx_variable.h"

#include <bit>
#include <cstring>
#include <optional>

namespace fake_cuda {
namespace {

// Larger than every card's memory; keeps sums of sizes far from overflow.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

constexpr std::uint64_t kMostInitialBytes = std::uint64_t{1} << 26;

class VariableParser {
 public:
  VariableParser(Cursor& cursor, Space space) : cursor_(cursor) { variable_.space = space; }

  Result<Variable> run() {
    FAKE_CUDA_TRY_VOID(attributes());
    FAKE_CUDA_TRY(variable_.name, cursor_.word());
    FAKE_CUDA_TRY_VOID(dimensions());
    if (cursor_.take_if("=")) FAKE_CUDA_TRY_VOID(initial_value());
    if (align_ == 0) align_ = bytes_of(variable_.type) * width_;
    variable_.align = align_;
    return std::move(variable_);
  }

 private:
  Result<void> attributes() {
    bool of_pointee = false;  // what follows .ptr is about the memory that it points to
    while (cursor_.is_directive()) {
      const int line = cursor_.line();
      FAKE_CUDA_TRY(const std::string word, cursor_.word());
      const std::optional<Type> type = type_of(std::string_view(word).substr(1));
      if (type) {
        variable_.type = *type;
      } else if (word == ".align") {
        FAKE_CUDA_TRY(const std::uint64_t align, cursor_.integer());
        if (!std::has_single_bit(align) || align > 4096) {
          return wrong_at(line, "an alignment of " + std::to_string(align));
        }
        if (!of_pointee) align_ = static_cast<std::uint32_t>(align);
      } else if (word == ".ptr") {
        of_pointee = true;
      } else if (word == ".v2" || word == ".v4") {
        width_ = word == ".v2" ? 2 : 4;
      } else if (!of_pointee || !space_of(std::string_view(word).substr(1))) {
        return wrong_at(line, "unknown attribute '" + word + "' of a variable");
      }
    }
    return {};
  }

  Result<void> dimensions() {
    variable_.bytes = bytes_of(variable_.type) * width_;
    while (cursor_.take_if("[")) {
      if (cursor_.take_if("]")) {
        unsized_ = true;
        variable_.bytes = 0;
        continue;
      }
      const int line = cursor_.line();
      FAKE_CUDA_TRY(const std::uint64_t count, cursor_.integer());
      if (count > kMostBytes || variable_.bytes * count > kMostBytes) {
        return wrong_at(line, "'" + variable_.name + "' is too large");
      }
      variable_.bytes *= count;
      FAKE_CUDA_TRY_VOID(cursor_.expect("]"));
    }
    return {};
  }

  Result<void> initial_value() {
    const int line = cursor_.line();
    FAKE_CUDA_TRY_VOID(element());
    if (unsized_) variable_.bytes = variable_.initial.size();
    if (variable_.initial.size() > variable_.bytes || variable_.bytes > kMostInitialBytes) {
      return wrong_at(line, "'" + variable_.name + "' has more values than room");
    }
    variable_.initial.resize(variable_.bytes);
    return {};
  }

  Result<void> element() {
    if (cursor_.take_if("{")) {
      while (!cursor_.is("}")) {
        FAKE_CUDA_TRY_VOID(cursor_.is("{") ? nested() : element());
        if (!cursor_.take_if(",")) break;
      }
      return cursor_.expect("}");
    }
    if (cursor_.peek().kind == TokenKind::kWord) return symbol();
    const bool minus = cursor_.take_if("-");
    const Token& token = cursor_.take();
    if (token.kind != TokenKind::kInteger && token.kind != TokenKind::kFloat &&
        token.kind != TokenKind::kDouble) {
      return wrong_at(token.line, "'" + std::string(token.text) + "' is no initial value");
    }
    append(minus ? 0 - token.bits : token.bits);
    return {};
  }

  Result<void> nested() {
    if (++depth_ > 8) return wrong_at(cursor_.line(), "an initial value is nested too deeply");
    FAKE_CUDA_TRY_VOID(element());
    --depth_;
    return {};
  }

  Result<void> symbol() {
    const int line = cursor_.line();
    FAKE_CUDA_TRY(std::string name, cursor_.word());
    if (name == "generic") {
      FAKE_CUDA_TRY_VOID(cursor_.expect("("));
      FAKE_CUDA_TRY(name, cursor_.word());
      FAKE_CUDA_TRY_VOID(cursor_.expect(")"));
    }
    std::uint64_t addend = 0;
    if (cursor_.take_if("+")) {
      FAKE_CUDA_TRY(addend, cursor_.integer());
    }
    if (bytes_of(variable_.type) != 8) return wrong_at(line, "an address needs 64 bits");
    variable_.relocations.push_back({variable_.initial.size(), name, addend});
    append(0);
    return {};
  }

  void append(std::uint64_t bits) {
    for (std::uint32_t byte = 0; byte < bytes_of(variable_.type); ++byte) {
      variable_.initial.push_back(static_cast<std::uint8_t>(bits >> (8 * byte)));
    }
  }

  Cursor& cursor_;
  Variable variable_;
  std::uint32_t align_ = 0;
  std::uint32_t width_ = 1;
  int depth_ = 0;
  bool unsized_ = false;
};

}  // namespace

Result<Variable> parse_variable(Cursor& cursor, Space space) {
  return VariableParser(cursor, space).run();
}

Result<void> place(Variable& variable, std::uint64_t& total) {
  variable.offset = align_up(total, variable.align);
  if (variable.bytes > (std::uint64_t{1} << 30) || variable.offset > (std::uint64_t{1} << 30)) {
    return std::unexpected("'" + variable.name + "' is too large");
  }
  total = variable.offset + variable.bytes;
  return {};
}

}  // namespace fake_cuda
