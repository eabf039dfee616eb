#include "fleet/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vyre::fleet {
namespace {

TEST(Words, AreThoseOfAShell) {
  struct Case {
    const char* command;
    std::vector<std::string> words;
  };
  const Case cases[] = {
      {"srun --quiet -u", {"srun", "--quiet", "-u"}},
      {"  ssh\t-o 'Server Alive' \n h ", {"ssh", "-o", "Server Alive", "h"}},
      {R"(a "b \"c\" \d" e\ f)", {"a", R"(b "c" \d)", "e f"}},
      {R"('' "" x''y)", {"", "", "xy"}},
      {"echo $HOME *;", {"echo", "$HOME", "*;"}},
      {R"('a\')", {"a\\"}},
      {R"(a\)", {"a\\"}},
  };
  for (const Case& one : cases) {
    const auto words = split_words(one.command);
    ASSERT_TRUE(words) << words.error().message;
    EXPECT_EQ(*words, one.words) << one.command;
  }
}

TEST(Words, SayWhatIsWrong) {
  EXPECT_EQ(split_words("ssh 'a b").error().message,
            "\"ssh 'a b\": a quote is not closed; close it");
  EXPECT_EQ(split_words("  ").error().message, "\"  \": there is no command; name a program");
}

}  // namespace
}  // namespace vyre::fleet
