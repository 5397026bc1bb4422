#pragma once
// Names, types and texts as Python. Whatever a task calls a thing becomes a valid name, and any
// source a string literal. Pure functions.
#include <string>

#include "core/dtype.h"

namespace hone::exports {

std::string python_name(
    const std::string& name);  // the name itself unless it is a keyword or a name of the templates
const char* torch_type(core::DType dtype);  // "torch.float32"
// A string literal, raw and over several lines where that is possible.
std::string python_text(const std::string& text);
std::string indented(const std::string& text, const std::string& by);

}  // namespace hone::exports
