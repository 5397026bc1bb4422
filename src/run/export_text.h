#pragma once
// What both exports are made of: names that C++ accepts, expressions, and templates (resources/export) with their gaps
// filled.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/export.h"

namespace hone::run {

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

std::vector<std::string> symbol_parameters(const Exporting& exporting);  // "int64_t rows", ...
std::vector<std::string> device_facts_used(const Exporting& exporting);
// Definitions of everything expressions may name besides the parameters: tunables, the task's integer scalars.
std::string constants(const Exporting& exporting);
std::string bad_sizes(const Exporting& exporting);       // "rows < 1 || cols < 1"
std::string kernel_defines(const Exporting& exporting);  // #define lines for the tunables

// The bits of a number in a type, as hexadecimal digits: exact, whatever the type.
std::string bits_of(core::DType dtype, double value);
std::string number(double value, const char* type);  // a C++ expression of that type
std::string about(const Exporting& exporting);       // a comment: what this was made of

// `@key@` becomes the value; a key without one is an Error.
std::string filled(const std::string& resource, const std::map<std::string, std::string>& values);

std::vector<ExportedFile> export_cuda(const Exporting& exporting);
std::vector<ExportedFile> export_opencl(const Exporting& exporting);

}  // namespace hone::run
