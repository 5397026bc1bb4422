#pragma once
// Names, expressions and numbers of a plan as C++. Whatever a plan calls a thing becomes a valid
// name, and a number keeps its bits. Pure functions.
#include <functional>
#include <string>
#include <vector>

#include "core/plan.h"

namespace hone::exports {

std::string cpp_name(
    const std::string& name);  // the name itself unless it is a keyword or a name of the templates
std::string cpp(const base::Expr& expr);
std::string product(const std::vector<base::Expr>& factors);  // "1" of none
std::string dims(const std::vector<core::PlanExpr>& list);  // three of them, 1 where there is none

// The bits of a number in a type, as hexadecimal digits: exact, whatever the type.
std::string bits_of(core::DType dtype, double value);
std::string number(double value, const char* type);  // a C++ expression of that type

// A launch with its `when` and `repeat`; `body` writes what is inside and is called with the
// indentation.
std::string launch_block(const core::Launch& launch,
                         const std::function<std::string(const std::string& indent)>& body);

}  // namespace hone::exports
