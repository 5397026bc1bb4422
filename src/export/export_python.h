#pragma once
// A CUDA candidate's plan as Python that allocates with torch and launches by the light loader
// (resources/python/hone_light.py): what the exports for KernelBench and GPU MODE have in common. Expressions whose
// symbols are all known become numbers; the others stay expressions, over variables of the function they stand in.
#include <functional>
#include <string>
#include <vector>

#include "export/export_text.h"

namespace hone::exports {

using Evaluation = ExportFormat;  // here kernelbench, gpumode or torch

std::string python_name(const std::string& name);  // the name itself unless it is a keyword or a name of ours
std::string python_text(
    const std::string& text);  // a string literal, raw and over several lines where that is possible
std::string indented(const std::string& text, const std::string& by);

// The light loader as `NAME = ...`, indented by `indent`: the whole file inside a function, so that none of its names
// meet those of the file it is pasted into.
std::string pasted_loader(Evaluation evaluation, const std::string& indent, const std::string& assignments);

// A text with the loader in place of its imports of it.
std::string python_with_loader(const std::string& text, Evaluation evaluation);

// Words that an evaluator's text search refuses, spelled differently wherever they stand in the device code.
std::string without_refused_words(std::string source, Evaluation evaluation);
// The rules of an evaluator that a finished text does not keep, as sentences.
std::vector<std::string> broken_rules(const std::string& text, Evaluation evaluation, bool inline_cuda);

class PythonPlan {
 public:
  PythonPlan(const Exporting& exporting, Evaluation evaluation, base::Bindings known)
      : exporting_(exporting), evaluation_(evaluation), known_(std::move(known)) {}

  std::string expression(const base::Expr& expr) const;
  std::string shape(const std::vector<base::Expr>& dims) const;  // a tuple
  // What stands before the function: the source, and what compiles it.
  std::string preamble() const;
  // The body: device facts, scratch, launches. `device` is a Python expression; `scalar` gives a scalar argument's
  // value as Python, or nothing where the task's constant is meant.
  using ScalarValue = std::function<std::string(const std::string&)>;
  std::string body(const std::string& device, const ScalarValue& scalar) const;
  bool made_by_operation(const std::string& buffer) const;  // its memory comes with a result, in every case
  std::string helpers(const std::string& text) const;       // functions that expressions in the text call

 private:
  std::string tuple(const std::vector<core::PlanExpr>& list, std::size_t least) const;
  std::string argument(const core::Arg& arg, const ScalarValue& scalar) const;
  std::string tensormap(const core::TensorMap& map) const;
  std::string launch(const core::Launch& launch, const ScalarValue& scalar) const;
  std::string operation(const core::Launch& launch, const ScalarValue& scalar) const;
  std::string value(const core::Arg& arg, const ScalarValue& scalar) const;  // of an operation's argument

  const Exporting& exporting_;
  Evaluation evaluation_;
  base::Bindings known_;
};

const char* torch_type(core::DType dtype);  // "torch.float32"

std::vector<ExportedFile> export_kernelbench(const Exporting& exporting);
std::vector<ExportedFile> export_gpumode(const Exporting& exporting);
std::string python_about(const Exporting& exporting);  // the comment at the top

}  // namespace hone::exports
