#pragma once
// Selector, designer and learner: their questions, and their answers as facts of the run.
#include "run/workplace.h"

namespace hone::run {

class Roles {
 public:
  explicit Roles(Workplace& workplace) : work_(workplace) {}
  void ask(const core::Deed& deed);

 private:
  void ask_selector(const core::Deed& deed);
  void ask_designer(const core::Deed& deed);
  void ask_learner(const core::Deed& deed);
  void ask(core::ActionId number, Question question,
           std::function<core::Answered(const llm::Reply&)> read);
  void taken(core::ActionId number, const Answer& answer,
             const std::function<core::Answered(const llm::Reply&)>& read);
  void learned(const core::Answered& answered, int generation, store::Archive& archive) const;

  Workplace& work_;
};

}  // namespace hone::run
