#pragma once
// A run of the scientist for a person: one live view on a terminal, plain lines elsewhere, and what came of it.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "run/research.h"
#include "text/format.h"

namespace hone::cli {

std::string research_lines(const run::ResearchStatus& status,
                           const text::Screen& screen);  // the live view, several lines
std::string research_report(const run::ResearchResult& result, const run::ResearchStatus& status,
                            const text::Screen& screen);
std::string research_json(const run::ResearchResult& result, const run::ResearchStatus& status);

// Redraws several lines in place on a terminal, each second, so that minutes move; sentences that last stand above
// them. Plain lines elsewhere, of passing moments too. Any thread.
class LiveView {
 public:
  explicit LiveView(bool quiet);
  ~LiveView();
  void say(const std::string& text);
  void note(const std::string& text);  // of the moment: only where there is no view to show it
  void show(const run::ResearchStatus& status);
  void erase();  // the lines of the view, until there are others to show

 private:
  void draw();  // these two under the lock
  void wipe();
  void keep_drawing();

  bool quiet_, terminal_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::optional<run::ResearchStatus> status_;  // what the view shows, and since when
  std::chrono::steady_clock::time_point shown_at_{};
  int lines_ = 0;
  std::string last_, last_plain_;
  std::thread thread_;  // on a terminal; last: it uses the others
};

}  // namespace hone::cli
