#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agents/answers.h"
#include "agents/json_reply.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

// A finding stands in every later prompt: few and short, or they crowd out the rest.
constexpr std::size_t most_findings = 12, longest_finding = 800;

// One report's entry; "" if it agrees or says nothing.
std::string disagreement_in(const nlohmann::json& entry) {
  const auto* agrees = field(entry, {"agrees"});
  const auto truth = agrees == nullptr ? std::nullopt : truth_in(*agrees);
  if (!truth || *truth) return "";
  const auto *node = field(entry, {"node", "member", "id"}), *why = field(entry, {"why", "reason"});
  const auto number = node == nullptr ? std::nullopt : node_number_in(*node);
  auto text = why == nullptr ? std::string() : in_one_line(text_in(*why), longest_finding);
  if (text.empty()) text = "the report does not fit the diff";
  return number ? fmt::format("{}: {}", node_id(*number), text) : text;
}

}  // namespace

base::Result<Lesson> parse_lesson(const llm::Reply& reply) {
  const auto object = object_in(reply, {"findings"});
  if (!object) return base::Failure{object.error()};
  const auto* findings = field(*object, {"findings"});
  if (!findings->is_array())
    return base::Failure{std::string(
        "\"findings\" must be a list of texts; an empty list if there is nothing to say.")};
  Lesson lesson;
  for (const auto& finding : *findings)
    if (auto text = text_in(finding); !text.empty() && lesson.findings.size() < most_findings)
      lesson.findings.push_back(shortened(text, longest_finding));
  if (lesson.findings.empty() && !findings->empty())
    return base::Failure{
        std::string("The entries of \"findings\" must be texts, each one to three sentences.")};
  if (const auto* reports = field(*object, {"reports"}); reports != nullptr && reports->is_array())
    for (const auto& entry : *reports)
      if (auto text = disagreement_in(entry); !text.empty())
        lesson.disagreements.push_back(std::move(text));
  return lesson;
}

}  // namespace hone::agents
