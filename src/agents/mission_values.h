#pragma once
// What all prompts of a run say alike, and the order in which it goes where a prompt is too long
// (docs/search.md): history first, then the reference's source, older findings, knowledge
// cards, newest findings; what is left has to stay.
#include "agents/prompts.h"
#include "agents/template.h"

namespace hone::agents {

Values mission_values(const Mission& mission);
// Also how candidates are written and judged: for prompts of writers.
Values writing_values(const Mission& mission);

llm::Request request_for(const std::string& role, const std::string& prompt, const Values& values,
                         std::int64_t max_output_tokens);
llm::ToolDefinition tool_from(
    const std::string& name,
    const std::string& description);  // its schema: prompts/NAME.schema.json

}  // namespace hone::agents
