#include "decisions/fields.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/hex.h"
#include "base/text.h"

namespace vyre {
namespace {

using toml::Array;
using toml::Node;
using toml::Table;

Node node_of(const Value& value) {
  return std::visit([](const auto& v) { return Node{v}; }, value);
}

std::optional<Value> value_of(const Node& node) {
  if (const auto* v = node.as<bool>()) return *v;
  if (const auto* v = node.as<std::int64_t>()) return *v;
  if (const auto* v = node.as<double>()) return *v;
  if (const auto* v = node.as<std::string>()) return *v;
  return std::nullopt;
}

Node node_of(const Config& config) {
  Table out;
  for (const auto& [name, value] : config.entries()) at(out, name) = node_of(value);
  return {std::move(out)};
}

Node node_of(const Estimate& estimate) {
  return {Array{Node{estimate.ns}, Node{estimate.low_ns}, Node{estimate.high_ns}}};
}

Node node_of(const Gain& gain) {
  return {Table{{"high", {gain.high}},
                {"low", {gain.low}},
                {"pairs", {std::int64_t{gain.pairs}}},
                {"times", {gain.times}}}};
}

Node node_of(const Superseded& superseded) {
  Array ids;
  for (const std::string& id : superseded.ids) ids.push_back(Node{id});
  return {Table{{"ids", {std::move(ids)}}, {"samples", {std::int64_t{superseded.samples}}}}};
}

Node node_of(const std::vector<KernelFacts>& kernels) {
  Array out;
  for (const KernelFacts& k : kernels) {
    out.push_back({Array{Node{std::int64_t{k.registers}}, Node{std::int64_t{k.private_bytes}},
                         Node{std::int64_t{k.local_bytes}}}});
  }
  return {std::move(out)};
}

// One function per type of field. Each says whether the node has a value of that type.
bool read(const Node& node, std::string& out) {
  const auto* text = node.as<std::string>();
  if (text != nullptr) out = *text;
  return text != nullptr;
}

bool read(const Node& node, bool& out) {
  const bool* value = node.as<bool>();
  if (value != nullptr) out = *value;
  return value != nullptr;
}

bool read(const Node& node, std::int64_t& out) {
  const auto* value = node.as<std::int64_t>();
  if (value != nullptr) out = *value;
  return value != nullptr;
}

bool read(const Node& node, std::uint32_t& out) {
  const auto* value = node.as<std::int64_t>();
  if (value == nullptr || !std::in_range<std::uint32_t>(*value)) return false;
  out = static_cast<std::uint32_t>(*value);
  return true;
}

bool read(const Node& node, double& out) {
  const auto* integer = node.as<std::int64_t>();
  const auto* real = node.as<double>();
  if (integer != nullptr) out = static_cast<double>(*integer);
  if (real != nullptr) out = *real;
  return (integer != nullptr || real != nullptr) && std::isfinite(out) && out >= 0;
}

template <class T>
bool read(const Node& node, std::vector<T>& out) {
  const auto* array = node.as<Array>();
  if (array == nullptr) return false;
  for (const Node& element : *array) {
    const auto* value = element.as<std::int64_t>();
    if (value == nullptr || !std::in_range<T>(*value)) return false;
    out.push_back(static_cast<T>(*value));
  }
  return true;
}

bool read(const Node& node, Estimate& out) {
  const auto* array = node.as<Array>();
  return array != nullptr && array->size() == 3 && read((*array)[0], out.ns) &&
         read((*array)[1], out.low_ns) && read((*array)[2], out.high_ns);
}

bool read(const Node& node, std::vector<std::string>& out) {
  const auto* array = node.as<Array>();
  if (array == nullptr) return false;
  for (const Node& element : *array) {
    if (!read(element, out.emplace_back())) return false;
  }
  return true;
}

bool read(const Node& node, Config& out) {
  const auto* table = node.as<Table>();
  if (table == nullptr) return false;
  for (const auto& [name, value] : *table) {
    const auto known = value_of(value);
    if (!known) return false;
    out.set(name, *known);
  }
  return true;
}

bool read(const Node& node, ir::Fingerprint& out) {
  const auto* text = node.as<std::string>();
  return text != nullptr && from_hex(*text, out);
}

// [registers, private bytes, local bytes] of each kernel.
bool read(const Node& node, std::vector<KernelFacts>& out) {
  const auto* array = node.as<Array>();
  if (array == nullptr) return false;
  for (const Node& element : *array) {
    std::vector<std::uint32_t> numbers;
    if (!read(element, numbers) || numbers.size() != 3) return false;
    out.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return true;
}

// Whether the table has exactly these fields, each of its type.
template <class... Fields>
bool read_all(const Table& table, Fields&&... fields) {
  const auto read_one = [&](const auto& field) {
    const Node* node = find(table, field.first);
    return node != nullptr && read(*node, *field.second);
  };
  return table.size() == sizeof...(fields) && (read_one(fields) && ...);
}

bool read(const Node& node, std::optional<RunnerUp>& out) {
  const auto* table = node.as<Table>();
  if (table == nullptr) return false;
  out.emplace();
  return read_all(*table, std::pair("config", &out->config), std::pair("elapsed", &out->elapsed));
}

bool read(const Node& node, Gain& out) {
  const auto* table = node.as<Table>();
  return table != nullptr &&
         read_all(*table, std::pair("high", &out.high), std::pair("low", &out.low),
                  std::pair("pairs", &out.pairs), std::pair("times", &out.times));
}

bool read(const Node& node, Superseded& out) {
  const auto* table = node.as<Table>();
  return table != nullptr &&
         read_all(*table, std::pair("ids", &out.ids), std::pair("samples", &out.samples));
}

// Takes fields out of a table by name, the names in ascending order as the table has them, so that
// one pass over the table finds all. A field that is missing keeps its default. A field of the
// wrong type makes the whole entry wrong.
class FieldReader {
 public:
  explicit FieldReader(Table& fields) : fields_(fields) {}

  template <class T>
  FieldReader& take(std::string_view name, T& out) {
    while (at_ < fields_.size() && fields_[at_].first < name) unknown_.push_back(at_++);
    if (at_ == fields_.size() || fields_[at_].first != name) return *this;
    if (!read(fields_[at_++].second, out) && wrong_.empty()) wrong_ = name;
    return *this;
  }

  std::string_view wrong() const { return wrong_; }

  // Only the fields that nobody has asked for stay.
  void remove_taken() {
    while (at_ < fields_.size()) unknown_.push_back(at_++);
    for (std::size_t k = 0; k < unknown_.size(); ++k) {
      if (unknown_[k] != k) fields_[k] = std::move(fields_[unknown_[k]]);
    }
    fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(unknown_.size()), fields_.end());
  }

 private:
  Table& fields_;
  std::size_t at_ = 0;                // all before it are read or unknown
  std::vector<std::size_t> unknown_;  // places, ascending
  std::string_view wrong_;
};

bool fits_integers(const std::vector<std::uint64_t>& counts) {
  return std::ranges::all_of(counts,
                             [](std::uint64_t c) { return std::in_range<std::int64_t>(c); });
}

template <class T>
Node list_of(const std::vector<T>& numbers) {
  Array out;
  for (const T number : numbers) out.push_back(Node{static_cast<std::int64_t>(number)});
  return {std::move(out)};
}

}  // namespace

Expected<Decision> read_decision(Table& table) {
  Decision out;
  FieldReader fields(table);
  fields.take("by", out.version)
      .take("config", out.config)
      .take("default", out.default_elapsed)
      .take("drift", out.drift)
      .take("elapsed", out.elapsed)
      .take("fingerprint", out.fingerprint)
      .take("gain", out.gain)
      .take("host_clock", out.host_clock)
      .take("kernels", out.kernels)
      .take("program", out.program)
      .take("runner_up", out.runner_up)
      .take("samples", out.samples)
      .take("shape", out.shape)
      .take("space", out.space)
      .take("strategy", out.strategy)
      .take("supersedes", out.supersedes)
      .take("ties", out.tied_candidates)
      .take("verified", out.verified)
      .take("when", out.decided_at);
  if (!fields.wrong().empty()) return bad_inputs("its field {} is wrong", quote(fields.wrong()));
  if (find(table, "config") == nullptr) return bad_inputs("it has no field \"config\"");
  fields.remove_taken();
  return out;
}

Table fields_of(const Decision& decision) {
  Table out;
  const auto put = [&](std::string_view name, bool is_known, Node&& node) {
    if (is_known) out.emplace_back(std::string(name), std::move(node));
  };
  put("by", !decision.version.empty(), {decision.version});
  put("config", true, node_of(decision.config));
  put("default", decision.default_elapsed != Estimate{}, node_of(decision.default_elapsed));
  put("drift", decision.drift != 0, {decision.drift});
  put("elapsed", decision.elapsed != Estimate{}, node_of(decision.elapsed));
  put("fingerprint", decision.fingerprint != ir::Fingerprint{}, {to_hex(decision.fingerprint)});
  put("gain", decision.gain.pairs > 0, node_of(decision.gain));
  put("host_clock", decision.host_clock, {true});
  put("kernels", !decision.kernels.empty(), node_of(decision.kernels));
  put("program", !decision.program.empty(), {decision.program});
  if (decision.runner_up) {
    put("runner_up", true,
        {Table{{"config", node_of(decision.runner_up->config)},
               {"elapsed", node_of(decision.runner_up->elapsed)}}});
  }
  put("samples", true, {std::int64_t{decision.samples}});
  put("shape", !decision.shape.empty() && fits_integers(decision.shape), list_of(decision.shape));
  put("space", !decision.space.empty(), {decision.space});
  put("strategy", !decision.strategy.empty(), {decision.strategy});
  put("supersedes", decision.supersedes != Superseded{}, node_of(decision.supersedes));
  put("ties", decision.tied_candidates != 1, {std::int64_t{decision.tied_candidates}});
  put("verified", decision.verified, {true});
  put("when", decision.decided_at != 0, {decision.decided_at});
  return out;
}

std::optional<Identity> read_identity(Table& table) {
  Identity out;
  FieldReader fields(table);
  fields.take("backend", out.backend)
      .take("device", out.device)
      .take("driver", out.driver)
      .take("language", out.language)
      .take("limits", out.limits)
      .take("platform", out.platform);
  if (!fields.wrong().empty()) return std::nullopt;
  fields.remove_taken();
  return out;
}

Table fields_of(const Identity& identity) {
  return {{"backend", {identity.backend}},      {"device", {identity.device}},
          {"driver", {identity.driver}},        {"language", {identity.language}},
          {"limits", list_of(identity.limits)}, {"platform", {identity.platform}}};
}

void merge_fields(Table& into, Table&& fields) {
  if (into.empty()) {
    into = std::move(fields);
    return;
  }
  for (auto& [name, node] : fields) at(into, name) = std::move(node);
}

std::optional<Extent> workgroup_from(const Node& node) {
  std::vector<std::uint32_t> sizes;
  if (!read(node, sizes) || sizes.size() != 3 || std::ranges::count(sizes, 0U) != 0) {
    return std::nullopt;
  }
  return Extent{sizes[0], sizes[1], sizes[2]};
}

Node workgroup_node(const Extent& size) {
  return list_of(std::vector<std::uint32_t>(size.begin(), size.end()));
}

}  // namespace vyre
