#pragma once
// Selector, designer and learner: their questions, and their answers as facts of the run. On the
// driver's thread; other threads only wait for the models (run/asker.h).
#include "run/run_parts.h"

namespace hone::run {

class Roles {
 public:
  explicit Roles(RunParts& parts) : work_(parts) {}
  void ask(const core::DecidedAction& act);

 private:
  void ask_selector(const core::DecidedAction& act);
  void ask_designer(const core::DecidedAction& act);
  void ask_learner(const core::DecidedAction& act);
  void ask(core::ActionId number, Question question,
           std::function<core::Answered(const llm::Reply&)> read);
  void taken(core::ActionId number, const Answer& answer,
             const std::function<core::Answered(const llm::Reply&)>& read);
  void learned(const core::Answered& answered, int generation, store::Archive& archive) const;

  RunParts& work_;
};

}  // namespace hone::run
