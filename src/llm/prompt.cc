#include "llm/prompt.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/json.h"

namespace hone::llm {

std::string render(const Prompt& prompt) {
  std::string text;
  for (const auto& section : prompt.sections) {
    if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
    if (!section.title.empty()) text += "## " + section.title + "\n\n";
    text += section.text;
  }
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

// Of what a model gets to see; not of the template or of what would be dropped first.
std::string hash_of(const Prompt& prompt) {
  base::Hasher hasher;
  hasher.add(prompt.system);
  for (const auto& section : prompt.sections) hasher.add(section.title).add(section.text);
  return hasher.hex();
}

std::optional<Prompt> shrunk(const Prompt& prompt) {
  // Of equals the last goes: what matters more stands nearer to the beginning.
  std::size_t least = prompt.sections.size();
  for (std::size_t i = 0; i < prompt.sections.size(); ++i) {
    const int drop = prompt.sections[i].drop;
    if (drop > 0 && (least == prompt.sections.size() || drop >= prompt.sections[least].drop))
      least = i;
  }
  if (least == prompt.sections.size()) return std::nullopt;
  Prompt shorter = prompt;
  shorter.sections.erase(shorter.sections.begin() + static_cast<std::ptrdiff_t>(least));
  return shorter;
}

std::string shape_in_words(const ToolDefinition& tool) {
  return fmt::format(
      "## How to answer\n\n{}\n\nAnswer with one JSON object in a fenced block (```json), and "
      "nothing after it. It must follow this JSON Schema:\n\n```json\n{}\n```\n",
      tool.description, tool.schema);
}

std::string whole_text(const Request& request) {
  std::string text = request.prompt.system;
  if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
  text += render(request.prompt);
  if (request.tool) text += "\n" + shape_in_words(*request.tool);
  return base::valid_utf8(text);
}

}  // namespace hone::llm
