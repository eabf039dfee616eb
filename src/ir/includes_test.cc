#include "ir/includes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "testing/temporary_folder.h"
#include "vyre/builder.h"

namespace vyre::ir {
namespace {

namespace fs = std::filesystem;

struct IncludesTest : ::testing::Test {
  void write(const std::string& name, const std::string& text) const {
    const fs::path file = folder.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string whole(const std::string& text, const std::string& options = "") const {
    const auto out =
        with_includes(text, {.name = "k.cl", .folder = folder.path(), .options = options});
    return out ? *out : "error: " + out.error().message;
  }
  std::string at(const std::string& name) const { return (folder.path() / name).string(); }

  const testing::TemporaryFolder folder;
};

TEST_F(IncludesTest, ATextWithoutIncludesStaysAsItIs) {
  for (const char* text : {"", "a", "a\r\nb", "// #include \"a.h\"\n", "x = \"#include <a>\";"}) {
    EXPECT_EQ(whole(text), text);
  }
}

TEST_F(IncludesTest, FilesAreWrittenIntoTheText) {
  write("a.h", "int a;\n#include \"deep/b.h\"\n");
  write("deep/b.h", "#include \"c.h\"\nint b;");
  write("deep/c.h", "int c;\n");
  EXPECT_EQ(whole("first\n  #  include \"a.h\" // why\nlast\n"),
            "first\n"
            "#line 1 \"a.h\"\nint a;\n"
            "#line 1 \"deep/b.h\"\n"
            "#line 1 \"c.h\"\nint c;\n"
            "#line 1 \"deep/b.h\"\n\nint b;\n"
            "#line 2 \"a.h\"\n\n"
            "#line 2 \"k.cl\"\n // why\nlast\n");
}

TEST_F(IncludesTest, FoldersOfTheOptionsAreSearched) {
  write("one/a.h", "int one;\n");
  write("two words/b.h", "int two;\n");
  const std::string options =
      "-DX=1 -I " + at("one") + " -I\"" + at("two words") + "\" -cl-fast-relaxed-math";
  EXPECT_EQ(whole("#include <a.h>\n#include \"b.h\"\n", options),
            "#line 1 \"a.h\"\nint one;\n#line 1 \"k.cl\"\n\n"
            "#line 1 \"b.h\"\nint two;\n#line 2 \"k.cl\"\n\n");
  EXPECT_EQ(whole("#include <a.h>\n"), "#include <a.h>\n");
}

TEST_F(IncludesTest, TheFolderOfTheIncludingFileComesFirst) {
  write("a.h", "int near;\n");
  write("far/a.h", "int far;\n");
  EXPECT_EQ(whole("#include \"a.h\"\n", "-I" + at("far")),
            "#line 1 \"a.h\"\nint near;\n#line 1 \"k.cl\"\n\n");
}

TEST_F(IncludesTest, FoldersComeInNvrtcsLongFormToo) {
  write("far/a.h", "int far;\n");
  EXPECT_EQ(whole("#include <a.h>\n", "--include-path=" + at("far")),
            "#line 1 \"a.h\"\nint far;\n#line 1 \"k.cl\"\n\n");
  EXPECT_FALSE(may_read_files("", "--include-path=" + at("far")));
}

TEST_F(IncludesTest, OnceStaysOnce) {
  write("a.h", "#pragma once\nint a;\n");
  EXPECT_EQ(whole("#if X\n#include \"a.h\"\n#endif\n#include \"./a.h\"\n"),
            "#if X\n"
            "#ifndef VYRE_ONCE_0\n#define VYRE_ONCE_0\n#line 1 \"a.h\"\n\nint a;\n#endif\n"
            "#line 2 \"k.cl\"\n\n#endif\n"
            "#ifndef VYRE_ONCE_0\n#define VYRE_ONCE_0\n#line 1 \"./a.h\"\n\nint a;\n#endif\n"
            "#line 4 \"k.cl\"\n\n");
}

TEST_F(IncludesTest, CommentsAndContinuedLinesAreNoIncludes) {
  write("a.h", "int a;\n");
  const std::string text =
      "/* a\n#include \"a.h\"\n*/\n// \\\n#include \"a.h\"\n#define M \\\n#include \"a.h\"\n";
  EXPECT_EQ(whole(text), text);
  // A quote does not begin a comment, and the other way round.
  EXPECT_EQ(whole("c = '\"'; s = \"/*\"; // \" /*\n#include \"a.h\"\n"),
            "c = '\"'; s = \"/*\"; // \" /*\n#line 1 \"a.h\"\nint a;\n#line 2 \"k.cl\"\n\n");
}

TEST_F(IncludesTest, AFileThatIncludesItselfIsLeftToTheCompiler) {
  write("a.h", "#ifndef A\n#define A\n#include \"a.h\"\n#endif\n");
  const std::string text = whole("#include \"a.h\"\n");
  EXPECT_NE(text.find("#include \"a.h\""), text.npos);
  EXPECT_TRUE(may_read_files(text, ""));
}

TEST_F(IncludesTest, HasLimits) {
  write("a0.h", std::string(1 << 10, 'x') + "\n");
  for (int k = 1; k <= 20; ++k) {
    const std::string line = "#include \"a" + std::to_string(k - 1) + ".h\"\n";
    write("a" + std::to_string(k) + ".h", line + line);
  }
  EXPECT_EQ(
      whole("#include \"a20.h\"\n"),
      "error: with \"" + at("a0.h") + "\" the included files have more than 16 MiB; include fewer");
}

TEST_F(IncludesTest, AProgramChangesWithItsFiles) {
  const auto fingerprint_now = [&] {
    const auto program = from_source("k",
                                     {.text = "#include \"a.h\"\n",
                                      .entry = "k",
                                      .options = "-I" + folder.path().string(),
                                      .arguments = {}},
                                     {});
    EXPECT_TRUE(program) << program.error().message;
    return Sequence::make(*program)->fingerprint();
  };
  write("a.h", "kernel void k() {}\n");
  const Fingerprint before = fingerprint_now();
  EXPECT_EQ(fingerprint_now(), before);
  write("a.h", "kernel void k() { }\n");
  EXPECT_NE(fingerprint_now(), before);
}

TEST(LineDirective, NamesTheLineThatFollows) {
  EXPECT_EQ(line_directive(7, "my kernel.cl"), "#line 7 \"my kernel.cl\"\n");
  EXPECT_EQ(line_directive(1, "a\"b\\c\nd"), "#line 1 \"a_b_c_d\"\n");
}

TEST(MayReadFiles, LooksAtDirectivesAndOptions) {
  for (const char* text :
       {"#include \"a\"", "  # include FILE", "#\\\ninclude <a>", "%: include <a>", "#import <a>",
        "# /* x\n */ include <a>", "#if __has_include(\"a\")\n#endif", "#include_next <a>",
        "const char x[] = {\n#embed \"a\"\n};"}) {
    EXPECT_TRUE(may_read_files(text, "")) << text;
  }
  for (const char* text : {"", "int include;", "// #include <a>", "/*\n#include <a>\n*/",
                           "x = \"\\\"\\\n#include <a>\";", "#define A 1 // include",
                           "#line 1 \"include/a.h\"\nint a;"}) {
    EXPECT_FALSE(may_read_files(text, "")) << text;
  }
  EXPECT_FALSE(may_read_files("", "-I/usr/include -DA=include -cl-std=CL1.2 -w"));
  EXPECT_TRUE(may_read_files("", "-w -include a.h"));
  EXPECT_TRUE(may_read_files("", "-imacros a.h"));
}

}  // namespace
}  // namespace vyre::ir
