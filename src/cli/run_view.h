#pragma once
// A run of models for a person: one live view on a terminal, plain lines elsewhere, and what came
// of it.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/sink.h"
#include "run/run.h"
#include "text/format.h"

namespace hone::cli {

std::string status_lines(const run::RunStatus& status,
                         const text::Screen& screen);  // the live view, several lines
std::string workers_text(const exec::WorkerCounts& workers);
std::string result_text(const run::RunResult& result, const text::Screen& screen);

// Redraws several lines in place on a terminal, each second, so that minutes move; sentences that
// are worth keeping stand above them. Plain lines elsewhere, of passing moments too. Any thread.
class LiveView : public app::Sink {
 public:
  explicit LiveView(bool quiet);
  ~LiveView() override;
  void say(const std::string& sentence) override;
  void step(const app::Step& step) override;  // only where there is no view to show it
  const std::atomic<bool>& cancelled() const override;
  void show(const run::RunStatus& status);
  void erase();  // the lines of the view, until there are others to show

 private:
  void draw();  // these two under the lock
  void wipe();
  void keep_drawing();
  void show_workers(const run::RunStatus& status);

  bool quiet_, terminal_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::optional<run::RunStatus> status_;  // what the view shows, and since when
  std::chrono::steady_clock::time_point shown_at_{};
  int lines_ = 0;
  std::string last_, last_plain_;
  exec::WorkerCounts last_workers_;
  std::thread thread_;  // on a terminal; last: it uses the others
};

}  // namespace hone::cli
