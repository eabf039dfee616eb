#include "fake_cuda/driver/ptx_parser.h"

#include <array>

#include "fake_cuda/driver/ptx_body.h"
#include "fake_cuda/driver/ptx_variable.h"

namespace fake_cuda {
namespace {

// Words before a declaration that change nothing for a module that stands alone.
constexpr std::array<std::string_view, 4> kLinkage{".visible", ".weak", ".common", ".extern"};

class ModuleParser {
 public:
  explicit ModuleParser(std::span<const Token> tokens) : cursor_(tokens) {}

  Result<std::unique_ptr<Module>> run() {
    while (!cursor_.at_end()) FAKE_CUDA_TRY_VOID(item());
    if (module_->version == 0) return std::unexpected(std::string("line 1: .version is missing"));
    if (module_->target == 0) return std::unexpected(std::string("line 1: .target is missing"));
    return std::move(module_);
  }

 private:
  Result<void> item() {
    if (cursor_.take_if(";")) return {};
    if (cursor_.is(".version") || cursor_.is(".target") || cursor_.is(".address_size")) {
      return header();
    }
    if (cursor_.is(".file") || cursor_.is(".loc")) {
      cursor_.skip_line();
      return {};
    }
    if (cursor_.is(".pragma")) {
      cursor_.skip_statement();
      return {};
    }
    if (cursor_.take_if(".section")) return section();
    return declaration();
  }

  // .version is lexed as a fraction: its text has the digits.
  Result<void> header() {
    FAKE_CUDA_TRY(const std::string word, cursor_.word());
    const Token& value = cursor_.take();
    if (word == ".version") {
      if (value.text.size() < 3 || value.text[1] != '.' || value.text[0] < '1' ||
          value.text[0] > '9' || value.text[2] < '0' || value.text[2] > '9') {
        return wrong_at(value.line, "'" + std::string(value.text) + "' is no version");
      }
      module_->version =
          static_cast<std::uint32_t>((value.text[0] - '0') * 10 + value.text[2] - '0');
    } else if (word == ".target") {
      return target(value);
    } else if (value.bits != 64) {
      return wrong_at(value.line, "only addresses of 64 bits are known");
    }
    return {};
  }

  // "sm_80", "sm_90a", and ", debug" after it.
  Result<void> target(const Token& value) {
    std::uint32_t number = 0;
    if (value.text.starts_with("sm_")) {
      for (const char c : value.text.substr(3, 3)) {
        if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::uint32_t>(c - '0');
      }
    }
    if (number == 0) {
      return wrong_at(value.line, "'" + std::string(value.text) + "' is no target");
    }
    module_->target = number;
    while (cursor_.take_if(",")) cursor_.take();
    return {};
  }

  // Debug information: skipped up to its closing brace.
  Result<void> section() {
    while (!cursor_.at_end() && !cursor_.is("{")) cursor_.take();
    while (!cursor_.at_end() && !cursor_.is("}")) cursor_.take();
    return cursor_.expect("}");
  }

  Result<void> declaration() {
    bool external = false;
    for (const std::string_view word : kLinkage) {
      if (cursor_.take_if(word)) external = word == ".extern";
    }
    const int line = cursor_.line();
    FAKE_CUDA_TRY(const std::string word, cursor_.word());
    if (word == ".entry" || word == ".func") return function(word == ".entry");
    const auto space = space_of(std::string_view(word).substr(word.starts_with('.') ? 1 : 0));
    if (!space || *space == Space::kParam || *space == Space::kLocal) {
      return wrong_at(line, "unknown directive '" + word + "'");
    }
    FAKE_CUDA_TRY(Variable variable, parse_variable(cursor_, *space));
    variable.external = external;
    module_->variables.push_back(std::move(variable));
    globals_[module_->variables.back().name] = &module_->variables.back();
    return cursor_.expect(";");
  }

  Result<void> function(bool entry) {
    Function function;
    function.entry = entry;
    function.line = cursor_.line();
    if (cursor_.is("(")) {
      FAKE_CUDA_TRY_VOID(parameters(function));
      for (const Variable& result : function.variables) function.results.push_back(&result);
    }
    FAKE_CUDA_TRY(function.name, cursor_.word());
    const std::size_t results = function.variables.size();
    if (cursor_.is("(")) FAKE_CUDA_TRY_VOID(parameters(function));
    for (std::size_t at = results; at < function.variables.size(); ++at) {
      function.parameters.push_back(&function.variables[at]);
    }
    FAKE_CUDA_TRY_VOID(directives(function));
    if (!cursor_.is("{")) {
      keep(std::move(function));
      return cursor_.expect(";");
    }
    function.defined = true;
    FAKE_CUDA_TRY_VOID(parse_body(cursor_, globals_, function));
    keep(std::move(function));
    return {};
  }

  // A declaration may come before its definition, which takes its place.
  void keep(Function function) {
    for (Function& known : module_->functions) {
      if (known.name != function.name) continue;
      if (!known.defined) known = std::move(function);
      return;
    }
    module_->functions.push_back(std::move(function));
  }

  Result<void> parameters(Function& function) {
    FAKE_CUDA_TRY_VOID(cursor_.expect("("));
    while (!cursor_.is(")")) {
      FAKE_CUDA_TRY_VOID(cursor_.expect(".param"));
      FAKE_CUDA_TRY(Variable variable, parse_variable(cursor_, Space::kParam));
      FAKE_CUDA_TRY_VOID(place(variable, function.param_bytes));
      function.variables.push_back(std::move(variable));
      if (!cursor_.take_if(",")) break;
    }
    return cursor_.expect(")");
  }

  Result<void> directives(Function& function) {
    while (cursor_.is_directive()) {
      FAKE_CUDA_TRY(const std::string word, cursor_.word());
      std::array<std::uint32_t, 3> numbers{1, 1, 1};
      std::size_t count = 0;
      while (cursor_.peek().kind == TokenKind::kInteger || cursor_.is(",") ||
             cursor_.peek().kind == TokenKind::kString) {
        const Token& token = cursor_.take();
        if (token.kind == TokenKind::kInteger && count < 3) {
          numbers[count++] = static_cast<std::uint32_t>(token.bits);
        }
      }
      if (word == ".pragma") cursor_.take_if(";");
      if (word == ".maxntid") function.max_threads = numbers;
      if (word == ".reqntid") function.required_threads = numbers;
    }
    return {};
  }

  Cursor cursor_;
  std::unique_ptr<Module> module_ = std::make_unique<Module>();
  GlobalNames globals_;
};

}  // namespace

Result<std::unique_ptr<Module>> parse_module(std::string_view text) {
  FAKE_CUDA_TRY(const std::vector<Token> tokens, tokens_of(text));
  return ModuleParser(tokens).run();
}

}  // namespace fake_cuda
