#include <fmt/format.h>

#include <algorithm>

#include "agents/prompts.h"
#include "agents/template.h"
#include "agents/text.h"
#include "base/hash.h"

namespace hone::agents {
namespace {

constexpr int drop_earlier_complaint = 90, drop_answer = 20;
constexpr std::size_t longest_answer = 60000, longest_complaint = 8000;
// Titles of what this adds, by which an earlier round is known again.
constexpr const char *answer_title = "Your last answer",
                     *complaint_title = "What was wrong with it",
                     *earlier_title = "What was wrong with an earlier answer",
                     *again_title = "Answer again";

}  // namespace

llm::Request ask_again(const llm::Request& request, const std::string& answer,
                       const std::string& complaint, const std::string& attempt) {
  llm::Request again = request;
  auto& sections = again.prompt.sections;
  std::erase_if(sections, [](const llm::Section& section) {
    return section.title == answer_title || section.title == again_title;
  });
  for (auto& section : sections)
    if (section.title == complaint_title)
      section.title = earlier_title, section.drop = drop_earlier_complaint;
  Values values;
  const auto text = part(attempt.empty() ? "again" : "again.attempt", values);
  if (attempt.empty())
    sections.push_back({answer_title, fenced(shortened(answer, longest_answer), ""), drop_answer});
  else  // edits are made of it, so it has to stay
    sections.push_back({answer_title, fenced(attempt, ""), 0});
  sections.push_back({complaint_title, shortened(complaint, longest_complaint), 0});
  sections.push_back({again_title, text, 0});
  again.prompt.template_hash = base::Hasher().add(request.prompt.template_hash).add(text).hex();
  return again;
}

}  // namespace hone::agents
