#pragma once
// What a server offers beside tools: resources to read (tasks, how candidates are written,
// knowledge cards, the source of a run's node, the guide for agents) and prompts. The lists are
// made anew each time; nothing is kept.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "mcp/place.h"
#include "mcp/tool.h"

namespace hone::mcp {

struct Resource {
  std::string uri, name, title, about;
};
std::vector<Resource> resources(const Place& place);
void describe_resources(base::Fields& fields, const std::vector<Resource>& list);
void describe_templates(base::Fields& fields);

// The text behind a URI; nothing: there is no such resource. Throws Error where it cannot be read.
// `answer_of`: a tool's answer (some need a process of their own).
using AnswerOf = std::function<Answer(const std::string& tool, const std::string& arguments)>;
std::optional<std::string> read_resource(const Place& place, const std::string& uri,
                                         const AnswerOf& answer_of);

void describe_prompts(base::Fields& fields);
// Nothing: there is no such prompt. Throws Error where an argument is missing.
std::optional<std::string> prompt_text(const std::string& name, const std::string& arguments);

std::string guide();  // for coding agents, in a page

}  // namespace hone::mcp
