#include "cli/program_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <random>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "ir/source.h"
#include "ir/tunable_value.h"

namespace vyre::cli {
namespace {

// Of every buffer: one here, and one on the device, which may use the same memory.
constexpr std::uint64_t kCopies = 2;

struct Pair {
  std::string name;
  std::string value;
};

Expected<Pair> split(const std::string& text, std::string_view option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return bad_inputs("{} {}: write it as NAME=VALUE", option, quote_path(text));
  }
  return Pair{text.substr(0, equals), text.substr(equals + 1)};
}

// The number as bits of the type, if all of the text is one that fits.
template <class T>
std::optional<std::uint64_t> bits_of(std::string_view text) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (sizeof(T) == 4)
    return static_cast<std::uint32_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> parse_bits(ir::Scalar type, std::string_view text) {
  switch (type) {
    case ir::Scalar::boolean:
      if (text == "true" || text == "false") return text == "true" ? 1 : 0;
      return std::nullopt;
    case ir::Scalar::u32:
      return bits_of<std::uint32_t>(text);
    case ir::Scalar::i32:
      return bits_of<std::int32_t>(text);
    case ir::Scalar::u64:
      return bits_of<std::uint64_t>(text);
    case ir::Scalar::i64:
      return bits_of<std::int64_t>(text);
    case ir::Scalar::f32:
      return bits_of<float>(text);
  }
  return std::nullopt;
}

class Maker {
 public:
  Maker(const ir::Sequence& sequence, const CallOptions& options, std::uint64_t most_bytes)
      : sequence_(sequence),
        def_(sequence.def()),
        options_(options),
        most_bytes_(most_bytes),
        random_(options.seed) {}

  Expected<ProgramCall> run() {
    known_ = ir::default_bits(def_.symbols);
    out_.names.reserve(options_.sets.size() + def_.symbols.size());
    for (const std::string& set : options_.sets) VYRE_TRY_VOID(take_set(set));
    VYRE_TRY_VOID(check_input_names());
    VYRE_TRY_VOID(read_files());
    take_declared_sizes();
    VYRE_TRY_VOID(check_sizes());
    VYRE_TRY_VOID(fill_the_rest());
    for (const auto& bytes : out_.data) out_.inputs.emplace_back(bytes);
    return set_grid();
  }

 private:
  Expected<void> take_set(const std::string& text) {
    VYRE_TRY(const Pair pair, split(text, "--set"));
    const auto tunable = std::ranges::find(sequence_.tunables(), pair.name, &ir::Symbol::name);
    const auto symbol = std::ranges::find(def_.symbols, pair.name, &ir::Symbol::name);
    const bool is_tunable = tunable != sequence_.tunables().end();
    if (!is_tunable && symbol == def_.symbols.end()) return unknown_name(pair.name);
    const ir::Symbol& found = is_tunable ? *tunable : *symbol;
    const auto bits = parse_bits(found.type, pair.value);
    if (!bits) {
      return bad_inputs("--set {}: {} is no {}", quote(text), quote(pair.value),
                        ir::name_of(found.type));
    }
    if (symbol != def_.symbols.end()) {
      known_[static_cast<std::size_t>(symbol - def_.symbols.begin())] = bits;
    }
    if (is_tunable) {
      out_.config.set(pair.name, ir::value_of(found.type, *bits));
    } else {
      out_.names.push_back(pair.name);
      out_.arguments.push_back({out_.names.back(), *bits});
    }
    return {};
  }

  std::unexpected<Error> unknown_name(const std::string& name) const {
    std::vector<std::string> names;
    for (const ir::Symbol& s : def_.symbols) names.push_back(s.name);
    for (const ir::Symbol& s : sequence_.tunables()) names.push_back(s.name);
    return bad_inputs("--set: {} has no shape, scalar or tunable {}{}", quote(def_.name),
                      quote(name), did_you_mean(name, names));
  }

  Expected<void> check_input_names() {
    std::vector<std::string> names;
    for (const ir::Buffer& b : def_.buffers) {
      if (ir::takes_input(b.access)) names.push_back(b.name);
    }
    for (const std::string& text : options_.inputs) {
      VYRE_TRY(const Pair pair, split(text, "--in"));
      if (std::ranges::find(names, pair.name) == names.end()) {
        return bad_inputs("--in: {} has no input {}{}", quote(def_.name), quote(pair.name),
                          did_you_mean(pair.name, names));
      }
      if (std::ranges::find(given_, pair.name, &Pair::name) != given_.end()) {
        return bad_inputs("--in: {} is given twice", quote(pair.name));
      }
      given_.push_back(pair);
    }
    return {};
  }

  static bool is_generator(std::string_view value) {
    return value == "random" || value == "zeros" || value == "ones" || value == "iota";
  }

  const Pair* given(const ir::Buffer& buffer) const {
    const auto it = std::ranges::find(given_, buffer.name, &Pair::name);
    return it == given_.end() ? nullptr : &*it;
  }

  // Inputs come first, because the size of a file may determine a shape.
  Expected<void> read_files() {
    for (const ir::Buffer& b : def_.buffers) {
      if (!ir::takes_input(b.access)) continue;
      std::vector<std::byte>& bytes = out_.data.emplace_back();
      const Pair* pair = given(b);
      if (pair == nullptr || is_generator(pair->value)) continue;
      const std::uint64_t fits = free_memory_bytes() / kCopies;
      VYRE_TRY(const std::string content,
               read_named_file(pair->value, std::min(most_bytes_, fits)));
      const auto* data = reinterpret_cast<const std::byte*>(content.data());
      bytes.assign(data, data + content.size());
      const ir::Expr& length = def_.exprs[b.length];
      if (length.op == ir::Op::symbol && !known_[length.index]) {
        known_[length.index] = bytes.size() / ir::element_bytes(b);
      }
    }
    return {};
  }

  // Shapes that neither an option nor a file decides.
  void take_declared_sizes() {
    for (std::size_t k = 0; k < def_.symbols.size(); ++k) {
      const ir::Symbol& s = def_.symbols[k];
      if (s.kind != ir::SymbolKind::shape || known_[k] || s.default_bits == 0) continue;
      known_[k] = s.default_bits;
      out_.names.push_back(s.name);
      out_.arguments.push_back({out_.names.back(), s.default_bits});
    }
  }

  // Of each buffer, and of all together, before the first is made.
  Expected<void> check_sizes() const {
    std::uint64_t bytes = 0;
    for (const ir::Buffer& b : def_.buffers) {
      const auto length = ir::fold(def_, b.length, known_);
      if (!length) continue;
      if (*length > most_bytes_ / ir::element_bytes(b)) {
        return bad_inputs(
            "{} would have {} elements, more than the device's {} bytes; give smaller shapes",
            quote(b.name), *length, most_bytes_);
      }
      bytes = saturating_sum(bytes, *length * ir::element_bytes(b));
    }
    return check_memory(quote(def_.name), saturating_product(bytes, kCopies));
  }

  Expected<void> fill_the_rest() {
    std::size_t next = 0;
    for (const ir::Buffer& b : def_.buffers) {
      if (!ir::takes_input(b.access)) continue;
      std::vector<std::byte>& bytes = out_.data[next++];
      const Pair* pair = given(b);
      if (pair != nullptr && !is_generator(pair->value)) continue;
      const auto length = ir::fold(def_, b.length, known_);
      if (!length) {
        return bad_inputs(
            "the length of {} is not known; give its shapes, for example --set {}=1000",
            quote(b.name), unknown_shape());
      }
      bytes = generated(b, *length, pair == nullptr ? "random" : pair->value);
    }
    return {};
  }

  std::string unknown_shape() const {
    for (std::size_t k = 0; k < known_.size(); ++k) {
      if (!known_[k]) return def_.symbols[k].name;
    }
    return "NAME";
  }

  std::uint64_t element(const ir::Buffer& b, std::uint64_t k, std::string_view how) {
    const bool is_float = b.opaque_bytes == 0 && b.element == ir::Scalar::f32;
    if (how == "zeros") return 0;
    const std::uint64_t whole = how == "ones" ? 1 : how == "iota" ? k : random_() % 100;
    if (!is_float) return whole;
    const float value = how == "random" ? static_cast<float>(random_() >> 40U) * 0x1p-23F - 1.0F
                                        : static_cast<float>(whole);
    return std::bit_cast<std::uint32_t>(value);
  }

  std::vector<std::byte> generated(const ir::Buffer& b, std::uint64_t length,
                                   std::string_view how) {
    const std::size_t size = ir::element_bytes(b);
    std::vector<std::byte> bytes(length * size);
    for (std::uint64_t k = 0; k < length; ++k) {
      const std::uint64_t bits = element(b, k, how);
      __builtin_memcpy(bytes.data() + k * size, &bits, std::min(size, sizeof(bits)));
    }
    return bytes;
  }

  Expected<ProgramCall> set_grid() {
    if (options_.grid.empty()) return std::move(out_);
    Extent grid{1, 1, 1};
    std::ranges::copy(options_.grid, grid.begin());
    out_.grid = grid;
    return std::move(out_);
  }

  const ir::Sequence& sequence_;
  const ir::SequenceDef& def_;
  const CallOptions& options_;
  std::uint64_t most_bytes_;
  std::mt19937_64 random_;
  std::vector<std::optional<std::uint64_t>> known_;
  std::vector<Pair> given_;
  ProgramCall out_;
};

template <class T>
std::string one_value(std::span<const std::byte> bytes) {
  T value{};
  __builtin_memcpy(&value, bytes.data(), sizeof(value));
  return fmt::format("{}", value);
}

std::string one_value(const ir::Buffer& buffer, std::span<const std::byte> bytes) {
  if (buffer.opaque_bytes > 0) {
    std::string hex = "0x";
    for (const std::byte b : bytes) hex += fmt::format("{:02x}", std::to_integer<unsigned>(b));
    return hex;
  }
  switch (buffer.element) {
    case ir::Scalar::i32:
      return one_value<std::int32_t>(bytes);
    case ir::Scalar::u64:
      return one_value<std::uint64_t>(bytes);
    case ir::Scalar::i64:
      return one_value<std::int64_t>(bytes);
    case ir::Scalar::f32:
      return one_value<float>(bytes);
    default:
      return one_value<std::uint32_t>(bytes);
  }
}

}  // namespace

Expected<ProgramCall> make_call(const ir::Sequence& sequence, const CallOptions& options,
                                std::uint64_t most_bytes) {
  return Maker(sequence, options, most_bytes).run();
}

Expected<void> write_outputs(const ir::Sequence& sequence, const CallOptions& options,
                             const Outputs& outputs) {
  std::vector<std::string> names;
  for (const ir::Buffer& b : sequence.def().buffers) {
    if (ir::gives_output(b.access)) names.push_back(b.name);
  }
  for (const std::string& text : options.outputs) {
    VYRE_TRY(const Pair pair, split(text, "--out"));
    const auto it = std::ranges::find(names, pair.name);
    if (it == names.end()) {
      return bad_inputs("--out: {} has no output {}{}", quote(sequence.def().name),
                        quote(pair.name), did_you_mean(pair.name, names));
    }
    if (outputs.empty()) continue;
    const auto& bytes = outputs[static_cast<std::size_t>(it - names.begin())];
    VYRE_TRY_VOID(write_file_atomically(
        pair.value, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  return {};
}

std::string first_values(const ir::Buffer& buffer, std::span<const std::byte> bytes,
                         std::size_t most) {
  const std::size_t size = ir::element_bytes(buffer);
  const std::size_t count = bytes.size() / size;
  std::string out;
  for (std::size_t k = 0; k < std::min(most, count); ++k) {
    out += (k > 0 ? ", " : "") + one_value(buffer, bytes.subspan(k * size, size));
  }
  return out + (count > most ? ", ..." : "");
}

}  // namespace vyre::cli
