#pragma once
// The examination of one case of a task: a real draw of the inputs with the expected outputs, and a
// buffer for answers whose errors are compared with the tolerance. Every check is a function that
// adds what it finds to `found`. Made by admit() (admission.h) and used on its thread.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/admission.h"
#include "judge/buffers.h"
#include "judge/pool.h"
#include "judge/precision/bounds.h"
#include "judge/secrets.h"
#include "judge/truth.h"

namespace hone::judge {

struct CaseExamination {
  // Draws inputs and computes the expected outputs. Throws Error where the reference fails.
  CaseExamination(const core::Task& task, const core::Case& which, device::TensorOps& ops,
                  Truth& truth, Secrets& secrets);

  const core::Task& task;
  const core::Case& which;
  device::TensorOps& ops;
  Truth& truth;
  Secrets& secrets;
  TaskShapes shapes;
  BufferSet inputs;    // the draw
  BufferSet changed;   // other inputs, made from them
  BufferSet expected;  // the true outputs for `inputs`, as the reference writes them
  BufferSet computed;  // what the reference makes of other inputs
  BufferSet answer;    // the answer whose error is measured, in the outputs' own types
  std::unique_ptr<BufferSet>
      other_inputs;  // another draw by the problem, to take elements from; null: not drawn yet
  std::vector<double> honest_rms;  // by output
  std::vector<Bounds> bounds;      // by output, as the judge has them for these inputs
  Admission found;                 // checks and notes
};

// ---- the checks, in admission_checks.cc and admission_precision.cc

void check_spread(CaseExamination& examined);  // of the outputs, as a whole and along each axis
void check_false_answers(
    CaseExamination& examined);  // zeros, mean, shuffled, an input, the answer to another call
void check_ignored_inputs(
    CaseExamination& examined);  // each input drawn again, replaced by its mean, by zeros
void check_changed_elements(CaseExamination& examined);  // a few elements of each input changed
void check_single_elements(CaseExamination& examined);   // one at a time: the fraction that matters
void check_precision(
    CaseExamination& examined);  // the honest error, and errors of narrower precisions

// ---- what the checks share, in admission_case.cc

// The error of an answer.
struct AnswerError {
  bool fails = false;  // the answer is refused
  double figure = 0,
         bound = 0;  // of the errors (largest, rms), the one that is largest relative to its bound
  double rms = 0;
};
// Above 1: beyond the bound. A bound of 0 allows no error.
double relative_to_bound(const AnswerError& error);

// Whether there are several right answers, so that only the problem's own check can decide.
bool only_own_check_decides(const core::Task& task);

// Writes into `answer` what the reference makes of the inputs in this precision.
void set_answer(CaseExamination& examined, const BufferSet& inputs,
                core::DType real = core::DType::f64);
void set_expected_answer(CaseExamination& examined);
// The error of `answer` in one output, by the tolerance.
AnswerError tolerance_error(CaseExamination& examined, std::size_t output);
// The same, as a candidate's answer for `inputs`: the problem's own check, if it has one, may
// refuse it too.
AnswerError candidate_error(CaseExamination& examined, std::size_t output);
// What a candidate's error would be that computes its answer from `inputs` instead: that of the
// worst output.
AnswerError candidate_error_from(CaseExamination& examined, const BufferSet& inputs);

void copy_inputs(CaseExamination& examined);  // the draw into `changed`
// Replaces `count` elements (0: a few) of an input in `changed`.
void change_input(CaseExamination& examined, std::size_t input, std::uint64_t count);

// Adds a check of this case. The reference is valid until the next one is added.
AdmissionCheck& add_check(CaseExamination& examined, int row, const std::string& name,
                          const std::string& output, AdmissionCheck::Verdict verdict,
                          std::string text);
void set_figures(AdmissionCheck& check, const std::string& expectation, double figure,
                 double bound);
// Adds a check that is ok if the answer fails, doubtful if it comes close to passing. `meaning`: of
// passing.
void add_must_fail(CaseExamination& examined, int row, const std::string& name,
                   const std::string& output, const AnswerError& error, const std::string& meaning);

// Does the work. Returns the text of an Error that is about the task (bad_input); lets other errors
// through.
std::optional<std::string> task_error(const std::function<void()>& work);

}  // namespace hone::judge
