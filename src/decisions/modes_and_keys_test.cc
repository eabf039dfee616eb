#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <unordered_set>

#include "base/blake3.h"
#include "base/files/paths.h"
#include "base/hex.h"
#include "testing/golden.h"
#include "vyre/decisions.h"

namespace vyre {
namespace {

TEST(Mode, UnderstandsEveryWord) {
  struct Case {
    std::optional<std::string_view> value;
    Mode mode;
  };
  for (const auto& [value, mode] :
       {Case{std::nullopt, Mode::natural}, Case{"", Mode::natural}, Case{"  \t", Mode::natural},
        Case{"on", Mode::on}, Case{" ON\n", Mode::on}, Case{"natural", Mode::natural},
        Case{"ng", Mode::natural}, Case{"NG", Mode::natural}, Case{"off", Mode::off},
        Case{"OFF", Mode::off}, Case{"default", Mode::off}, Case{"0", Mode::off},
        Case{"False", Mode::off}, Case{"no", Mode::off}}) {
    const ModeChoice choice = from_env_value(value);
    EXPECT_EQ(choice.mode, mode) << value.value_or("(unset)");
    EXPECT_EQ(choice.warning, "");
  }
  EXPECT_EQ(to_string(Mode::off), "off");
  EXPECT_EQ(to_string(Mode::on), "on");
  EXPECT_EQ(to_string(production_default()), "natural");
}

TEST(Mode, NamesWhatItDoesNotUnderstand) {
  const ModeChoice choice = from_env_value("o\nff");
  EXPECT_EQ(choice.mode, Mode::natural);
  EXPECT_EQ(choice.warning,
            "VYRE_AUTOTUNER=\"o\\x0aff\" is not a mode; using \"natural\": set it to natural, on "
            "or off");
}

TEST(Environment, FindsTheCacheFolder) {
  using Variables = EnvironmentVariables;
  const auto folder = [](const Variables& v) {
    const auto found = decisions_folder(from_variables(v).files).string();
    return found.empty() ? "(none)" : found;
  };
  EXPECT_EQ(folder({.xdg_cache_home = "/x", .home = "/h"}), "/x/vyre/tuner");
  EXPECT_EQ(folder({.xdg_cache_home = "", .home = "/h"}), "/h/.cache/vyre/tuner");
  EXPECT_EQ(folder({.xdg_cache_home = "relative", .home = "/h"}), "/h/.cache/vyre/tuner");
  EXPECT_EQ(folder({.home = "/h"}), "/h/.cache/vyre/tuner");
  EXPECT_EQ(folder({.home = ""}), "(none)");
  EXPECT_EQ(folder({.xdg_cache_home = "x"}), "(none)");
}

TEST(Environment, WarnsOncePerProblem) {
  const auto without = from_variables({.autotuner = "maybe"});
  ASSERT_EQ(without.warnings.size(), 2U);
  EXPECT_EQ(without.warnings[1],
            "neither XDG_CACHE_HOME nor HOME names a folder; decisions are kept in memory only: "
            "set one of them to keep them");
  EXPECT_TRUE(from_variables({.autotuner = "on", .home = "/h"}).warnings.empty());
}

TEST(Environment, ReadsTheVariables) {
  ::setenv("VYRE_AUTOTUNER", "off", 1);
  ::setenv("XDG_CACHE_HOME", "/some/where", 1);
  const Environment environment = from_env();
  EXPECT_EQ(environment.mode, Mode::off);
  EXPECT_EQ(decisions_folder(environment.files), "/some/where/vyre/tuner");
  ::unsetenv("VYRE_AUTOTUNER");
  ::unsetenv("XDG_CACHE_HOME");
}

ir::Fingerprint fingerprint_of(const std::string& hex) {
  ir::Fingerprint out{};
  const auto bytes = from_hex(hex);
  std::ranges::copy(*bytes, out.begin());
  return out;
}

TEST(Key, V1IsTheOriginals) {
  const auto rows = testing::load_golden(VYRE_SOURCE_DIR, "keys.json");
  ASSERT_EQ(rows.size(), 64U);
  for (const auto& row : rows) {
    V1Shape shape{.fingerprint = fingerprint_of(row["fingerprint"]),
                  .workgroup_size = row["workgroup_size"].get<Extent>(),
                  .output_bytes = std::stoull(row["output_bytes"].get<std::string>())};
    if (!row["workgroup_count"].is_null()) {
      shape.workgroup_count = row["workgroup_count"].get<Extent>();
    }
    EXPECT_EQ(to_string(v1_key(shape)), row["key"].get<std::string>());
  }
}

TEST(Key, ParsesWhatItPrints) {
  EXPECT_TRUE(rc::check([](std::array<std::uint64_t, 4> words, bool first) {
    const Key key{.version = first ? 1U : 2U, .words = words};
    RC_ASSERT(*parse_key(to_string(key)) == key);
  }));
}

TEST(Key, IsOrderedAsItsTextAndHashable) {
  EXPECT_TRUE(rc::check([](std::array<std::uint64_t, 4> a, std::array<std::uint64_t, 4> b, bool v) {
    // Near each other, so that every word has its turn.
    const auto same = *rc::gen::inRange<std::size_t>(0, 5);
    for (std::size_t k = 0; k < same && k < 4; ++k) b[k] = a[k];
    const Key x{.version = 1, .words = a};
    const Key y{.version = v ? 1U : 2U, .words = b};
    RC_ASSERT((x < y) == (to_string(x) < to_string(y)));
    RC_ASSERT((x == y) == (to_string(x) == to_string(y)));
  }));
  std::unordered_set<Key> seen;
  for (std::uint64_t n = 0; n < 100; ++n) seen.insert(key_of({}, std::array{n % 50}));
  EXPECT_EQ(seen.size(), 50U);
}

TEST(Key, RefusesOtherText) {
  const std::string digits(64, 'a');
  for (const std::string& text :
       {std::string(), std::string("v2"), std::string("v2-"), digits, "v3-" + digits,
        "v2-" + digits + "a", "v2-" + digits.substr(1), "V2-" + digits,
        "v2-" + digits.substr(1) + "A", "v2-" + digits.substr(1) + "g", " v2-" + digits}) {
    EXPECT_FALSE(parse_key(text)) << text;
  }
  EXPECT_EQ(parse_key("v9\n").error().message,
            "key \"v9\\x0a\" is not \"v1-\" or \"v2-\" and 64 lower-case hexadecimal digits");
}

// Keys are written to files: what they are made of must never change.
TEST(Key, V2StaysAsItIs) {
  ir::Fingerprint fingerprint{};
  for (std::size_t k = 0; k < fingerprint.size(); ++k) {
    fingerprint[k] = static_cast<std::uint8_t>(k);
  }
  const std::vector<std::uint64_t> shape{1024, 77, 3};
  EXPECT_EQ(to_string(key_of(fingerprint, shape)),
            "v2-dcf362988bb0a169c4101a52890350ed04c746513804421ca14c358fd61a11f8");
}

TEST(Key, V2TellsShapesApart) {
  EXPECT_TRUE(rc::check([](std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
    RC_ASSERT((key_of({}, a) == key_of({}, b)) == (a == b));
    a.push_back(0);
    RC_ASSERT(key_of({}, a) != key_of({}, std::span(a).first(a.size() - 1)));
    std::vector<std::uint64_t> swapped(a.rbegin(), a.rend());
    RC_ASSERT((key_of({}, a) == key_of({}, swapped)) == (a == swapped));
  }));
  // Every small shape of two sizes: not even the first of the four words is shared.
  std::vector<std::uint64_t> seen;
  for (std::uint64_t x = 0; x < 200; ++x) {
    for (std::uint64_t y = 0; y < 200; ++y) {
      seen.push_back(key_of(blake3("a"), std::array{x, y}).words[0]);
      seen.push_back(key_of(blake3("b"), std::array{x, y}).words[0]);
    }
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST(SpaceDigest, TellsListedSpacesApartByTheirRows) {
  const std::vector<space::Parameter> parameters{{"a", {std::int64_t{1}, std::int64_t{2}}},
                                                 {"b", {std::int64_t{1}, std::int64_t{2}}}};
  const auto digest = [&](std::vector<space::Point> rows) {
    return digest_of(space::Space::from_rows(parameters, std::move(rows)).value());
  };
  EXPECT_EQ(digest({{0, 0}, {1, 1}}), digest({{0, 0}, {1, 1}}));
  EXPECT_NE(digest({{0, 0}, {1, 1}}), digest({{0, 0}, {0, 1}}));
  EXPECT_EQ(digest({{0, 0}, {0, 1}, {1, 0}, {1, 1}}),
            digest_of(space::Space::build({.parameters = parameters, .constraints = {}}).value()))
      << "nothing is left out, so there are no rows to name";
}

}  // namespace
}  // namespace vyre
