// Operands of instructions.

#pragma once

#include <functional>
#include <map>
#include <string>

#include "fake_cuda/driver/ptx_cursor.h"
#include "fake_cuda/driver/ptx_module.h"
#include "fake_cuda/driver/ptx_scopes.h"

namespace fake_cuda {

class OperandParser {
 public:
  OperandParser(Cursor& cursor, const std::map<std::string, const Variable*, std::less<>>& globals,
                Scopes& scopes)
      : cursor_(cursor), globals_(globals), scopes_(scopes) {}

  Result<Operand> one();

 private:
  Result<Operand> list(std::string_view end);
  Result<Operand> address();
  Result<Operand> number();
  Result<Operand> name();
  Operand meaning_of(const std::string& word);
  Result<std::uint64_t> addend();

  Cursor& cursor_;
  const std::map<std::string, const Variable*, std::less<>>& globals_;
  Scopes& scopes_;
  int depth_ = 0;
};

}  // namespace fake_cuda
