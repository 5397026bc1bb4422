#include "mcp/output.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "base/fields.h"

namespace hone::mcp {
namespace {

constexpr auto shortest_pause = std::chrono::milliseconds(100);
constexpr auto longest_pause = std::chrono::seconds(5);

}  // namespace

void Output::put(const std::string& line) {
  const std::lock_guard lock(mutex_);
  const std::string whole = line + "\n";
  for (std::size_t at = 0; at < whole.size();) {
    const ssize_t n = ::write(fd_, whole.data() + at, whole.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;  // the end of the input comes next
    at += static_cast<std::size_t>(n);
  }
}

void Request::cancel() {
  const std::lock_guard lock(mutex_);
  if (!over_) cancelled_ = true;
}

bool Request::over() {
  const std::lock_guard lock(mutex_);
  return over_;
}

void Request::answer(const base::Description& result, bool cached) {
  const std::lock_guard lock(mutex_);
  over_ = true;
  if (!cancelled_) output_.put(result_line(*message_.id, result, {modern(), cached}));
}

void Request::refuse(Fault fault) {
  const std::lock_guard lock(mutex_);
  over_ = true;
  fault.id = message_.id;
  if (!cancelled_) output_.put(error_line(fault));
}

void Request::tell(const app::Step& step) {
  if (step.text.empty()) return;
  const std::lock_guard lock(mutex_);
  last_ = step.text;
  if (Clock::now() - told_ >= shortest_pause) put_progress(step.text, step.seconds_left);
}

void Request::heartbeat() {
  const std::lock_guard lock(mutex_);
  if (Clock::now() - std::max(told_, began_) >= longest_pause)
    put_progress(last_.empty() ? "at work" : last_, {});
}

// In seconds, which always increase.
void Request::put_progress(const std::string& text, std::optional<double> seconds_left) {
  if (!message_.progress_token || cancelled_ || over_) return;
  told_ = Clock::now();
  const double seconds =
      std::round(std::chrono::duration<double>(told_ - began_).count() * 1000) / 1000;
  output_.put(notification_line("notifications/progress", [&](base::Fields& f) {
    f("progressToken", base::RawJson(*message_.progress_token))("progress", seconds);
    if (seconds_left) f("total", seconds + std::max(*seconds_left, 0.0));
    f("message", base::valid_utf8(text));
  }));
}

}  // namespace hone::mcp
