#include "problems/fill.h"

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre {
namespace {

Expected<std::vector<std::byte>> from_file(const recording::ArgumentSpecification& argument,
                                           std::uint64_t bytes,
                                           const std::filesystem::path& folder) {
  if (argument.data_source.empty()) {
    return bad_inputs("argument {}: BinaryRaw needs a DataSource, the file to read",
                      quote(argument.name));
  }
  const std::filesystem::path file = folder / argument.data_source;
  VYRE_TRY(const std::string content, read_named_file(file, std::max<std::uint64_t>(bytes, 1) * 2));
  if (content.size() != bytes) {
    return bad_inputs("argument {}: {} has {} bytes, but {} are needed; check Size and Type",
                      quote(argument.name), quote_path(file.native()), content.size(), bytes);
  }
  const auto* data = reinterpret_cast<const std::byte*>(content.data());
  return std::vector<std::byte>(data, data + content.size());
}

// The upper end of random values when T1 gives none: large enough that values of this type differ.
double random_bound(const T1Type& type) {
  if (type.kind == T1Type::Kind::real) return 1;
  return type.name == "bool" ? 2 : 100;
}

template <class Bits>
std::vector<std::byte> lanes(const T1Type& type, std::uint64_t count, const Bits& bits_of) {
  std::vector<std::byte> out(count * type.bytes);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t bits = bits_of(k);
    __builtin_memcpy(out.data() + k * type.bytes, &bits, std::min<std::size_t>(type.bytes, 8));
  }
  return out;
}

}  // namespace

double uniform(std::uint64_t seed, std::uint64_t k) {
  // splitmix64: gives element k without computing those before it.
  std::uint64_t z = (seed + 1) * 0xd1342543de82ef95U + (k + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
}

std::optional<std::vector<std::byte>> made_from(const Origin& origin) {
  const T1Type* const type = type_named(origin.type);
  if (type == nullptr || origin.lanes > kMostDataBytes / type->bytes) return std::nullopt;
  if (origin.span == 0) {
    const std::uint64_t bits = lane_bits(*type, origin.from);
    return lanes(*type, origin.lanes, [bits](std::uint64_t) { return bits; });
  }
  return lanes(*type, origin.lanes, [&](std::uint64_t k) {
    return lane_bits(*type, origin.from + origin.span * uniform(origin.seed, k));
  });
}

namespace {

Expected<Origin> numbers_for(const recording::ArgumentSpecification& argument, const T1Type& type,
                             std::uint64_t elements) {
  const std::string& how = argument.fill_type;
  if (!how.empty() && how != "Constant" && how != "Random") {
    return bad_inputs(
        "argument {}: vyre does not fill with {}; write the data to a file and use BinaryRaw",
        quote(argument.name), quote(how));
  }
  const double value = argument.fill_value.value_or(how == "Random" ? random_bound(type) : 0.0);
  if (type.kind == T1Type::Kind::custom) {
    if (how != "Random" && value == 0)
      return Origin{.type = "uint8", .lanes = elements * type.bytes};
    return bad_inputs("argument {}: a custom type is filled with zeros or from a file (BinaryRaw)",
                      quote(argument.name));
  }
  Origin out{.type = std::string(type.name), .lanes = elements * type.lanes};
  if (how != "Random") {
    out.from = value;
    return out;
  }
  out.span = value;
  out.seed = static_cast<std::uint64_t>(argument.random_seed.value_or(0));
  return out;
}

}  // namespace

Expected<Filled> filled(const recording::ArgumentSpecification& argument, const T1Type& type,
                        std::uint64_t elements, const std::filesystem::path& folder) {
  if (argument.fill_type == "BinaryRaw") {
    VYRE_TRY(auto bytes, from_file(argument, elements * type.element_bytes(), folder));
    return Filled{std::move(bytes),
                  {.file = std::filesystem::absolute(folder / argument.data_source).string()}};
  }
  VYRE_TRY(Origin origin, numbers_for(argument, type, elements));
  auto bytes = made_from(origin);
  VYRE_CHECK(bytes.has_value());  // the caller has checked the size
  return Filled{*std::move(bytes), std::move(origin)};
}

}  // namespace vyre
