#pragma once
// A request as one text, for models that get no more than that: programs, people, and servers that
// take no tools.
#include <string>

#include "llm/client.h"

namespace hone::llm {

// What tells a model without tools to answer in a tool's shape.
std::string shape_in_words(const ToolDefinition& tool);
// The system part, the sections, and in which shape to answer; always UTF-8.
std::string whole_text(const Request& request);

}  // namespace hone::llm
