#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/files.h"
#include "testing/temporary_folder.h"
#include "tuner/cache/file_content.h"
#include "vyre/decisions.h"

namespace vyre::tuner {
namespace {

using testing::TemporaryFolder;

constexpr std::size_t kMost = std::size_t{1} << 28U;

Identity today() { return {.backend = "b", .device = "d", .driver = "1", .limits = {1024, 7}}; }
Identity yesterday() { return {.backend = "b", .device = "d", .driver = "0", .limits = {1024, 7}}; }

Key key(std::uint64_t n) { return key_of({1, 2, 3}, std::array{n}); }

Decision decision(std::int64_t block, std::uint32_t samples = 10) {
  return {.program = "saxpy",
          .fingerprint = {1, 2, 3},
          .shape = {static_cast<std::uint64_t>(block)},
          .config = {{"block", block}},
          .space = "5pace",
          .elapsed = {100, 90, 110},
          .default_elapsed = {150, 140, 160},
          .samples = samples,
          .tied_candidates = 2,
          .runner_up = RunnerUp{{{"block", block + 1}}, {105, 95, 115}},
          .verified = true,
          .strategy = "natural",
          .decided_at = 1'763'000'000,
          .version = "0.1.0"};
}

struct Seen {
  std::vector<std::string> messages;
  EventSink sink() {
    return [this](const Event& event) { messages.push_back(event.message); };
  }
};

CacheOptions options_for(const std::filesystem::path& folder) {
  return {.adapter = "gpu", .folder = folder, .identity = today()};
}

void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string text_of(const std::filesystem::path& file) { return *read_file(file, kMost); }

unsigned mode_of(const std::filesystem::path& path) {
  struct stat info{};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 0777U;
}

TEST(DecisionCache, RemembersAcrossOpens) {
  TemporaryFolder folder;
  const auto where = folder / "a/b";
  auto cache = DecisionCache::open(options_for(where));
  EXPECT_EQ(cache.offer(key(1), decision(32)), Offer::kept);
  EXPECT_EQ(cache.offer(key(2), decision(64)), Offer::kept);
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(where));
  EXPECT_EQ(again.size(), 2U);
  const DecisionRef found = again.find(key(1));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found.is_seed());
  EXPECT_EQ(again.read(found), decision(32));
  EXPECT_FALSE(again.find(key(3)));
  EXPECT_EQ(mode_of(where), 0700U);
  EXPECT_EQ(mode_of(folder / "a"), 0700U);
  EXPECT_EQ(mode_of(where / "gpu.toml"), 0600U);
  EXPECT_EQ(mode_of(where / "gpu.toml.lock"), 0600U);
}

TEST(DecisionCache, KeepsEveryKindOfValueAndName) {
  TemporaryFolder folder;
  Decision odd = decision(1);
  odd.config = {{"\"q\"\n", std::string("line\nbreak \"q\" \\ \xc3\xa9")},
                {"a b", 0.1},
                {"big", std::int64_t{-9'000'000'000'000'000'000}},
                {"flag", true}};
  odd.program = "name with\nnewline and \"quotes\"";
  odd.runner_up.reset();
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), odd);
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.read(again.find(key(1))), odd);
}

TEST(DecisionCache, WorksInMemoryWithoutAFolder) {
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(cache.file(), "");
  cache.offer(key(1), decision(32));
  EXPECT_TRUE(cache.find(key(1)));
  EXPECT_TRUE(cache.save());
  EXPECT_EQ(cache.read(DecisionRef()), Decision{});
}

TEST(DecisionCache, EvidenceDecides) {
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(cache.offer(key(1), decision(32, 10)), Offer::kept);
  EXPECT_EQ(cache.offer(key(1), decision(64, 9)), Offer::less_evidence);
  EXPECT_EQ(cache.read(cache.find(key(1))).config, (Config{{"block", std::int64_t{32}}}));
  EXPECT_EQ(cache.offer(key(1), decision(64, 10)), Offer::kept);  // the later of equals
  EXPECT_EQ(cache.offer(key(1), decision(128, 11)), Offer::kept);
  EXPECT_EQ(cache.read(cache.find(key(1))).samples, 11U);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(DecisionCache, IsNeverWorseThanTheDefault) {
  auto cache = DecisionCache::open({.identity = today()});
  Decision slow = decision(32);
  slow.elapsed = {151, 150, 152};
  EXPECT_EQ(cache.offer(key(1), slow), Offer::worse_than_default);
  EXPECT_FALSE(cache.find(key(1)));
  slow.elapsed.ns = 150;
  EXPECT_EQ(cache.offer(key(1), slow), Offer::kept);
}

TEST(DecisionCache, TimesThatAreNoneAreNotKnown) {
  auto cache = DecisionCache::open({.identity = today()});
  Decision odd = decision(32);
  odd.elapsed = {std::nan(""), 1, 2};
  odd.default_elapsed = {-1, 0, 0};
  cache.offer(key(1), odd);
  EXPECT_EQ(cache.read(cache.find(key(1))).elapsed, Estimate{});
  EXPECT_EQ(cache.read(cache.find(key(1))).default_elapsed, Estimate{});
}

TEST(DecisionCache, AnotherIdentityMakesASeedAndIsNotLost) {
  TemporaryFolder folder;
  CacheOptions old = options_for(folder.path());
  old.identity = yesterday();
  auto before = DecisionCache::open(old);
  before.offer(key(1), decision(32, 100));
  ASSERT_TRUE(before.save());

  auto cache = DecisionCache::open(options_for(folder.path()));
  ASSERT_TRUE(cache.find(key(1)));
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  // Of today, though it rests on less.
  EXPECT_EQ(cache.offer(key(1), decision(64, 5)), Offer::kept);
  EXPECT_FALSE(cache.find(key(1)).is_seed());
  EXPECT_EQ(cache.read(cache.find(key(1))).samples, 5U);
  ASSERT_TRUE(cache.save());

  const auto back = DecisionCache::open(old);
  EXPECT_FALSE(back.find(key(1)).is_seed());
  EXPECT_EQ(back.read(back.find(key(1))).samples, 100U);
  EXPECT_EQ(back.entries().size(), 2U);
}

TEST(DecisionCache, AnotherSpaceMakesASeed) {
  auto cache = DecisionCache::open({.identity = today()});
  cache.offer(key(1), decision(32, 100));
  const auto generation = cache.generation();
  cache.declare_space({1, 2, 3}, "0ther");
  EXPECT_GT(cache.generation(), generation);
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  Decision fresh = decision(64, 5);
  fresh.space = "0ther";
  EXPECT_EQ(cache.offer(key(1), fresh), Offer::kept);
  EXPECT_FALSE(cache.find(key(1)).is_seed());
  cache.declare_space({1, 2, 3}, "5pace");
  EXPECT_TRUE(cache.find(key(1)).is_seed());
}

TEST(DecisionCache, LayersAreReadInOrderAndOnlyTheUsersIsWritten) {
  TemporaryFolder folder;
  const auto make = [&](const std::string& where, std::int64_t block,
                        std::vector<std::uint64_t> keys) {
    auto cache = DecisionCache::open(options_for(folder / where));
    for (const std::uint64_t k : keys) cache.offer(key(k), decision(block));
    EXPECT_TRUE(cache.save());
    return text_of(cache.file());
  };
  const std::string embedded = make("embedded", 1, {1, 2, 3});
  const std::string system = make("system", 2, {2, 3});
  make("user", 3, {3});
  CacheOptions options = options_for(folder / "user");
  options.system_folder = folder / "system";
  options.embedded = embedded;
  auto cache = DecisionCache::open(options);
  for (const std::int64_t n : {1, 2, 3}) {
    const auto found = cache.find(key(static_cast<std::uint64_t>(n)));
    EXPECT_EQ(cache.read(found).config, (Config{{"block", n}}));
  }
  EXPECT_EQ(cache.entries().size(), 6U);
  cache.offer(key(9), decision(9));
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(text_of(folder / "system/gpu.toml"), system);
  EXPECT_EQ(parse_content(text_of(folder / "user/gpu.toml"), "f")->entries.size(), 2U);
}

TEST(DecisionCache, NearestIsByRatioAndNeverTheShapeItself) {
  auto cache = DecisionCache::open({.identity = today()});
  for (const std::uint64_t n : {100U, 1000U, 10'000U}) {
    Decision d = decision(static_cast<std::int64_t>(n));
    d.shape = {n, 4};
    cache.offer(key(n), d);
  }
  const auto nearest = [&](std::vector<std::uint64_t> shape) {
    return cache.read(cache.nearest({1, 2, 3}, shape)).shape;
  };
  using Shape = std::vector<std::uint64_t>;
  EXPECT_EQ(nearest({350, 4}), (Shape{1000, 4}));
  EXPECT_EQ(nearest({1000, 4}), (Shape{100, 4}));
  EXPECT_EQ(nearest({1'000'000, 4}), (Shape{10'000, 4}));
  EXPECT_FALSE(cache.nearest({1, 2, 3}, Shape{5}));
  EXPECT_FALSE(cache.nearest({9}, Shape{350, 4}));
}

TEST(DecisionCache, TwoCachesMergeInOneFile) {
  TemporaryFolder folder;
  auto a = DecisionCache::open(options_for(folder.path()));
  auto b = DecisionCache::open(options_for(folder.path()));
  a.offer(key(1), decision(32));
  b.offer(key(2), decision(64));
  a.offer(key(3), decision(1, 50));
  b.offer(key(3), decision(2, 60));
  ASSERT_TRUE(a.save());
  ASSERT_TRUE(b.save());
  ASSERT_TRUE(a.save());  // nothing new of its own, but sees what b has saved
  EXPECT_EQ(a.size(), 3U);
  EXPECT_EQ(a.read(a.find(key(3))).samples, 60U);
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.size(), 3U);
  EXPECT_EQ(again.read(again.find(key(3))).samples, 60U);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"gpu.toml", "gpu.toml.lock"}));
}

const std::string kDigits(64, 'a');

TEST(DecisionCache, ReadsTheOriginalsFileInAnySpelling) {
  TemporaryFolder folder;
  write_text(folder / "gpu.toml", "# tuned\n\"v1-" + kDigits + "\" = [0x40, 1_0, +1]\nv1-" +
                                      std::string(64, 'b') + " = [\n  128, # x\n  1, 1,\n]\n");
  auto cache = DecisionCache::open(options_for(folder.path()));
  const auto found = cache.find(*parse_key("v1-" + kDigits));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found.is_seed());
  EXPECT_EQ(workgroup_of(cache.read(found).config), (backend::Extent{64, 10, 1}));
  cache.offer(*parse_key("v1-" + std::string(64, 'c')), {.config = workgroup_config({256, 1, 1})});
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(text_of(folder / "gpu.toml"), "schema = 2\nv1-" + kDigits + " = [64, 10, 1]\nv1-" +
                                              std::string(64, 'b') + " = [128, 1, 1]\nv1-" +
                                              std::string(64, 'c') + " = [256, 1, 1]\n");
}

TEST(DecisionCache, KeepsWhatItDoesNotUnderstand) {
  TemporaryFolder folder;
  auto first = DecisionCache::open(options_for(folder.path()));
  first.offer(key(1), decision(32));
  ASSERT_TRUE(first.save());
  std::string text = text_of(folder / "gpu.toml");
  text.replace(text.find("samples ="), 0, "colour = \"green\", ");
  text = "v1-" + kDigits + " = [0, 1, 1]\nnote = 1979-05-27T07:32:00Z\n" + text +
         "[decisions.zz]\n\"v2-xyz\" = {config = {}}\nv2-" + kDigits + " = {config = 7}\nv2-" +
         std::string(64, 'b') + " = {}\n[future]\na = [1, {b = 2}]\n[identities.x]\ndevice = 7\n";
  write_text(folder / "gpu.toml", text);
  Seen seen;
  CacheOptions options = options_for(folder.path());
  options.events = seen.sink();
  auto cache = DecisionCache::open(options);
  EXPECT_EQ(cache.size(), 1U);
  ASSERT_EQ(seen.messages.size(), 6U);
  const std::string file = "\"" + (folder / "gpu.toml").string() + "\": entry ";
  EXPECT_EQ(seen.messages[0], file + "\"v2-" + kDigits +
                                  "\" is skipped and kept: its field "
                                  "\"config\" is wrong");
  EXPECT_EQ(seen.messages[1], file + "\"v2-" + std::string(64, 'b') +
                                  "\" is skipped and kept: it has no field \"config\"");
  EXPECT_EQ(seen.messages[2], file +
                                  "\"v2-xyz\" is skipped and kept: its key is not \"v1-\" or "
                                  "\"v2-\" and 64 digits");
  EXPECT_EQ(seen.messages[3], file + "\"x\" is skipped and kept: it is no identity");
  EXPECT_EQ(seen.messages[4],
            file + "\"note\" is skipped and kept: its key is not \"v1-\" and 64 lower-case digits");
  EXPECT_EQ(seen.messages[5], file + "\"v1-" + kDigits +
                                  "\" is skipped and kept: it is not three "
                                  "integers from 1 to 4294967295");
  cache.offer(key(2), decision(64));
  ASSERT_TRUE(cache.save());
  const std::string saved = text_of(folder / "gpu.toml");
  for (const std::string& part :
       {"v1-" + kDigits + " = [0, 1, 1]\n", std::string("note = 1979-05-27T07:32:00Z\n"),
        std::string("colour = \"green\""), std::string("v2-xyz = {config = {}}\n"),
        "v2-" + kDigits + " = {config = 7}\n", std::string("[future]\na = [1, {b = 2}]\n"),
        std::string("[identities.x]\ndevice = 7\n")}) {
    EXPECT_NE(saved.find(part), std::string::npos) << part << "\nin\n" << saved;
  }
}

TEST(DecisionCache, ManyWarningsAreCutShort) {
  TemporaryFolder folder;
  std::string text;
  for (char c = 'a'; c <= 'z'; ++c) text += std::string(1, c) + " = 1\n";
  write_text(folder / "gpu.toml", text);
  Seen seen;
  CacheOptions options = options_for(folder.path());
  options.events = seen.sink();
  (void)DecisionCache::open(options);
  ASSERT_EQ(seen.messages.size(), 11U);
  EXPECT_EQ(seen.messages.back(), "16 more entries are skipped; `vyre cache verify` lists them");
}

TEST(DecisionCache, RefusesANewerSchema) {
  TemporaryFolder folder;
  write_text(folder / "gpu.toml", "schema = 3\n");
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(32));
  const auto saved = cache.save();
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().message, "\"" + (folder / "gpu.toml").string() +
                                       "\": schema 3 is not one of 1 to 2; use a newer vyre, or "
                                       "remove the file");
  EXPECT_EQ(text_of(folder / "gpu.toml"), "schema = 3\n");
}

TEST(DecisionCache, ImportsUnderTheirOwnIdentity) {
  TemporaryFolder folder;
  CacheOptions theirs = options_for(folder / "theirs");
  theirs.identity = yesterday();
  auto other = DecisionCache::open(theirs);
  other.offer(key(1), decision(1, 10));
  other.offer(key(2), decision(2, 10));
  ASSERT_TRUE(other.save());
  const std::string text = text_of(other.file());

  CacheOptions options = options_for({});
  options.file = folder / "named.toml";
  auto cache = DecisionCache::open(options);
  cache.offer(key(2), decision(7, 20), yesterday());
  EXPECT_EQ(*cache.import(text, "theirs"), 1U);  // the other rests on less
  EXPECT_EQ(*cache.import(text, "theirs"), 0U);
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  EXPECT_EQ(cache.read(cache.find(key(2))).samples, 20U);
  EXPECT_FALSE(cache.import("no toml", "theirs"));
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(parse_content(text_of(folder / "named.toml"), "f")->entries.size(), 2U);
}

TEST(FileName, IsSafe) {
  EXPECT_EQ(file_name_of("NVIDIA-A100_80.GB"), "NVIDIA-A100_80.GB.toml");
  for (const auto& [adapter, start] : std::vector<std::pair<std::string, std::string>>{
           {"../../x", "___.._x-"},
           {"..", "__-"},
           {"", "-"},
           {"a b", "a_b-"},
           {"a\nb\"c", "a_b_c-"},
           {"Grafik\xc3\xa9", "Grafik__-"},
           {std::string(500, 'x'), std::string(128, 'x') + "-"}}) {
    const std::string name = file_name_of(adapter);
    EXPECT_EQ(name.find('/'), std::string::npos);
    EXPECT_TRUE(name.starts_with(start)) << name;
    EXPECT_EQ(name.size(), std::min<std::size_t>(adapter.size(), 128) + 14) << name;
  }
  EXPECT_NE(file_name_of("a b"), file_name_of("a_b"));
  EXPECT_NE(file_name_of("a b"), file_name_of("a\tb"));
}

TEST(Identity, EveryPartCounts) {
  const std::string id = id_of(today());
  EXPECT_EQ(id.size(), 16U);
  for (auto change : std::vector<void (*)(Identity&)>{
           [](Identity& i) { i.backend += "x"; }, [](Identity& i) { i.device += "x"; },
           [](Identity& i) { i.driver += "x"; }, [](Identity& i) { i.platform += "x"; },
           [](Identity& i) { i.language += "x"; }, [](Identity& i) { i.limits.push_back(1); }}) {
    Identity other = today();
    change(other);
    EXPECT_NE(id_of(other), id);
  }
  EXPECT_EQ(identity_of(backend::open_null()->info()).device, "null");
}

TEST(WorkgroupConfig, ComesBack) {
  EXPECT_EQ(workgroup_of(workgroup_config({8, 4, 2})), (backend::Extent{8, 4, 2}));
  EXPECT_EQ(workgroup_of({{"workgroup.x", std::int64_t{32}}}), (backend::Extent{32, 1, 1}));
  EXPECT_FALSE(workgroup_of({{"block", std::int64_t{32}}}));
  EXPECT_FALSE(workgroup_of({{"workgroup.x", std::int64_t{0}}}));
  EXPECT_FALSE(workgroup_of({{"workgroup.x", true}}));
  EXPECT_EQ(to_string(Layer::embedded), "embedded");
  EXPECT_EQ(to_string(Layer::system), "system");
  EXPECT_EQ(to_string(Layer::user), "user");
}

}  // namespace
}  // namespace vyre::tuner
