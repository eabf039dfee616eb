// `vyre explain KEY`: why a configuration was chosen, and on which evidence.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/decisions.h"
#include "cli/export.h"
#include "cli/find_history.h"
#include "report/campaign_plot.h"

namespace vyre::cli {
namespace {

void print(const Listed& listed) {
  fmt::print("{}", report::lines_of(listed.key, report::facts_of(listed)));
}

struct ExplainOptions {
  std::string key, file, plot;
  bool json = false;
};

Expected<void> check_is_one(const std::vector<Listed>& found, const std::string& which) {
  if (found.size() == 1) return {};
  std::set<std::string> keys;
  for (const Listed& l : found) keys.insert(to_string(l.key).substr(0, kShownOfKey));
  if (keys.size() == 1) {
    return bad_inputs("{} decisions have the key {}; name the file of one with --file",
                      found.size(), *keys.begin());
  }
  return bad_inputs("{} has {} decisions, and one can be drawn; give its key: {}", quote(which),
                    found.size(), fmt::join(keys, ", "));
}

// The plot is drawn before anything is printed: if it cannot be drawn, the error is the only
// output.
Expected<void> plot_of(const std::vector<Listed>& found, const ExplainOptions& options) {
  VYRE_TRY_VOID(check_is_one(found, options.key));
  VYRE_TRY(const FoundHistory history, find_history(found.front()));
  if (!history.is_of_decision) {
    fmt::print(stderr, "vyre: the plot is of a later campaign: the decision's own is gone\n");
  }
  return write_file_atomically(options.plot,
                               report::to_svg(report::campaign_figure(history.history)));
}

Expected<void> plot_journal(const ExplainOptions& options) {
  VYRE_TRY(const ReadJournal journal, read_journal(options.key));
  VYRE_TRY(const History history, history_of(journal));
  return write_file_atomically(options.plot, report::to_svg(report::campaign_figure(history)));
}

Expected<void> explain(const ExplainOptions& options) {
  const bool is_journal = options.key.ends_with(".jsonl");
  if (is_journal && options.plot.empty()) {
    return bad_inputs("a journal can only be drawn; add --plot OUT.svg, or give a key");
  }
  if (!options.plot.empty()) VYRE_TRY_VOID(check_writable(options.plot));
  if (is_journal) return plot_journal(options);
  VYRE_TRY(const auto found, find_decisions(options.file, options.key));
  if (!options.plot.empty()) VYRE_TRY_VOID(plot_of(found, options));
  if (options.json) return print_json(found);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k != 0) fmt::print("\n");
    print(found[k]);
  }
  return {};
}

}  // namespace

void add_explain(Command& vyre, Context& context) {
  auto o = std::make_shared<ExplainOptions>();
  Command command = vyre.add("explain", "Say why a configuration was chosen");
  command.option(
      "key", o->key,
      "Key of the decision or name of the program, or how one of them starts; with --plot "
      "a campaign's journal, too",
      {.required = true});
  command.option("--file", o->file, "File of decisions; else all of the user's");
  command.flag("--json", o->json, "As JSON, all fields");
  command.option("--plot", o->plot,
                 "Draw the campaign's samples, and what the race dropped when, into this "
                 "file: SVG");
  command.callback([&context, o] { context.action = [o] { return explain(*o); }; });
}

}  // namespace vyre::cli
