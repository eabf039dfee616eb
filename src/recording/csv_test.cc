#include <gtest/gtest.h>

#include <string>

#include "vyre/recording.h"

namespace vyre::recording {
namespace {

Recording parsed_csv(std::string_view text) {
  auto recording = parse_csv(text, "r.csv");
  EXPECT_TRUE(recording) << (recording ? "" : recording.error().message);
  return recording.value_or(Recording{});
}

TEST(Csv, ReadsParametersRowsAndFailures) {
  const Recording r = parsed_csv("x,mode,time_ms\n16,row,1.5\n2,col,\n8,row,0.25\n");
  ASSERT_EQ(r.parameters.size(), 2U);
  EXPECT_EQ(r.parameters[0],
            (space::Parameter{"x", {std::int64_t{2}, std::int64_t{8}, std::int64_t{16}}}));
  EXPECT_EQ(r.parameters[1], (space::Parameter{"mode", {std::string("row"), std::string("col")}}));
  ASSERT_EQ(r.rows.size(), 3U);
  EXPECT_EQ(r.rows[0], (Row{.point = {2, 0}, .time_ms = 1.5}));
  EXPECT_EQ(r.rows[1], (Row{.point = {0, 1}, .status = Status::runtime}));
  EXPECT_EQ(r.rows[2], (Row{.point = {1, 0}, .time_ms = 0.25}));
}

TEST(Csv, TheFormsOfTheSameTableAreEqual) {
  const Recording plain = parsed_csv("a,b c,time_ms\n1,x,2\n2,y,3\n");
  const char* forms[] = {
      "a,b c,time_ms\r\n1,x,2\r\n2,y,3\r\n",
      ("\xef\xbb\xbf"
       "a,b c,time_ms\n1,x,2\n2,y,3"),
      "\n\n\"a\",\"b c\",\"time_ms\"\n\n  \t\n\"1\",\"x\",\"2\"\n\n2,y,3\r\n\r\n  ",
      "a,b c,time_ms\n+1,x,2.0\n02,y,3e0\n",
  };
  for (const char* form : forms) EXPECT_EQ(parsed_csv(form), plain) << form;
}

TEST(Csv, QuotedFieldsHoldCommasQuotesAndLines) {
  const Recording r = parsed_csv("\"a,\"\"b\"\"\",time_ms\n\"x\ny\",1\nz,2\n");
  EXPECT_EQ(r.parameters[0],
            (space::Parameter{"a,\"b\"", {std::string("x\ny"), std::string("z")}}));
}

TEST(Csv, ValuesTakeTheKindOfTheirColumn) {
  const Recording r =
      parsed_csv("i,r,t,h,time_ms\n-1,1,1,0x1,1\n9223372036854775807,0.5,nan,2,1\n");
  EXPECT_EQ(r.parameters[0].values[1], Value(std::int64_t{9223372036854775807}));
  EXPECT_EQ(r.parameters[1].values, (std::vector<Value>{0.5, 1.0}));
  EXPECT_EQ(r.parameters[2].values, (std::vector<Value>{std::string("1"), std::string("nan")}));
  EXPECT_EQ(r.parameters[3].values, (std::vector<Value>{std::string("0x1"), std::string("2")}));
}

TEST(Csv, WhatIsWrongIsSaidWithItsLine) {
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "x,";
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"", "line 1: the file is empty; expected a header that ends in time_ms"},
      {"\n \n", "line 3: the file is empty; expected a header that ends in time_ms"},
      {"a,b\n", "line 1: the last column must be time_ms, but is \"b\""},
      {"time_ms\n1\n", "line 1: there is no parameter, only time_ms"},
      {"a,,time_ms\n", "line 1: column 2 has no name"},
      {"a,a,time_ms\n", "line 1: column \"a\" is there twice"},
      {"a,time_ms\n", "line 2: the header is followed by no configuration"},
      {"a,time_ms\n1,2\n\n3\n", "line 4: 1 fields, but the header has 2"},
      {"a,time_ms\n1,2,3\n", "line 2: 3 fields, but the header has 2"},
      {"a,time_ms\n1,fast\n",
       "line 2: time_ms must be a number above 0, or empty, but is \"fast\""},
      {"a,time_ms\n1,nan\n", "line 2: time_ms must be a number above 0, or empty, but is \"nan\""},
      {"a,time_ms\n1,-2\n", "line 2: time_ms must be a number above 0, or empty, but is \"-2\""},
      {"a,time_ms\n1,0\n", "line 2: time_ms must be a number above 0, or empty, but is \"0\""},
      {"a,time_ms\n1,1e999\n",
       "line 2: time_ms must be a number above 0, or empty, but is \"1e999\""},
      {"a,time_ms\n1,2\n2,3\n\n01,2\n", "line 5: the same configuration as in line 2"},
      {"a,time_ms\n\"x\ny\",2\nz,3\nz,3\n", "line 5: the same configuration as in line 4"},
      {"a,time_ms\n\"1,2\n", "line 2: a quoted field is never closed"},
      {"a,time_ms\n\"1\"2,3\n", "line 2: text after a quoted field; put a comma between"},
      {wide + "time_ms\n", "line 1: more than 1000 columns"},
      {"a,time_ms\n9007199254740993,1\n0.5,1\n",
       "line 4: parameter \"a\" has reals and integers too large to be reals"},
  };
  for (const Case& c : cases) {
    const auto recording = parse_csv(c.text, "r.csv");
    ASSERT_FALSE(recording) << c.text;
    EXPECT_EQ(recording.error().message, std::string("\"r.csv\": ") + c.message) << c.text;
    EXPECT_EQ(recording.error().kind, ErrorKind::bad_inputs);
  }
}

}  // namespace
}  // namespace vyre::recording
