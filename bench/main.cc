// vyre_bench [FILE.json] [--only REGEX]: runs the benchmarks, prints a table, writes it as JSON.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testing/bench.h"

namespace {

using vyre::testing::Report;

bool write_json(const Report& report, const std::string& path) {
  std::ofstream file(path);
  file << report.json().dump(2) << "\n";
  return file.good();
}

int complain(const std::string& message, int exit_code) {
  fmt::print(stderr, "vyre_bench: {}\n", message);
  return exit_code;
}

int run(const std::string& path, const std::string& only) {
  const auto on_start = [](const char* name) { fmt::print(stderr, "{}\n", name); };
  const auto report = vyre::testing::run_benchmarks(only, on_start);
  if (!report) return complain(report.error().message, 2);
  fmt::print("{}", report->text());
  if (path.empty() || write_json(*report, path)) return 0;
  return complain("cannot write " + path, 1);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Runs the benchmarks and prints a table"};
  std::string path;
  std::string only;
  app.add_option("file", path, "Where to write the rows as JSON");
  app.add_option("--only", only, "Regular expression: run the benchmarks whose name matches");
  CLI11_PARSE(app, argc, argv);
  return run(path, only);
}
