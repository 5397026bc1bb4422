#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

#include "base/printable.h"
#include "run/interrupt.h"
#include "text/format.h"

namespace hone::cli {

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { wipe(); }

void Progress::wipe() {
  if (terminal_ && !last_.empty()) std::fputs("\r\033[K", stderr);
}

void Progress::say(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  wipe();
  std::fprintf(stderr, "%s\n", base::printable_lines(sentence).c_str());
  std::fflush(stderr);
  last_.clear();
}

void Progress::step(const app::Step& step) {
  const std::lock_guard lock(mutex_);
  std::string line = base::printable(step.text);
  if (step.seconds_left && !line.empty()) line += "; " + text::format_time_left(*step.seconds_left);
  if (quiet_ || line == last_) return;
  last_ = line;
  if (terminal_)
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
  else if (!line.empty())
    std::fprintf(stderr, "%s\n", line.c_str());
  std::fflush(stderr);
}

const std::atomic<bool>& Progress::cancelled() const { return run::Interrupt().flag(); }

}  // namespace hone::cli
