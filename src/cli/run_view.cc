#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/words.h"
#include "cli/run_view.h"
#include "run/interrupt.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

std::string against(double spent, double cap, const char* unit) {
  return cap > 0 ? fmt::format("{:.2f} of {:.2f} {}", spent, cap, unit)
                 : fmt::format("{:.2f} {}", spent, unit);
}

std::string best_line(const run::RunStatus& status, const Screen& screen) {
  if (!status.best_seconds) return "best     none was accepted yet";
  std::string line = fmt::format("best     {:05}  {} (±{:.2f} %)", *status.best,
                                 format_seconds(*status.best_seconds),
                                 50 * (status.best_interval.high - status.best_interval.low));
  if (status.seed_seconds && *status.seed_seconds > *status.best_seconds)
    line += fmt::format("  {} the seed", format_ratio(*status.seed_seconds / *status.best_seconds));
  constexpr int bar_width = 20;
  if (status.ceiling_fraction)
    line +=
        fmt::format("  {}{} of {}",
                    screen.width > 0 ? format_bar(*status.ceiling_fraction, bar_width) + " " : "",
                    format_percent(*status.ceiling_fraction), printable(status.ceiling));
  return line;
}

std::string budget_line(const run::RunStatus& status) {
  const auto& spending = status.spending;
  std::string line =
      fmt::format("spent    {}, {}", against(spending.usd, status.budget.usd, "dollars"),
                  against(status.minutes, status.budget.minutes, "minutes"));
  line += status.budget.calls > 0
              ? fmt::format(", {} of {} calls", spending.calls, status.budget.calls)
              : ", " + base::counted(spending.calls, "call");
  return line + fmt::format(", {} tokens in, {} out", spending.tokens_in, spending.tokens_out);
}

std::string candidates_line(const run::RunStatus& status) {
  std::string line =
      fmt::format("{}, {} accepted, {} not", base::counted(status.candidates, "candidate"),
                  status.accepted, status.failed);
  if (status.budget.candidates > 0)
    line += fmt::format(" ({} may be written)", status.budget.candidates);
  return line;
}

}  // namespace

std::string workers_text(const exec::WorkerCounts& workers) {
  std::string text = fmt::format("{} running, {} queued, {} lost; {} at work, {} waiting",
                                 workers.running, workers.queued, workers.lost,
                                 base::counted(workers.jobs_running, "job"), workers.jobs_waiting);
  return workers.trouble.empty() ? text : text + "; " + printable(workers.trouble);
}

std::string status_lines(const run::RunStatus& status, const Screen& screen) {
  std::string where = status.phase;
  if (status.phase == "generation") where += fmt::format(" {}", status.generation);
  std::vector<std::string> lines{
      fmt::format("run {}  {}  {}", status.run, where, candidates_line(status)),
      best_line(status, screen)};
  for (const auto& [role, what] : status.doing)
    lines.push_back(fmt::format("{:<8} {}", role, printable(what)));
  if (status.workers) lines.push_back("workers  " + workers_text(*status.workers));
  lines.push_back(budget_line(status));
  std::string text;
  for (const auto& line : lines)
    text += (screen.width > 0 ? cut(line, static_cast<std::size_t>(screen.width)) : line) + "\n";
  return text;
}

LiveView::LiveView(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {
  if (terminal_ && !quiet_) thread_ = std::thread([this] { keep_drawing(); });
}

LiveView::~LiveView() {
  erase();
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LiveView::keep_drawing() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    draw();
    ending_.wait_for(lock, std::chrono::seconds(1));
  }
}

void LiveView::wipe() {
  if (lines_ > 0) std::fprintf(stderr, "\033[%dA\r\033[J", lines_);
  lines_ = 0;
  last_.clear();
}

void LiveView::draw() {
  if (!status_) return;
  run::RunStatus now = *status_;
  now.minutes +=
      std::chrono::duration<double, std::ratio<60>>(std::chrono::steady_clock::now() - shown_at_)
          .count();
  const std::string text = status_lines(now, screen_of(stderr));
  if (text == last_) return;
  wipe();
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  last_ = text;
  lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void LiveView::erase() {
  const std::lock_guard lock(mutex_);
  status_.reset();
  wipe();
  std::fflush(stderr);
}

void LiveView::say(const std::string& sentence) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  wipe();
  std::fprintf(stderr, "%s\n", printable(sentence).c_str());
  draw();
  std::fflush(stderr);
}

void LiveView::step(const app::Step& step) {
  if (!terminal_ && !step.text.empty()) say(step.text);
}

const std::atomic<bool>& LiveView::cancelled() const { return run::Interrupt().flag(); }

void LiveView::show(const run::RunStatus& status) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  if (!terminal_) {  // a line only where the figures changed
    const std::string line = candidates_line(status) + "; " + best_line(status, {}).substr(9);
    if (line != last_plain_ && status.candidates > 0) std::fprintf(stderr, "%s\n", line.c_str());
    last_plain_ = line;
    show_workers(status);
    std::fflush(stderr);
    return;
  }
  status_ = status;
  shown_at_ = std::chrono::steady_clock::now();
  draw();
}

// A line only where workers came or went.
void LiveView::show_workers(const run::RunStatus& status) {
  if (!status.workers) return;
  exec::WorkerCounts now = *status.workers;
  now.jobs_running = now.jobs_waiting = 0;
  if (now == last_workers_) return;
  last_workers_ = now;
  std::fprintf(stderr, "workers: %s\n", workers_text(*status.workers).c_str());
}

std::string result_text(const run::RunResult& result, const Screen& screen) {
  const bool better = result.compared && result.compared->word == core::Comparison::faster;
  std::string out;
  if (!result.conclusion.empty())
    out += paint(result.conclusion, better ? Colour::good : Colour::doubtful, screen) + "\n";
  out +=
      fmt::format("  run {}: {}; {}\n", result.run, store::name_of(result.state), result.stopped);
  out += fmt::format("  {}\n  {}\n", candidates_line(result.status),
                     budget_line(result.status).substr(9));
  if (const auto& certification = result.certification) {
    const auto& evaluation = certification->record.evaluation;
    out += fmt::format("  {:05} in a fresh process: {}\n", certification->node,
                       verdict_text(evaluation, screen));
    out += certification->passed() ? case_table(evaluation, screen)
                                   : evidence_text(evaluation.evidence, screen);
  }
  if (!result.away.empty()) {
    out += fmt::format("  {} away. Bring the results back, then go on:\n",
                       base::counted(static_cast<std::int64_t>(result.away.size()), "job"));
  } else if (result.best) {
    out += fmt::format(
        "  hone best {0} -o FILE writes it; hone report {0} -o FILE.md tells the summary\n",
        result.run);
  } else if (result.certification) {
    out += fmt::format("  hone report {} -o FILE.md tells the summary\n", result.run);
  }
  return out;
}

}  // namespace hone::cli
