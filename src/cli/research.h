#pragma once
// A run of the scientist for a person: one live view on a terminal, plain lines elsewhere, and what came of it.
#include <string>

#include "cli/format.h"
#include "run/research.h"

namespace hone::cli {

std::string research_lines(const run::ResearchStatus& status, const Screen& screen);  // the live view, several lines
std::string research_report(const run::ResearchResult& result, const run::ResearchStatus& status, const Screen& screen);
std::string research_json(const run::ResearchResult& result, const run::ResearchStatus& status);

// Redraws several lines in place on a terminal; sentences that last stand above them. Plain lines elsewhere.
class LiveView {
 public:
  explicit LiveView(bool quiet);
  ~LiveView();
  void say(const std::string& text);
  void show(const run::ResearchStatus& status);
  void erase();  // the lines of the view

 private:
  bool quiet_, terminal_;
  int lines_ = 0;
  std::string last_, last_plain_;
};

}  // namespace hone::cli
