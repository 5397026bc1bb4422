#pragma once
// A CUDA candidate's plan as Python that allocates with torch and launches by the light loader
// (resources/python/hone_light.py): what the formats kernelbench, gpumode and torch have in common.
// Expressions whose symbols are all known become numbers; the others stay expressions, over
// variables of the function they stand in. Lives as long as one export.
#include <functional>
#include <string>
#include <vector>

#include "export/export.h"
#include "export/exporting.h"

namespace hone::exports {

class PythonPlan {
 public:
  PythonPlan(const Exporting& exporting, ExportFormat format, base::Bindings known)
      : exporting_(exporting), format_(format), known_(std::move(known)) {}

  std::string expression(const base::Expr& expr) const;
  std::string shape(const std::vector<base::Expr>& dims) const;  // a tuple
  // What stands before the function: the source, and what compiles it.
  std::string preamble() const;
  // The body: device facts, scratch, launches. `device` is a Python expression; `scalar` gives a
  // scalar argument's value as Python, or nothing where the task's constant is meant.
  using ScalarValue = std::function<std::string(const std::string&)>;
  std::string body(const std::string& device, const ScalarValue& scalar) const;
  bool made_by_operation(
      const std::string& buffer) const;  // its memory comes with a result, in every case
  std::string helpers(
      const std::string& text) const;  // functions that expressions in the text call

 private:
  std::string tuple(const std::vector<core::PlanExpr>& list, std::size_t least) const;
  std::string argument(const core::Arg& arg, const ScalarValue& scalar) const;
  std::string tensormap(const core::TensorMap& map) const;
  std::string launch(const core::Launch& launch, const ScalarValue& scalar) const;
  std::string operation(const core::Launch& launch, const ScalarValue& scalar) const;
  std::string value(const core::Arg& arg,
                    const ScalarValue& scalar) const;  // of an operation's argument

  const Exporting& exporting_;
  ExportFormat format_;
  base::Bindings known_;
};

}  // namespace hone::exports
