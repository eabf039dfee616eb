#include "backend/cuda/image.h"

#include <charconv>

#include "base/byte_writer.h"

namespace vyre::backend::cuda {
namespace {

constexpr std::uint32_t kUnknownParameters = 0xffffffffU;
constexpr std::uint32_t kMostParameters = 8192;  // a kernel takes at most 32 KiB of them

// Takes values off the front, in ByteWriter's form. Once the bytes are too few, all is empty.
class Unpacking {
 public:
  explicit Unpacking(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number(std::size_t bytes) {
    const std::string_view taken = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t k = taken.size(); k-- > 0;) {
      value = value << 8U | static_cast<unsigned char>(taken[k]);
    }
    return value;
  }
  std::string text() { return std::string(take(number(8))); }

  bool is_whole() const { return is_good_ && left_.empty(); }
  bool is_good() const { return is_good_; }

 private:
  std::string_view take(std::uint64_t bytes) {
    is_good_ = is_good_ && bytes <= left_.size();
    if (!is_good_) return {};
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }

  std::string_view left_;
  bool is_good_ = true;
};

// The text between the parentheses behind ".entry NAME"; none: there is no such kernel.
std::optional<std::string_view> parameter_list(std::string_view ptx, std::string_view entry) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::string_view kWord = ".entry";
  for (std::size_t at = ptx.find(kWord); at != ptx.npos; at = ptx.find(kWord, at + 1)) {
    std::string_view rest = ptx.substr(at + kWord.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (!rest.starts_with(entry)) continue;
    rest.remove_prefix(entry.size());
    const std::size_t next = rest.find_first_not_of(kBlanks);
    if (next == rest.npos || (next == 0 && rest[0] != '(' && rest[0] != '{')) continue;
    if (rest[next] != '(') return std::string_view();
    return rest.substr(next + 1, rest.find(')') - next - 1);
  }
  return std::nullopt;
}

// ".param .align 4 .b8 name[12]" has 12 bytes, ".param .u64 .ptr .align 1 name" has 8.
std::uint32_t parameter_bytes(std::string_view declaration) {
  std::uint32_t bits = 0;
  for (std::size_t at = declaration.find('.'); at != declaration.npos;
       at = declaration.find('.', at + 1)) {
    const std::string_view word = declaration.substr(at + 1);
    const bool is_type = word.size() > 1 && std::string_view("usbf").find(word[0]) != word.npos &&
                         word[1] >= '0' && word[1] <= '9';
    if (is_type) std::from_chars(word.data() + 1, word.data() + word.size(), bits);
  }
  std::uint32_t count = 1;
  if (const std::size_t bracket = declaration.find('['); bracket != declaration.npos) {
    std::from_chars(declaration.data() + bracket + 1, declaration.data() + declaration.size(),
                    count);
  }
  return bits / 8 * count;
}

}  // namespace

std::string packed(const Image& image) {
  ByteWriter out;
  out.tag(image.form);
  out.text(image.entry);
  out.u32(static_cast<std::uint32_t>(image.constants.size()));
  for (const std::string& constant : image.constants) out.text(constant);
  out.u32(image.parameters ? static_cast<std::uint32_t>(image.parameters->size())
                           : kUnknownParameters);
  if (image.parameters) {
    for (const std::uint32_t bytes : *image.parameters) out.u32(bytes);
  }
  out.text(image.bytes);
  return {out.bytes().begin(), out.bytes().end()};
}

std::optional<Image> unpacked(std::string_view bytes) {
  Unpacking in(bytes);
  Image out;
  const std::uint64_t form = in.number(1);
  out.form = form == 0 ? Form::binary : Form::ptx;
  out.entry = in.text();
  const std::uint64_t constants = in.number(4);
  for (std::uint64_t k = 0; k < constants && in.is_good(); ++k) out.constants.push_back(in.text());
  const std::uint64_t count = in.number(4);
  if (count != kUnknownParameters) {
    if (count > kMostParameters) return std::nullopt;
    out.parameters.emplace();
    for (std::uint64_t k = 0; k < count && in.is_good(); ++k) {
      out.parameters->push_back(static_cast<std::uint32_t>(in.number(4)));
    }
  }
  out.bytes = in.text();
  if (form > 1 || !in.is_whole() || out.bytes.empty()) return std::nullopt;
  return out;
}

std::optional<std::vector<std::uint32_t>> ptx_parameters(std::string_view ptx,
                                                         std::string_view entry) {
  auto list = parameter_list(ptx, entry);
  if (!list) return std::nullopt;
  std::vector<std::uint32_t> out;
  while (list->find(".param") != list->npos) {
    const std::size_t end = std::min(list->find(','), list->size());
    out.push_back(parameter_bytes(list->substr(0, end)));
    list->remove_prefix(std::min(end + 1, list->size()));
  }
  return out;
}

}  // namespace vyre::backend::cuda
