// The content of the file: the original's form, parts that are not understood, names, identities.

#include <gtest/gtest.h>

#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using namespace testing;

const std::string kDigits(64, 'a');

TEST(DecisionCache, ReadsTheOriginalsFileInAnySpelling) {
  TemporaryFolder folder;
  write_text(folder / "gpu.toml", "# tuned\n\"v1-" + kDigits + "\" = [0x40, 1_0, +1]\nv1-" +
                                      std::string(64, 'b') + " = [\n  128, # x\n  1, 1,\n]\n");
  auto cache = DecisionCache::open(options_for(folder.path()));
  const auto found = cache.find(*parse_key("v1-" + kDigits));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found.is_seed());
  EXPECT_EQ(workgroup_of(cache.read(found).config), (Extent{64, 10, 1}));
  cache.offer(*parse_key("v1-" + std::string(64, 'c')), {.config = workgroup_config({256, 1, 1})});
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(text_of(folder / "gpu.toml"), "schema = 3\nv1-" + kDigits + " = [64, 10, 1]\nv1-" +
                                              std::string(64, 'b') + " = [128, 1, 1]\nv1-" +
                                              std::string(64, 'c') + " = [256, 1, 1]\n");
}

TEST(DecisionCache, RefusesWhatIsNoWorkgroupSizeUnderAV1Key) {
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  const Key v1 = *parse_key("v1-" + kDigits);
  for (const Config& config : {workgroup_config({0, 1, 1}), workgroup_config({64, 1, 0}),
                               Config{{"block", 32}}, Config{}}) {
    EXPECT_EQ(cache.offer(v1, {.config = config}), Offer::no_workgroup_size);
    EXPECT_EQ(cache.offer(v1, {.config = config, .samples = 5}), Offer::no_workgroup_size);
  }
  EXPECT_FALSE(cache.find(v1));
  ASSERT_TRUE(cache.save());
  EXPECT_TRUE(folder.names() == (std::vector<std::string>{"gpu.toml.lock"}));
}

// More than the original's line can hold goes into a table, so that nothing is lost.
TEST(DecisionCache, KeepsAllOfADecisionUnderAV1Key) {
  TemporaryFolder folder;
  const Key v1 = *parse_key("v1-" + kDigits);
  Decision more{.program = "saxpy", .config = workgroup_config({64, 1, 1})};
  more.config.set("block", 32);
  auto cache = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(cache.offer(v1, more), Offer::kept);
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.read(again.find(v1)).config.find("block") != nullptr, true);
  EXPECT_EQ(again.read(again.find(v1)).program, "saxpy");
}

TEST(DecisionCache, WarnsOfTablesUnderV1Keys) {
  TemporaryFolder folder;
  const std::string text = "[decisions.zz]\nv1-" + std::string(64, 'b') +
                           " = {config = {block = 7}, samples = 3}\n[v1-" + kDigits +
                           "]\nx = 64\n[unknown]\nx = 64\n";
  write_text(folder / "gpu.toml", text);
  Seen seen;
  CacheOptions options = options_for(folder.path());
  options.events = seen.sink();
  auto cache = DecisionCache::open(options);
  EXPECT_EQ(cache.size(), 0U);
  const std::string file = "\"" + (folder / "gpu.toml").string() + "\": entry ";
  ASSERT_EQ(seen.messages.size(), 2U);
  EXPECT_EQ(seen.messages[0], file + "\"v1-" + std::string(64, 'b') +
                                  "\" is skipped and kept: its config is no workgroup size");
  EXPECT_EQ(seen.messages[1], file + "\"v1-" + kDigits +
                                  "\" is skipped and kept: it is not three "
                                  "integers from 1 to 4294967295");
  cache.offer(key(1), decision(1));
  ASSERT_TRUE(cache.save());
  const std::string saved = text_of(folder / "gpu.toml");
  for (const std::string& part : {std::string("config = {block = 7}"), std::string("samples = 3"),
                                  "[v1-" + kDigits + "]\n", std::string("[unknown]\n")}) {
    EXPECT_NE(saved.find(part), std::string::npos) << part << "\nin\n" << saved;
  }
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
  write_text(folder / "gpu.toml", "schema = 4\n");
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(32));
  const auto saved = cache.save();
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().message, "\"" + (folder / "gpu.toml").string() +
                                       "\": schema 4 is not one of 1 to 3; use a newer vyre, or "
                                       "remove the file");
  EXPECT_EQ(text_of(folder / "gpu.toml"), "schema = 4\n");
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
}

TEST(Identity, FreeMemoryDoesNotCount) {
  DeviceInfo info = open_null()->info();
  const Identity identity = identity_of(info);
  EXPECT_EQ(identity.device, "null");
  EXPECT_EQ(identity.limits.size(), 6U);
  const std::string digits = fingerprint(info);
  EXPECT_EQ(digits.substr(0, 16), id_of(identity));
  info.limits.buffer_bytes /= 2;
  EXPECT_EQ(identity_of(info), identity);
  EXPECT_EQ(fingerprint(info), digits);
  info.limits.local_bytes += 1;
  EXPECT_NE(fingerprint(info), digits);
  EXPECT_NE(identity_of(info), identity);
}

// Earlier versions counted the bytes of the largest buffer.
TEST(Identity, DecisionsOfEarlierVersionsAreSeeds) {
  Identity before = today();
  before.limits = {1, 2, 3, 4, std::int64_t{2} << 30U, 5, 6};
  Identity now = before;
  now.limits.erase(now.limits.begin() + 4);
  auto cache = DecisionCache::open({.identity = now});
  EXPECT_EQ(cache.offer(key(1), decision(32), before), Offer::kept);
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  EXPECT_EQ(cache.offer(key(1), decision(64)), Offer::kept);
  EXPECT_FALSE(cache.find(key(1)).is_seed());
  EXPECT_EQ(cache.size(), 2U) << "the old one is not lost";
}

TEST(WorkgroupConfig, ComesBack) {
  EXPECT_EQ(workgroup_of(workgroup_config({8, 4, 2})), (Extent{8, 4, 2}));
  EXPECT_EQ(workgroup_of({{"workgroup.x", std::int64_t{32}}}), (Extent{32, 1, 1}));
  EXPECT_FALSE(workgroup_of({{"block", std::int64_t{32}}}));
  EXPECT_FALSE(workgroup_of({{"workgroup.x", std::int64_t{0}}}));
  EXPECT_FALSE(workgroup_of({{"workgroup.x", true}}));
  EXPECT_EQ(to_string(Layer::embedded), "embedded");
  EXPECT_EQ(to_string(Layer::system), "system");
  EXPECT_EQ(to_string(Layer::fleet), "fleet");
  EXPECT_EQ(to_string(Layer::user), "user");
}

}  // namespace
}  // namespace vyre
