#include "decisions/toml.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "decisions/toml_full.h"
#include "decisions/toml_plain.h"
#include "vyre/decisions.h"

namespace vyre::toml {
namespace {

Table document(const std::string& text) {
  const auto table = read_full(text, "test");
  EXPECT_TRUE(table) << table.error().message;
  return table.value_or(Table{});
}

TEST(Toml, PrintsValuesBeforeTables) {
  const Table root = document("z = 1\n[b.inner]\nx = {q = [1, 2.0, true]}\n[a]\ny = 'lit'\n");
  EXPECT_EQ(print_toml(root), "z = 1\n\n[a]\ny = \"lit\"\n\n[b.inner]\nx = {q = [1, 2.0, true]}\n");
}

TEST(Toml, BothReadersAgreeOnWhatIsPrinted) {
  for (const std::string text :
       {"", "a = 1\n", "\"a b\" = -7\nc = \"q\\\"\\\\\"\n", "x = 1.5\ny = 1e+300\nz = -0.25\n",
        "[a]\n", "[a.b]\nc = {d = {}, e = []}\n[a.c]\n", "m = 1\n[a]\nk = true\n[b.c]\nk = 2\n",
        "d = 1979-05-27T07:32:00Z\ne = inf\nf = nan\n",
        "t = \"tab\\u0009 \\u00e9 \\U0001f600 \\u20ac \\u007f\"\n",
        "a = -inf\nb = 07:32:00.5\nc = 1979-05-27\nd = [1979-05-27T07:32:00-07:00, nan]\n",
        "[z]\nmixed = [1, \"two\", {three = 3.0}]\n"}) {
    const Table full = document(text);
    const std::string printed = print_toml(full);
    const auto plain = read_plain(printed);
    ASSERT_TRUE(plain) << "a text of ours, with our limit on size: " << printed;
    EXPECT_EQ(print_toml(*plain), printed);
    EXPECT_EQ(print_toml(document(printed)), printed) << text;
  }
}

TEST(Toml, ThePlainReaderGivesUpOnOtherSpellings) {
  for (const std::string text : {"a = 1",
                                 "a=1\n",
                                 "a = 0x10\n",
                                 "a = 1_000\n",
                                 "a = +1\n",
                                 "a = 01\n",
                                 "a = 'x'\n",
                                 "a = 1 # c\n",
                                 "b = 1\na = 1\n",
                                 "a = 1\na = 1\n",
                                 "[b]\n[a]\n",
                                 "[a]\n[a]\n",
                                 "[a]\n[a.b]\n",
                                 "[a.b]\n[a]\n",
                                 "a = 1\n[a]\n",
                                 "[[a]]\n",
                                 "a.b = 1\n",
                                 "a = \"\\n\"\n",
                                 "a = 1.\n",
                                 "a = .5\n",
                                 "a = \"\xc3\xa9\"\n",
                                 "a = \"\x01\"\n",
                                 "a = \"\\u0041\"\n",
                                 "a = \"\\u001f",
                                 "a = \"\\U0000D800\"\n",
                                 "a = \"\\U000000e9\"\n",
                                 "a = \"\\U00110000\"\n",
                                 "a = +inf\n",
                                 "a = 1979-05-27 07:32:00\n",
                                 "a = 1979-13-27\n",
                                 "a = [1,2]\n",
                                 "a = {b = 1,}\n",
                                 "a = tru\n",
                                 "a = \n",
                                 " = 1\n",
                                 "a = 99999999999999999999\n",
                                 "a = 1e\n",
                                 "[a\n",
                                 "[a.b]\n[c]\n[a.d]\n",
                                 "a = 1\r\n"}) {
    EXPECT_FALSE(read_plain(text)) << text;
  }
}

TEST(Toml, EntriesOfATableGoToASink) {
  std::string seen;
  const EntrySink sink{"a", [&](const std::string& inner, const std::string& name, Node& node) {
                         seen += inner + "/" + name + "=" + print_inline(node) + " ";
                         return Taken::wholly;
                       }};
  const std::string text =
      "v = 1\n\n[a.\"\"]\nx = 0\n\n[a.b]\nx = 1\ny = {z = 2}\n\n[a.c]\nx = 3\n\n[d.e]\nx = 4\n";
  const auto root = read_plain(text, sink);
  ASSERT_TRUE(root);
  EXPECT_EQ(seen, "b/x=1 b/y={z = 2} c/x=3 ");
  EXPECT_EQ(print_toml(*root), "v = 1\n\n[a.\"\"]\nx = 0\n\n[a.b]\n\n[a.c]\n\n[d.e]\nx = 4\n");
  EXPECT_FALSE(read_plain("[a.b]\nx = 1\nx = 2\n", sink)) << "twice";
  EXPECT_FALSE(read_plain("[a.b]\ny = 1\nx = 2\n", sink)) << "out of order";
}

TEST(Toml, ForeignSpellingsHaveALowerLimitOnSize) {
  const std::string plain = "a = \"" + std::string(1000, 'x') + "\"\n";
  EXPECT_TRUE(read_toml(plain, "f", 10));
  const std::string foreign = "a = 0x10 #" + std::string(90, 'x');
  EXPECT_TRUE(read_toml(foreign, "f", foreign.size()));
  const auto refused = read_toml(foreign, "f", foreign.size() - 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_inputs);
  EXPECT_EQ(refused.error().message,
            "\"f\": has 100 bytes in a spelling that is not vyre's, more than the limit of 99; "
            "prune it or raise the limit");
}

TEST(Toml, WhatThePlainReaderTakesMeansTheSameToTomlPlusPlus) {
  static const std::vector<std::string> kPieces{
      "a",    "b",     "\"a\"", " = ", "1",  "-2",      "0.5",      "1e5",
      "true", "\"x\"", "[",     "]",   "{",  "}",       ", ",       "\n",
      "[a]",  "[a.b]", "[b.c]", ".",   "\\", "a = 1\n", "b = {}\n", "nan"};
  EXPECT_TRUE(rc::check([] {
    const auto picks = *rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange<std::size_t>(0, kPieces.size()));
    std::string text;
    for (const std::size_t pick : picks) text += kPieces[pick];
    const auto plain = read_plain(text);
    if (!plain) return;
    const auto full = read_full(text, "test");
    RC_ASSERT(full.has_value());
    RC_ASSERT(print_toml(*plain) == print_toml(*full));
  }));
}

TEST(Toml, PrintsAnyBytesAsValidText) {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"a\nb\"c\\", "a\nb\"c\\"},
           {"\xc3\xa9 \xf0\x9f\x98\x80", "\xc3\xa9 \xf0\x9f\x98\x80"},
           {"\xff x", "\xef\xbf\xbd x"},
           {"\xc3", "\xef\xbf\xbd"},
           {"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
           {std::string("\0", 1), std::string("\0", 1)}}) {
    Table root;
    at(root, bytes).value = bytes;
    const Table again = document(print_toml(root));
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].first, text);
    EXPECT_EQ(again[0].second.value, Node{text}.value);
  }
}

TEST(Toml, KeepsEveryNumber) {
  EXPECT_TRUE(rc::check([](double real, std::int64_t integer) {
    Table root;
    at(root, "i").value = integer;
    at(root, "r").value = real;
    const auto plain = read_plain(print_toml(root));
    RC_ASSERT(plain.has_value());
    RC_ASSERT(*plain == root);
  }));
}

TEST(Toml, ErrorsNameFileAndLine) {
  const auto result = read_toml("a = 1\nb = \n", "some\nfile", CacheOptions().foreign_limit_bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::bad_inputs);
  EXPECT_TRUE(result.error().message.starts_with("\"some\\x0afile\": line 2: \""))
      << result.error().message;
  EXPECT_TRUE(result.error().message.ends_with("; repair or remove the file"));
  EXPECT_FALSE(read_toml("a = \"\xff\"\n", "f", CacheOptions().foreign_limit_bytes));
  EXPECT_FALSE(read_toml("a \xc3\xa1\n", "f",
                         CacheOptions().foreign_limit_bytes));  // a letter where white space may be
  for (const std::string text : {"a = [}\n", "a = [ }", "a = [1, }", "a = {b = [}}"}) {
    EXPECT_EQ(read_toml(text, "f", CacheOptions().foreign_limit_bytes).error().message,
              "\"f\": is no TOML, somewhere; repair or remove the file");
  }
}

}  // namespace
}  // namespace vyre::toml
