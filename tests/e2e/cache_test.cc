// `vyre cache` and `vyre explain` as a user sees them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/whole_file.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "vyre/decisions.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Arguments = std::vector<std::string>;

const std::string kV1 = "v1-" + std::string(64, 'a');

struct CacheCli : ::testing::Test {
  CacheCli() {
    auto cache = DecisionCache::open(
        {.adapter = "gpu",
         .folder = folder / "vyre/tuner",
         .identity = {.backend = "opencl", .device = "Some GPU", .driver = "550"}});
    cache.offer(key, {.program = "saxpy",
                      .fingerprint = {1},
                      .shape = {1024, 77},
                      .config = {{"block", std::int64_t{32}}, {"lds", true}},
                      .space = "5pace",
                      .elapsed = {1200, 1100, 1300},
                      .default_elapsed = {2400, 2300, 2500},
                      .samples = 31,
                      .tied_candidates = 2,
                      .runner_up = RunnerUp{{{"block", std::int64_t{64}}}, {1250, 1200, 1300}},
                      .verified = true,
                      .strategy = "natural",
                      .decided_at = 1'763'000'000,
                      .version = "0.1.0"});
    cache.offer(*parse_key(kV1), {.config = workgroup_config({128, 1, 1})});
    EXPECT_TRUE(cache.save());
    file = cache.file();
    key_text = to_string(key);
  }

  testing::CommandResult vyre(Arguments arguments) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    return testing::run_command(arguments,
                                {.environment = {"XDG_CACHE_HOME=" + folder.path().string()}});
  }

  void fails(const Arguments& arguments, const std::string& message, int code = 1) const {
    const auto result = vyre(arguments);
    EXPECT_EQ(result.exit_code, code) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
  }

  // What is printed when the one decision of saxpy goes.
  std::string removed() const {
    return key_text.substr(0, 15) + " \"saxpy\" block=32, lds=true\n\"" + file.string() +
           "\": 1 removed\n";
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
  }

  testing::TemporaryFolder folder;
  std::filesystem::path file;
  Key key = key_of({1}, std::array<std::uint64_t, 2>{1024, 77});
  std::string key_text;
};

TEST_F(CacheCli, ListsAndShows) {
  const auto list = vyre({"cache", "list"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_THAT(list.out, StartsWith("key "));
  EXPECT_THAT(list.out, HasSubstr("\"saxpy\""));
  EXPECT_THAT(list.out, HasSubstr("block=32, lds=true"));
  EXPECT_THAT(list.out, HasSubstr("1.2 us  2.00 x"));
  EXPECT_THAT(list.out, HasSubstr("2 decision(s)\n"));
  const auto json = nlohmann::json::parse(vyre({"cache", "list", "--json"}).out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["today"], false);
  EXPECT_EQ(json[1]["today"], true);  // a line of the original's
  EXPECT_EQ(json[0]["identity"]["driver"], "550");
  EXPECT_EQ(json[0]["runner_up"]["config"]["block"], 64);
  const auto show = vyre({"cache", "show", key_text.substr(0, 10), "--file", file.string()});
  EXPECT_EQ(show.exit_code, 0);
  EXPECT_THAT(show.out,
              HasSubstr(key_text + " = {by = \"0.1.0\", config = {block = 32, lds = true}"));
  EXPECT_THAT(show.out, HasSubstr("device = \"Some GPU\"\n"));
  EXPECT_EQ(nlohmann::json::parse(vyre({"cache", "show", kV1, "--json"}).out)[0]["key"], kV1);
}

TEST_F(CacheCli, ListSaysWhichDecisionsAreTodays) {
  Identity before = identity_of(open_reference()->info());
  before.limits.insert(before.limits.begin() + 4, std::int64_t{2} << 30U);  // as once: of a buffer
  auto cache = DecisionCache::open(
      {.file = folder / "today.toml", .identity = identity_of(open_reference()->info())});
  cache.offer(key, {.program = "new", .config = {{"block", std::int64_t{32}}}});
  cache.offer(key, {.program = "old", .config = {{"block", std::int64_t{64}}}}, before);
  ASSERT_TRUE(cache.save());
  const auto list = vyre({"cache", "list", "--file", (folder / "today.toml").string()});
  EXPECT_THAT(list.out, HasSubstr(" today  \"new\""));
  EXPECT_THAT(list.out, HasSubstr(" seed   \"old\""));
}

TEST_F(CacheCli, Explains) {
  const auto result = vyre({"explain", key_text});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            key_text +
                "\n"
                "  program     \"saxpy\"\n"
                "  shape       1024 77\n"
                "  config      block=32, lds=true\n"
                "  elapsed     1.2 us (1.1 us to 1.3 us)\n"
                "  default     2.4 us (2.3 us to 2.5 us)\n"
                "  gain        2.00 times the default's speed\n"
                "  evidence    31 samples, output verified against a reference run\n"
                "  ties        2 candidates could not be told apart; the canonical one was taken\n"
                "  runner-up   block=64: 1.25 us (1.2 us to 1.3 us)\n"
                "  found by    \"natural\", over space \"5pace\"\n"
                "  when        2025-11-13 02:13 UTC, by vyre \"0.1.0\"\n"
                "  valid for   \"Some GPU\" on \"opencl\", driver \"550\"; elsewhere it is a seed\n"
                "  file        \"" +
                file.string() + "\"\n");
  EXPECT_THAT(vyre({"explain", kV1}).out,
              HasSubstr("evidence    none: taken on trust, never measured here\n"));
  EXPECT_EQ(nlohmann::json::parse(vyre({"explain", key_text, "--json"}).out)[0]["samples"], 31);
}

TEST_F(CacheCli, ExplainsGainDriftAndWhatWasReplaced) {
  const Identity identity{.backend = "opencl", .device = "Some GPU", .driver = "550"};
  auto cache = DecisionCache::open({.file = file, .identity = identity});
  const Decision old = cache.read(cache.find(key));
  Decision fresh = old;
  fresh.samples = 5;
  fresh.gain = {.times = 3, .low = 2.5, .high = 3.5, .pairs = 9};
  fresh.drift = 0.5;
  fresh.host_clock = true;
  supersede(fresh, old, identity);
  EXPECT_EQ(cache.offer(key, fresh), Offer::kept);
  ASSERT_TRUE(cache.save());
  const auto result = vyre({"explain", "saxpy"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      HasSubstr("  gain        3.00 times the default's speed (2.50 to 3.50), from 9 pair(s) "
                "of runs side by side\n"));
  EXPECT_THAT(result.out,
              HasSubstr("  drift       the device became 2.00 times faster while it was "
                        "measured; tune again when nothing else runs\n"));
  EXPECT_THAT(result.out, HasSubstr("  clock       the host's: the times contain the launch\n"));
  EXPECT_THAT(result.out, HasSubstr("  replaces    decision " + id_of(old, identity) + "\n"));
  EXPECT_THAT(vyre({"cache", "list"}).out, HasSubstr("3.00 x"));
  const auto json = nlohmann::json::parse(vyre({"cache", "export"}).out)[0];
  EXPECT_EQ(json["gain"],
            (nlohmann::json{{"times", 3.0}, {"low", 2.5}, {"high", 3.5}, {"pairs", 9}}));
  EXPECT_EQ(json["drift"], 0.5);
  EXPECT_EQ(json["host_clock"], true);
  EXPECT_EQ(json["supersedes"][0], id_of(old, identity));
  EXPECT_EQ(json["id"], id_of(fresh, identity));
}

// Files of earlier versions have such decisions.
TEST_F(CacheCli, ExplainDoesNotContradictItself) {
  auto cache = DecisionCache::open({.file = folder / "odd.toml"});
  cache.offer(key, {.config = {{"block", std::int64_t{32}}},
                    .elapsed = {1200, 1100, 1300},
                    .samples = 3,
                    .runner_up = RunnerUp{{{"block", std::int64_t{64}}}, {900, 800, 1000}}});
  ASSERT_TRUE(cache.save());
  EXPECT_THAT(vyre({"explain", key_text, "--file", (folder / "odd.toml").string()}).out,
              HasSubstr("  ties        not known: the runner-up was measured while the device was "
                        "faster; tune again\n"));
}

TEST_F(CacheCli, Removes) {
  EXPECT_EQ(vyre({"cache", "remove", key_text.substr(0, 12)}).out, removed());
  EXPECT_THAT(vyre({"cache", "list"}).out, HasSubstr("1 decision(s)\n"));
  fails({"cache", "remove", key_text},
        "vyre: there is no decision \"" + key_text + "\"; `vyre cache list` shows all\n");
}

TEST_F(CacheCli, RemovesByName) {
  fails({"cache", "remove", "saxpi"},
        "vyre: there is no decision \"saxpi\"; did you mean \"saxpy\"?; `vyre cache list` shows "
        "all\n");
  fails({"cache", "remove", ""}, "there is no decision \"\"");
  EXPECT_EQ(vyre({"cache", "remove", "saxpy"}).out, removed());
  EXPECT_THAT(vyre({"cache", "list"}).out, HasSubstr(kV1.substr(0, 15)));
}

TEST_F(CacheCli, TakesTheBeginningOfAName) {
  EXPECT_THAT(vyre({"explain", "sax"}).out, StartsWith(key_text + "\n"));
  auto cache = DecisionCache::open(
      {.file = file, .identity = {.backend = "opencl", .device = "Some GPU", .driver = "550"}});
  const auto add = [&](const char* program, std::uint64_t size) {
    cache.offer(key_of({1}, std::array{size}),
                {.program = program, .config = {{"block", std::int64_t{64}}}});
  };
  add("saxpy_rows", 7);
  add("saxpy_rows", 8);
  ASSERT_TRUE(cache.save());
  fails({"explain", "sax"},
        "vyre: \"sax\" is the beginning of \"saxpy\", \"saxpy_rows\"; give more of it\n");
  fails({"cache", "remove", "sax"}, "is the beginning of");
  EXPECT_THAT(vyre({"explain", "saxpy"}).out, StartsWith(key_text + "\n")) << "the whole name";
  fails({"explain", "saxpy_rows", "--plot", (folder / "x.svg").string()},
        "vyre: \"saxpy_rows\" has 2 decisions, and one can be drawn; give its key: v2-");
  EXPECT_THAT(vyre({"cache", "remove", "saxpy_"}).out, HasSubstr("\": 2 removed\n"));
  EXPECT_EQ(vyre({"cache", "remove", "sa"}).out, removed());
}

TEST_F(CacheCli, AdvisesOnKeysThatAreNearlyRight) {
  std::string typed = key_text;
  typed[8] = typed[8] == 'x' ? 'y' : 'x';
  fails({"explain", typed.substr(0, 12)},
        "; did you mean \"" + key_text.substr(0, 12) + "\"?; `vyre cache list` shows all\n");
  fails({"explain", typed}, "; did you mean \"" + key_text.substr(0, 15) + "\"?");
}

TEST_F(CacheCli, Verifies) {
  const auto good = vyre({"cache", "verify"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(good.out, "\"" + file.string() + "\": 2 decision(s), 0 skipped\n");
  write("vyre/tuner/bad.toml", "oops");
  write("vyre/tuner/odd.toml", "x = 1\n");
  const auto bad = vyre({"cache", "verify"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.out, HasSubstr("bad.toml\": line 1: "));
  EXPECT_THAT(bad.out, HasSubstr("entry \"x\" is skipped and kept"));
  EXPECT_EQ(bad.err,
            "vyre: 2 problem(s) found; `vyre cache prune --skipped` removes skipped entries\n");
}

TEST_F(CacheCli, Prunes) {
  write("odd.toml", "x = 1\n" + kV1 + " = [1, 1, 1]\n");
  const std::string odd = (folder / "odd.toml").string();
  EXPECT_EQ(vyre({"cache", "prune", "--skipped", "--file", odd}).out,
            "\"" + odd + "\": 1 removed\n");
  EXPECT_EQ(*read_file(odd, 1000), "schema = 3\n" + kV1 + " = [1, 1, 1]\n");
  const std::string id = id_of({.backend = "opencl", .device = "Some GPU", .driver = "550"});
  EXPECT_THAT(vyre({"cache", "prune", "--identity", id}).out, HasSubstr("gpu.toml\": 1 removed\n"));
  EXPECT_THAT(vyre({"cache", "prune", "--older-than", "1"}).out,
              HasSubstr("gpu.toml\": 1 removed\n"));
  EXPECT_THAT(vyre({"cache", "list"}).out, HasSubstr("0 decision(s)\n"));
}

TEST_F(CacheCli, MergesAndImports) {
  const std::string other = (folder / "other.toml").string();
  EXPECT_EQ(vyre({"cache", "merge", other, file.string()}).out,
            "\"" + other + "\": 2 taken from \"" + file.string() + "\", 2 decision(s) now\n");
  EXPECT_THAT(vyre({"cache", "merge", other, file.string()}).out, HasSubstr(": 0 taken from"));
  write("theirs.toml", "\"v1-" + std::string(64, 'b') + "\" = [64, 1, 1]\nbad = 1\n");
  const auto imported = vyre({"cache", "import", (folder / "theirs.toml").string()});
  EXPECT_EQ(imported.exit_code, 0);
  EXPECT_THAT(imported.out, HasSubstr("vyre/tuner/theirs.toml\": 1 taken from"));
  EXPECT_THAT(imported.err, HasSubstr("entry \"bad\" is skipped"));
  EXPECT_THAT(vyre({"cache", "import", (folder / "theirs.toml").string(), "--file", other}).out,
              HasSubstr(", 3 decision(s) now"));
}

TEST_F(CacheCli, Exports) {
  EXPECT_EQ(vyre({"cache", "export", "--format", "v1"}).out, "\"" + kV1 + "\" = [128, 1, 1]\n");
  EXPECT_EQ(nlohmann::json::parse(vyre({"cache", "export"}).out).size(), 2U);
  const auto header = vyre({"cache", "export", "--format", "c-header"}).out;
  EXPECT_THAT(header, HasSubstr("static const char kVyreDecisions[] =\n    \"schema = 3\\n\"\n"));
  EXPECT_THAT(header, HasSubstr("program = \\\"saxpy\\\""));
}

TEST_F(CacheCli, SaysWhatIsWrong) {
  const std::string missing = (folder / "missing.toml").string();
  fails({"explain", "v2-"},
        "vyre: key \"v2-\" is too short; give \"v2-\" and at least four digits\n");
  fails({"explain", "v2-zzzz"},
        "vyre: there is no decision \"v2-zzzz\"; `vyre cache list` shows all\n");
  fails({"cache", "show", "v9-aaaaaa"}, "there is no decision");
  fails({"cache", "list", "--file", missing}, "vyre: there is no file \"" + missing + "\"\n");
  fails({"cache", "prune"},
        "vyre: nothing to prune by; give --older-than, --identity or --skipped\n");
  fails({"cache", "import", missing}, "vyre: cannot open \"" + missing + "\"");
  fails({"cache", "export", "--format", "xml"},
        "--format: \"xml\" is none of v1, json, c-header; see vyre cache export --help\n", 2);
  fails({"cache", "export", "--format", "jsn"}, "; did you mean \"json\"?", 2);
  fails({"cache", "lst"}, "unknown command \"lst\"; did you mean \"list\"?; there are list, ", 2);
  fails({"cache", "list", "--jsn"}, "did you mean \"--json\"?; see vyre cache list --help", 2);
  fails({"cache"},
        "vyre: no command given; there are list, show, verify, prune, remove, merge, export, "
        "import; see vyre cache --help\n",
        2);
  write("bad.toml", "oops");
  const std::string bad = (folder / "bad.toml").string();
  fails({"cache", "merge", bad, file.string()}, "repair or remove the file");
  EXPECT_EQ(*read_file(bad, 100), "oops");
  const auto homeless = testing::run_command({VYRE_CLI, "cache", "list"},
                                             {.environment = {"XDG_CACHE_HOME=", "HOME="}});
  EXPECT_EQ(homeless.exit_code, 1);
  EXPECT_THAT(homeless.err, StartsWith("vyre: neither XDG_CACHE_HOME nor HOME names a folder"));
}

}  // namespace
}  // namespace vyre
