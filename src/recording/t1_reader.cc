#include "recording/t1_reader.h"

#include <array>

#include "base/error.h"
#include "base/text.h"
#include "recording/read_configuration_space.h"
#include "recording/read_kernel.h"
#include "recording/t1_fields.h"

namespace vyre::recording {
namespace {

constexpr std::array<std::string_view, 5> kLoggingLevels{"Off", "Error", "Warning", "Info",
                                                         "Debug"};
constexpr std::array<std::string_view, 4> kTimeUnits{"Nanoseconds", "Microseconds", "Milliseconds",
                                                     "Seconds"};
// JSON_T4 is KTT's.
constexpr std::array<std::string_view, 3> kOutputFormats{"JSON", "JSON_T4", "XML"};

Expected<void> read_general(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  General& general = t1.general;
  VYRE_TRY_VOID(fields.text("BenchmarkName", general.benchmark_name));
  VYRE_TRY_VOID(fields.expression("FormatVersion", general.format_version));
  VYRE_TRY_VOID(fields.word("LoggingLevel", kLoggingLevels, general.logging_level));
  VYRE_TRY_VOID(fields.word("TimeUnit", kTimeUnits, general.time_unit));
  VYRE_TRY_VOID(fields.text("OutputFile", general.output_file));
  VYRE_TRY_VOID(fields.word("OutputFormat", kOutputFormats, general.output_format));
  return fields.keep_unknown();
}

Expected<BudgetSpecification> read_budget(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  BudgetSpecification out;
  VYRE_TRY(const JsonNode type, fields.at("Type"));
  VYRE_TRY(const std::string word, type.text());
  if (word == "TuningDuration") {
    out.kind = BudgetKind::seconds;
  } else if (word == "ConfigurationFraction") {
    out.kind = BudgetKind::fraction;
  } else if (word != "ConfigurationCount") {
    return type.expected("TuningDuration, ConfigurationCount or ConfigurationFraction");
  }
  VYRE_TRY(const JsonNode value, fields.at("BudgetValue"));
  VYRE_TRY(out.value, value.number());
  if (out.value < 0) return value.expected("a number that is not negative");
  VYRE_TRY_VOID(fields.keep_unknown());
  return out;
}

// A list; in KTT's older files a single budget.
Expected<void> read_budgets(const JsonNode& node, T1File& t1) {
  if (!node.json().is_array()) {
    VYRE_TRY(const BudgetSpecification budget, read_budget(node, t1));
    t1.budget.push_back(budget);
    return {};
  }
  VYRE_TRY(const std::vector<JsonNode> elements, node.elements());
  for (const JsonNode& element : elements) {
    VYRE_TRY(const BudgetSpecification budget, read_budget(element, t1));
    t1.budget.push_back(budget);
  }
  return {};
}

Expected<void> read_attribute(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  std::string name;
  VYRE_TRY_VOID(fields.required_text("Name", name));
  VYRE_TRY(const JsonNode value, fields.at("Value"));
  const Json& json = value.json();
  std::string text = value.is_text() ? json.get<std::string>()
                                     : json.dump(-1, ' ', false, Json::error_handler_t::replace);
  t1.search.attributes.emplace_back(std::move(name), std::move(text));
  return fields.keep_unknown();
}

Expected<void> read_search(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  VYRE_TRY_VOID(fields.required_text("Name", t1.search.name));
  VYRE_TRY(const auto attributes, fields.find("Attributes"));
  if (attributes) {
    VYRE_TRY(const std::vector<JsonNode> elements, attributes->elements());
    for (const JsonNode& element : elements) VYRE_TRY_VOID(read_attribute(element, t1));
  }
  return fields.keep_unknown();
}

}  // namespace

Expected<T1File> read_t1_document(const JsonNode& root) {
  T1File t1;
  Fields fields(root, t1);
  VYRE_TRY(const JsonNode space, fields.at("ConfigurationSpace"));
  VYRE_TRY_VOID(read_configuration_space(space, t1));
  VYRE_TRY(const JsonNode kernel, fields.at("KernelSpecification"));
  if (kernel.json().is_array()) {
    return bad_inputs("{}: a list of kernels; a file describes one: write a file for each",
                      kernel.where());
  }
  VYRE_TRY_VOID(read_kernel_specification(kernel, t1));
  VYRE_TRY(const auto general, fields.find("General"));
  if (general) VYRE_TRY_VOID(read_general(*general, t1));
  VYRE_TRY(const auto budget, fields.find("Budget"));
  if (budget) VYRE_TRY_VOID(read_budgets(*budget, t1));
  VYRE_TRY(const auto search, fields.find("Search"));
  if (search) VYRE_TRY_VOID(read_search(*search, t1));
  VYRE_TRY_VOID(fields.keep_unknown());
  return t1;
}

}  // namespace vyre::recording
