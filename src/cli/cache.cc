// `vyre cache ...`: shows the remembered decisions and takes care of their files.

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files/paths.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/decisions.h"
#include "cli/export.h"
#include "cli/table.h"

namespace vyre::cli {
namespace {

struct CacheCommand {
  std::string file;  // --file
  bool json = false;
  std::string key;
  std::string format = "json";
  std::string into;
  std::string from;
  double older_than_days = -1;
  std::string identity;
  bool skipped = false;
};

Expected<void> list(const CacheCommand& o) {
  VYRE_TRY(auto listed, decisions_of(o.file));
  mark_today(listed);
  if (o.json) return print_json(listed);
  Table table({{"key"},
               {"valid"},
               {"program"},
               {"elapsed", Align::right},
               {"gain", Align::right},
               {"samples", Align::right}},
              kTerminalWidth);
  for (const Listed& l : listed) {
    const Decision& d = l.decision;
    const auto gain = times_faster(d);
    table.add({to_string(l.key).substr(0, kShownOfKey), *l.is_today ? "today" : "seed",
               d.program.empty() ? "" : quote(d.program), time_text(d.elapsed.ns),
               gain ? fmt::format("{:.2f} x", *gain) : "", std::to_string(d.samples)});
    table.note(to_string(d.config));
    table.note(shape_text(d.shape));
    table.note(l.identity.device.empty() ? "" : quote(l.identity.device));
  }
  fmt::print("{}{} decision(s)\n", listed.empty() ? "" : table.text(), listed.size());
  return {};
}

Expected<void> show(const CacheCommand& o) {
  VYRE_TRY(const auto found, find_decisions(o.file, o.key));
  if (o.json) return print_json(found);
  for (const Listed& l : found) {
    FileContent alone;
    alone.entries.push_back({l.key, l.identity_id, l.decision});
    if (!l.identity_id.empty()) alone.identities.emplace(l.identity_id, l.identity);
    fmt::print("# {}\n{}", quote_path(l.file.native()), print_content(alone));
  }
  return {};
}

Expected<void> verify(const CacheCommand& o) {
  VYRE_TRY(const auto files, files_of(o.file));
  std::size_t problems = 0;
  for (const auto& file : files) {
    const auto content = read_content(file);
    if (!content) {
      ++problems;
      fmt::print("{}\n", content.error().message);
      continue;
    }
    for (const std::string& warning : content->warnings) fmt::print("{}\n", warning);
    problems += content->warnings.size();
    fmt::print("{}: {} decision(s), {} skipped\n", quote_path(file.native()),
               content->entries.size(), content->warnings.size());
  }
  if (problems == 0) return {};
  return bad_inputs("{} problem(s) found; `vyre cache prune --skipped` removes skipped entries",
                    problems);
}

std::int64_t now_seconds() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

bool is_pruned(const CacheCommand& o, const FileEntry& entry) {
  const double age_days =
      static_cast<double>(now_seconds() - entry.decision.decided_at) / (24.0 * 3600);
  const bool is_old = o.older_than_days >= 0 && age_days > o.older_than_days;
  return is_old || (!o.identity.empty() && entry.identity == o.identity);
}

Expected<void> prune(const CacheCommand& o) {
  if (o.older_than_days < 0 && o.identity.empty() && !o.skipped) {
    return bad_inputs("nothing to prune by; give --older-than, --identity or --skipped");
  }
  VYRE_TRY(const auto files, files_of(o.file));
  for (const auto& file : files) {
    std::size_t removed = 0;
    VYRE_TRY_VOID(edit_content(file, [&](FileContent& content) {
      removed = content.entries.erase_if([&](const FileEntry& e) { return is_pruned(o, e); });
      if (o.skipped) {
        removed += content.warnings.size();
        content.rest.clear();
      }
      return removed != 0;
    }));
    fmt::print("{}: {} removed\n", quote_path(file.native()), removed);
  }
  return {};
}

// Removes what find_decisions finds. A process that has read such a decision before brings it back
// when it saves another one.
Expected<void> remove(const CacheCommand& o) {
  VYRE_TRY(const auto found, find_decisions(o.file, o.key));
  std::map<std::filesystem::path, std::set<std::pair<Key, std::string>>> places;
  for (const Listed& l : found) {
    places[l.file].emplace(l.key, l.identity_id);
    fmt::print("{} {} {}\n", to_string(l.key).substr(0, kShownOfKey), quote(l.decision.program),
               to_string(l.decision.config));
  }
  for (const auto& [file, entries] : places) {
    std::size_t removed = 0;
    VYRE_TRY_VOID(edit_content(file, [&](FileContent& content) {
      removed = content.entries.erase_if(
          [&](const FileEntry& e) { return entries.contains({e.key, e.identity}); });
      return removed != 0;
    }));
    fmt::print("{}: {} removed\n", quote_path(file.native()), removed);
  }
  return {};
}

// Adds the decisions of `from` to those of `into`, by the rules of DecisionCache::offer.
Expected<void> take(const std::string& from, const std::filesystem::path& into) {
  auto cache = DecisionCache::open({.file = into, .events = print_event});
  if (const auto error = cache.load_error()) return std::unexpected(*error);
  VYRE_TRY(const std::string text, read_named_file(from, CacheOptions{}.limit_bytes));
  VYRE_TRY(const std::size_t kept, cache.import(text, from));
  VYRE_TRY_VOID(cache.save());
  fmt::print("{}: {} taken from {}, {} decision(s) now\n", quote_path(into.native()), kept,
             quote_path(from), cache.size());
  return {};
}

Expected<void> merge(const CacheCommand& o) { return take(o.from, o.into); }

// Without --file: into the user's file of the same name.
Expected<void> import(const CacheCommand& o) {
  if (!o.file.empty()) return take(o.from, o.file);
  const Environment environment = from_env();
  if (environment.files.folder.empty()) return bad_inputs("{}", environment.warnings.back());
  const std::string stem = std::filesystem::path(o.from).stem().native();
  return take(o.from, decisions_file(environment.files, stem));
}

Expected<void> export_(const CacheCommand& o) {
  VYRE_TRY(const auto listed, decisions_of(o.file));
  return print_as(o.format, listed);
}

// A subcommand of `cache`; `describe` adds what it takes beside --file.
void add(Command& cache, Context& context, const char* name, const char* what,
         Expected<void> (*action)(const CacheCommand&),
         const std::function<void(Command&, CacheCommand&)>& describe) {
  auto o = std::make_shared<CacheCommand>();
  Command command = cache.add(name, what);
  describe(command, *o);
  command.callback([&context, action, o] { context.action = [action, o] { return action(*o); }; });
}

void file_option(Command& c, CacheCommand& o) {
  c.option("--file", o.file, "File of decisions; else all of the user's");
}

}  // namespace

void add_cache(Command& vyre, Context& context) {
  Command cache = vyre.add("cache", "Look at remembered decisions, and after them");
  cache.require_subcommand();
  add(cache, context, "list", "All decisions: those of today's devices, and seeds", list,
      [](Command& c, CacheCommand& o) {
        file_option(c, o);
        c.flag("--json", o.json, "As JSON, all fields");
      });
  add(cache, context, "show", "Decisions as they stand in the file", show,
      [](Command& c, CacheCommand& o) {
        c.option("key", o.key,
                 "Key of the decision or name of the program, or how one of them starts",
                 {.required = true});
        file_option(c, o);
        c.flag("--json", o.json, "As JSON, all fields");
      });
  add(cache, context, "verify", "Read every file and name what is wrong", verify, file_option);
  add(cache, context, "prune", "Remove decisions", prune, [](Command& c, CacheCommand& o) {
    file_option(c, o);
    c.option("--older-than", o.older_than_days, "Days", {.range = {{0, 1e6}}});
    c.option("--identity", o.identity, "All that were made under this id");
    c.flag("--skipped", o.skipped, "What cannot be understood");
  });
  add(cache, context, "remove", "Remove the decisions of a key or of a program", remove,
      [](Command& c, CacheCommand& o) {
        c.option("key", o.key,
                 "Key of the decision or name of the program, or how one of them starts",
                 {.required = true});
        file_option(c, o);
      });
  add(cache, context, "merge", "Add one file's decisions to another's", merge,
      [](Command& c, CacheCommand& o) {
        c.option("into", o.into, "File that grows", {.required = true});
        c.option("from", o.from, "File that is read", {.required = true});
      });
  add(cache, context, "export", "Write decisions to standard output", export_,
      [](Command& c, CacheCommand& o) {
        file_option(c, o);
        c.option("--format", o.format, "v1: the original's lines; json; c-header: to embed",
                 {.shows_default = true, .one_of = {"v1", "json", "c-header"}});
      });
  add(cache, context, "import", "Take decisions from a file", import,
      [](Command& c, CacheCommand& o) {
        c.option("from", o.from, "File of decisions, ours or the original's", {.required = true});
        c.option("--file", o.file, "File that grows; else the user's of the same name");
      });
}

}  // namespace vyre::cli
