#include "cli/decisions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/files/paths.h"
#include "base/hex.h"
#include "base/json_value.h"
#include "base/text.h"
#include "vyre/fuse.h"

namespace vyre::cli {
namespace {

Json json_of(const Estimate& estimate) {
  return {{"ns", estimate.ns}, {"low_ns", estimate.low_ns}, {"high_ns", estimate.high_ns}};
}

// Null: not known. Without an interval it is the ratio of two estimates.
Json gain_json(const Decision& d) {
  const auto times = times_faster(d);
  if (!times) return {};
  if (d.gain.pairs == 0) return {{"times", *times}};
  return {{"times", *times}, {"low", d.gain.low}, {"high", d.gain.high}, {"pairs", d.gain.pairs}};
}

Json json_of(const std::vector<KernelFacts>& kernels) {
  Json out = Json::array();
  for (const KernelFacts& kernel : kernels) {
    out.push_back({{"registers", kernel.registers},
                   {"private_bytes", kernel.private_bytes},
                   {"local_bytes", kernel.local_bytes}});
  }
  return out;
}

// What an abbreviation stands for: a key, or the name of a program. Empty: neither starts so.
std::string meaning_of(const Listed& listed, const std::string& which) {
  if (std::string key = to_string(listed.key); key.starts_with(which)) return key;
  return listed.decision.program.starts_with(which) ? quote(listed.decision.program) : "";
}

Expected<void> check_means_one(const std::vector<Listed>& found, const std::string& which) {
  constexpr std::size_t kMostShown = 5;
  std::set<std::string> meanings;
  for (const Listed& l : found) meanings.insert(meaning_of(l, which));
  if (meanings.size() == 1) return {};
  std::string list;
  for (const std::string& meaning : meanings | std::views::take(kMostShown)) {
    const bool is_name = meaning.starts_with('"');
    list += (list.empty() ? "" : ", ");
    list += is_name ? meaning : meaning.substr(0, which.size() + kShownOfKey);
  }
  if (meanings.size() > kMostShown)
    list += fmt::format(" and {} more", meanings.size() - kMostShown);
  return bad_inputs("{} is the beginning of {}; give more of it", quote(which), list);
}

// Every word that would have been right, keys as long as a list shows them.
std::string nearest_decision(const std::vector<Listed>& listed, const std::string& which) {
  if (which.empty()) return "";
  std::vector<std::string> known;
  for (const Listed& l : listed) {
    if (!l.decision.program.empty()) known.push_back(l.decision.program);
    known.push_back(to_string(l.key).substr(0, std::min(which.size(), kShownOfKey)));
  }
  return did_you_mean(std::string_view(which).substr(0, kShownOfKey), known);
}

}  // namespace

Expected<std::vector<std::filesystem::path>> files_of(const std::string& named) {
  if (!named.empty()) return std::vector<std::filesystem::path>{named};
  const Environment environment = from_env();
  if (environment.files.folder.empty()) return bad_inputs("{}", environment.warnings.back());
  std::vector<std::filesystem::path> out;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(decisions_folder(environment.files), ignored)) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

Expected<std::vector<Listed>> decisions_of(const std::string& named) {
  VYRE_TRY(const auto files, files_of(named));
  std::vector<Listed> out;
  for (const auto& file : files) {
    VYRE_TRY(FileContent content, read_content(file));
    content.entries.for_each([&](FileEntry&& entry) {
      out.push_back({.file = file,
                     .key = entry.key,
                     .identity_id = entry.identity,
                     .identity = content.identities[entry.identity],
                     .decision = std::move(entry.decision)});
    });
  }
  return out;
}

Expected<std::vector<Listed>> find_decisions(const std::string& named, const std::string& which) {
  constexpr std::size_t kFewestBytes = 7;  // "v2-" and four digits
  const bool is_key = which.starts_with("v1-") || which.starts_with("v2-");
  if (is_key && which.size() < kFewestBytes) {
    return bad_inputs("key {} is too short; give \"v2-\" and at least four digits", quote(which));
  }
  VYRE_TRY(const auto listed, decisions_of(named));
  std::vector<Listed> found;
  const auto has_name = [&](const Listed& l) { return l.decision.program == which; };
  const auto starts_so = [&](const Listed& l) { return !meaning_of(l, which).empty(); };
  if (!which.empty()) std::ranges::copy_if(listed, std::back_inserter(found), has_name);
  if (!found.empty()) return found;
  if (!which.empty()) std::ranges::copy_if(listed, std::back_inserter(found), starts_so);
  if (found.empty()) {
    return bad_inputs("there is no decision {}{}; `vyre cache list` shows all", quote(which),
                      nearest_decision(listed, which));
  }
  VYRE_TRY_VOID(check_means_one(found, which));
  return found;
}

void mark_today(std::vector<Listed>& listed) {
  std::set<std::string> ids{""};  // of an original's line, which is valid for any device
  for (const Backend& backend : backends()) {
    const auto devices = backend.open({});
    if (!devices) continue;
    for (const auto& device : *devices) ids.insert(id_of(identity_of(device->info())));
  }
  for (Listed& l : listed) l.is_today = ids.contains(l.identity_id);
}

void print_event(const Event& event) { fmt::print(stderr, "vyre: {}\n", escaped(event.message)); }

Json to_json(const Listed& listed) {
  const Decision& d = listed.decision;
  Json out{{"key", to_string(listed.key)},
           {"file", listed.file.string()},
           {"program", d.program},
           {"fingerprint", to_hex(d.fingerprint)},
           {"shape", d.shape},
           {"config", to_json(d.config)},
           {"plan", fuse::describe_plan(d.config)},
           {"space", d.space},
           {"elapsed", json_of(d.elapsed)},
           {"default", json_of(d.default_elapsed)},
           {"gain", gain_json(d)},
           {"samples", d.samples},
           {"ties", d.tied_candidates},
           {"verified", d.verified},
           {"host_clock", d.host_clock},
           {"drift", d.drift > 0 ? Json(d.drift) : Json()},
           {"kernels", json_of(d.kernels)},
           {"id", listed.identity_id.empty() ? Json() : Json(id_of(d, listed.identity))},
           {"supersedes", d.supersedes.ids},
           {"strategy", d.strategy},
           {"when", d.decided_at},
           {"by", d.version}};
  if (d.runner_up) {
    out["runner_up"] = {{"config", to_json(d.runner_up->config)},
                        {"elapsed", json_of(d.runner_up->elapsed)}};
  }
  out["identity"] = {{"id", listed.identity_id},
                     {"backend", listed.identity.backend},
                     {"platform", listed.identity.platform},
                     {"device", listed.identity.device},
                     {"driver", listed.identity.driver},
                     {"language", listed.identity.language},
                     {"limits", listed.identity.limits}};
  if (listed.is_today) out["today"] = *listed.is_today;
  return out;
}

}  // namespace vyre::cli
