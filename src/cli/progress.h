#pragma once
// Progress for people, on standard error: steps are rewritten in place on a terminal and are plain
// lines elsewhere. Under --json there are no steps; sentences are worth keeping there too, and only
// standard output belongs to programs.
#include "app/sink.h"

#include <mutex>
#include <string>

namespace hone::cli {

class Progress : public app::Sink {
 public:
  explicit Progress(bool quiet);  // quiet: without steps
  ~Progress() override;
  void say(const std::string& sentence) override;
  void step(const app::Step& step) override;
  const std::atomic<bool>& cancelled() const override;
  bool terminal() const { return terminal_; }

 private:
  void wipe();

  bool quiet_, terminal_;
  std::mutex mutex_;
  std::string last_;
};

}  // namespace hone::cli
