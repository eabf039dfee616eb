#include "recording/read_arguments.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "recording/limits.h"
#include "recording/t1_fields.h"

namespace vyre::recording {
namespace {

using Words = std::string_view;

constexpr std::array<Words, 25> kTypes{
    "bool",    "int8",   "uint8",   "int16",   "uint16",  "int32",    "uint32", "int64",  "uint64",
    "half",    "half2",  "half4",   "half8",   "half16",  "float",    "float2", "float4", "float8",
    "float16", "double", "double2", "double4", "double8", "double16", "custom"};
constexpr std::array<Words, 4> kMemoryTypes{"Scalar", "Vector", "Local", "Symbol"};
constexpr std::array<Words, 3> kAccessTypes{"ReadOnly", "WriteOnly", "ReadWrite"};
constexpr std::array<Words, 6> kFillTypes{"Constant", "Random",    "Generator",
                                          "Script",   "BinaryRaw", "BinaryHDF"};
constexpr std::array<Words, 3> kValidationMethods{"AbsoluteDifference", "SideBySideComparison",
                                                  "SideBySideRelativeComparison"};

Expected<ArgumentSpecification> read_fields(Fields& fields) {
  ArgumentSpecification out;
  VYRE_TRY_VOID(fields.text("Name", out.name));
  VYRE_TRY_VOID(fields.word("Type", kTypes, out.type));
  VYRE_TRY_VOID(fields.word("MemoryType", kMemoryTypes, out.memory_type));
  VYRE_TRY_VOID(fields.word("AccessType", kAccessTypes, out.access_type));
  VYRE_TRY_VOID(fields.expression("Size", out.size));
  VYRE_TRY_VOID(fields.integer("TypeSize", out.type_bytes));
  VYRE_TRY_VOID(fields.word("FillType", kFillTypes, out.fill_type));
  VYRE_TRY_VOID(fields.number("FillValue", out.fill_value));
  VYRE_TRY_VOID(fields.text("DataSource", out.data_source));
  VYRE_TRY_VOID(fields.integer("RandomSeed", out.random_seed));
  VYRE_TRY_VOID(fields.flag("Output", out.is_output));
  std::string memory;
  VYRE_TRY_VOID(fields.text("MemType", memory));
  out.in_constant_memory = memory == "Constant";
  return out;
}

Expected<Reference> read_reference(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  Reference out;
  VYRE_TRY(out.data, read_fields(fields));
  VYRE_TRY_VOID(fields.text("TargetName", out.target_name));
  VYRE_TRY_VOID(fields.word("ValidationMethod", kValidationMethods, out.validation_method));
  VYRE_TRY_VOID(fields.number("ValidationThreshold", out.validation_threshold));
  VYRE_TRY_VOID(fields.keep_unknown());
  return out;
}

Expected<void> read_list(const JsonNode& list, T1File& t1) {
  VYRE_TRY(const std::vector<JsonNode> elements, list.elements());
  VYRE_TRY_VOID(check_count(list, kMostParts));
  for (const JsonNode& element : elements) {
    VYRE_TRY(Reference reference, read_reference(element, t1));
    t1.kernel.references.push_back(std::move(reference));
  }
  return {};
}

// Older files of KTT list references apart from the arguments that they belong to.
Expected<void> read_pair(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  std::string reference_name;
  std::string target_name;
  VYRE_TRY_VOID(fields.required_text("ReferenceName", reference_name));
  VYRE_TRY_VOID(fields.required_text("TargetName", target_name));
  const auto has_name = [&](const Reference& r) { return r.data.name == reference_name; };
  const auto found = std::ranges::find_if(t1.kernel.references, has_name);
  if (found == t1.kernel.references.end()) {
    return node.expected("the name of one of the ReferenceArguments");
  }
  found->target_name = target_name;
  return fields.keep_unknown();
}

Expected<void> read_reference_data(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  VYRE_TRY(const auto list, fields.find("ReferenceArguments"));
  if (list) VYRE_TRY_VOID(read_list(*list, t1));
  VYRE_TRY(const auto pairs, fields.find("ValidationPairs"));
  if (pairs) {
    VYRE_TRY(const std::vector<JsonNode> elements, pairs->elements());
    VYRE_TRY_VOID(check_count(*pairs, kMostParts));
    for (const JsonNode& element : elements) VYRE_TRY_VOID(read_pair(element, t1));
  }
  return fields.keep_unknown();
}

}  // namespace

Expected<ArgumentSpecification> read_argument(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  VYRE_TRY_VOID(fields.at("Type"));
  VYRE_TRY_VOID(fields.at("MemoryType"));
  VYRE_TRY(ArgumentSpecification out, read_fields(fields));
  VYRE_TRY_VOID(fields.keep_unknown());
  return out;
}

Expected<void> read_references(const JsonNode& kernel, T1File& t1) {
  VYRE_TRY(const auto list, kernel.find("ReferenceArguments"));
  if (list) VYRE_TRY_VOID(read_list(*list, t1));
  VYRE_TRY(const auto data, kernel.find("ReferenceData"));
  if (data) VYRE_TRY_VOID(read_reference_data(*data, t1));
  return {};
}

}  // namespace vyre::recording
