#pragma once
// For tests only: a sink that keeps what it is told.
#include <string>
#include <vector>

#include "app/sink.h"

namespace hone::app {

class RecordingSink : public Sink {
 public:
  void say(const std::string& sentence) override { sentences.push_back(sentence); }
  void step(const Step& step) override { steps.push_back(step); }
  const std::atomic<bool>& cancelled() const override { return is_cancelled; }

  std::vector<std::string> sentences;
  std::vector<Step> steps;
  std::atomic<bool> is_cancelled = false;
};

}  // namespace hone::app
