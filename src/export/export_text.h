#pragma once
// What both exports are made of: names that C++ accepts, expressions, and templates (resources/export) with their gaps
// filled.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/export.h"

namespace hone::exports {

struct Exporting {
  const core::Task& task;
  const core::Candidate& candidate;  // its plan is checked against the task
  const core::Point& point;
  std::string function;              // the launcher's name, which the files have too
  std::vector<std::string> symbols;  // of the cases, in the order they appear in the tensors' shapes
};

std::string cpp_name(const std::string& name);  // the name itself unless it is a keyword or a name of ours
std::string cpp(const base::Expr& expr);
std::string joined(const std::vector<std::string>& parts, const std::string& between);
std::string product(const std::vector<base::Expr>& factors);  // "1" of none
std::vector<base::Expr> expressions(const std::vector<core::PlanExpr>& list);
std::string dims(const std::vector<core::PlanExpr>& list);  // three of them, 1 where there is none

std::set<std::string> symbols_used(const core::Plan& plan);  // by its expressions
std::vector<std::string> device_facts_used(const Exporting& exporting);

// The bits of a number in a type, as hexadecimal digits: exact, whatever the type.
std::string bits_of(core::DType dtype, double value);
std::string number(double value, const char* type);  // a C++ expression of that type

// What fills the gaps of a template. Here are those that both languages have alike.
using Gaps = std::map<std::string, std::string>;
Gaps common_gaps(const Exporting& exporting);

// A tensor as its parameter and its use in the example.
struct TensorText {
  std::string parameter, example, print;
};
using TensorWriter =
    std::function<TensorText(const std::string& name, core::DType dtype, const std::string& elements, bool is_input)>;
void add_tensors(const Exporting& exporting, Gaps& gaps, const TensorWriter& write);

std::vector<std::string> kernels_of(const core::Plan& plan);  // each once, in the order of the launches
// `when` and `repeat` round what one launch does; `body` is called with the indentation.
std::string launch_block(const core::Launch& launch, const std::function<std::string(const std::string& indent)>& body);

// `@key@` becomes the value; a key without one is an Error.
std::string filled(const std::string& resource, const Gaps& gaps);

std::vector<ExportedFile> export_cuda(const Exporting& exporting);
std::vector<ExportedFile> export_opencl(const Exporting& exporting);

}  // namespace hone::exports
