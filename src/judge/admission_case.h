#pragma once
// The examination of one case of a task: one real draw with its true answer, and every false answer held against it.
#include <functional>
#include <string>
#include <vector>

#include "judge/admission.h"
#include "judge/bounds.h"
#include "judge/buffers.h"
#include "judge/pool.h"
#include "judge/secrets.h"
#include "judge/truth.h"

namespace hone::judge {

// How far beyond its bound a figure is: over 1 fails. A bound of 0 is exact.
double beyond(double figure, double bound);

class CaseExamination {
 public:
  // Draws inputs and computes their true outputs.
  CaseExamination(const core::Task& task, const core::Case& which, device::Workbench& bench, Truth& truth,
                  Secrets& secrets, Admission& admission);

  void false_answers();     // zeros, the mean, a shuffled answer, another call's answer, an input given back
  void ignored_inputs();    // each input drawn anew, replaced by its mean, by zeros
  void changed_elements();  // a few elements of each input changed
  void single_elements();   // one at a time: which fraction of them matters
  void spread();            // of the outputs, as a whole and along each axis
  void precision();         // the honest error, and what narrower precisions would make of it

 private:
  using Verdict = AdmissionCheck::Verdict;
  struct Held {
    bool fails = false;
    double figure = 0, bound = 0;  // the error that is furthest beyond its bound, or nearest to it
    double rms = 0;
  };

  // What lies in `actual_` against the truth; `officially`: as an answer for the drawn inputs, by the problem's own
  // check as well where it has one.
  Held hold(std::size_t output, bool officially = false);
  Held hold_all(bool officially);  // the output that fails, or comes nearest to it
  Held answer_for(const BufferSet& inputs, core::DType real = core::DType::f64, bool officially = true);
  void must_fail(int row, const std::string& name, const std::string& output, const Held& held,
                 const std::string& meaning);
  AdmissionCheck& add(int row, const std::string& name, const std::string& output, Verdict verdict, std::string text);
  bool only_official() const { return task_.own_check && !task_.own_check->unique; }
  bool officially_refused() { return truth_.official_refusal(case_, inputs_.all(), actual_.all()).has_value(); }
  void right_answers();  // the true ones, in the outputs' own types, into `actual_`
  void change(std::size_t input, std::uint64_t count);
  void copy_inputs();  // the drawn ones into `changed_`
  bool drawn_constant(std::size_t input, double value);
  // `lay_out` fills `changed_`; without it the case's own draw is meant.
  void honest(const std::string& what, const std::function<void()>& lay_out = nullptr);
  void judge_honest(std::size_t output, const std::string& what, const Held& held, const Held& rounding);
  void narrower();

  const core::Task& task_;
  const core::Case& case_;
  device::Workbench& bench_;
  Truth& truth_;
  Secrets& secrets_;
  Admission& admission_;
  TaskShapes shapes_;
  BufferSet inputs_, changed_, expected_, other_, actual_;
  std::unique_ptr<BufferSet> other_inputs_;  // of another draw, to take elements from
  std::vector<double> honest_rms_;
  std::vector<Bounds> bounds_;  // by output, as the judge has them for these inputs
};

}  // namespace hone::judge
