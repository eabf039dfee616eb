#include "cli/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/text.h"
#include "cli/decisions.h"

namespace vyre::cli {

void Findings::note(const std::string& name, const Progress& p) {
  if (p.best_ns <= 0) return;
  const std::lock_guard lock(mutex_);
  at_hand_ = fmt::format("{}: best so far {}, {:.2f} x, {} tried", name, ms_text(p.best_ns),
                         p.default_ns / p.best_ns, p.evaluations);
}

void Findings::add(TunedKernel kernel) {
  const std::lock_guard lock(mutex_);
  all_.push_back(std::move(kernel));
  at_hand_.clear();
}

void Findings::expect_again() {
  const std::lock_guard lock(mutex_);
  ++devices_;
}

// A table for each device. Every device has all kernels, but for the last one of an interrupted
// command.
void Findings::print_tables() const {
  for (std::size_t k = 0; k < all_.size(); k += kernels_.size()) {
    const std::size_t end = std::min(k + kernels_.size(), all_.size());
    const DeviceInfo& device = all_[k].device;
    if (devices_ > 1) {
      fmt::print("{}on {} ({}, driver {}):\n", k == 0 ? "" : "\n", device.name, device.backend,
                 device.driver);
    }
    fmt::print("{}", table_of({all_.begin() + static_cast<std::ptrdiff_t>(k),
                               all_.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
}

void Findings::print() const {
  if (as_json_) return fmt::print("{}\n", json_of(all_));
  print_tables();
  for (const TunedKernel& kernel : all_) {
    const Tuned& tuned = kernel.tuned;
    if (!tuned.why_not_kept.empty() && !tuned.is_interrupted()) {
      fmt::print(stderr, "vyre: {}: not kept: {}\n", kernel.problem.name,
                 escaped(tuned.why_not_kept));
    }
    if (tuned.decision.drift > 0) {
      fmt::print(stderr, "vyre: {}: {}\n", kernel.problem.name, drift_text(tuned.decision.drift));
    }
  }
}

void Findings::show() {
  const std::lock_guard lock(mutex_);
  is_shown_ = true;
  print();
  std::fflush(stdout);
}

Expected<void> Findings::check_complete() const {
  return check_done(all_.size() - (all_.back().tuned.is_interrupted() ? 1 : 0));
}

Expected<void> Findings::check_done(std::size_t done) const {
  if (done == devices_ * kernels_.size()) return {};
  if (done == 0 || devices_ > 1)
    return bad_inputs("interrupted; the same command goes on from where it stopped");
  std::string rest;
  for (std::size_t k = done; k < kernels_.size(); ++k) rest += " " + kernels_[k];
  return bad_inputs("interrupted; the same command with these kernels does the rest:{}", rest);
}

// A thread that holds the lock is showing what was found, perhaps to a pipe that nobody reads.
void Findings::show_as_last_words() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || is_shown_) return;
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  print();
  if (!at_hand_.empty()) fmt::print(stderr, "vyre: {}\n", at_hand_);
  if (const auto done = check_done(all_.size()); !done) {
    fmt::print(stderr, "vyre: {}\n", done.error().message);
  }
  std::fflush(stdout);
}

}  // namespace vyre::cli
