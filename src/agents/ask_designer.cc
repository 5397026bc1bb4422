
#include "agents/json_reply.h"
#include "agents/mission_values.h"
#include "agents/node_text.h"
#include "agents/profile_text.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::int64_t designer_tokens = 16000;
constexpr std::size_t most_tried = 60;  // of those that were tried, the newest

// Compulsory bytes of a case, by the task's formulas; 0: not known.
double bytes_in(const ShownNode& shown, const std::string& case_name) {
  if (shown.evaluation)
    for (const auto& result : shown.evaluation->cases)
      if (result.name == case_name) return result.bytes;
  return 0;
}

}  // namespace

llm::Request ask_designer(const Mission& mission, const ShownNode& basis,
                          const ShownNode* basis_parent, const ShownNode* reference,
                          const std::vector<ListedNode>& nodes, const Feedback& feedback,
                          const std::vector<NoCandidate>& no_candidate,
                          const std::vector<FollowedAdvice>& followed) {
  auto values = mission_values(mission);
  values.texts["basis_id"] = node_id(basis.node.number);
  values.texts["basis"] = times_text(basis) + "\n" + source_text(mission, basis);
  values.texts["basis_history"] = history_text(&basis, basis_parent);
  values.texts["reference_id"] = reference == nullptr ? "" : node_id(reference->node.number);
  values.texts["reference"] =
      reference == nullptr ? "" : times_text(*reference) + "\n" + source_text(mission, *reference);
  std::vector<const ListedNode*> tried;
  for (auto node = nodes.rbegin(); node != nodes.rend() && tried.size() < most_tried; ++node)
    if (node->experiment != nullptr) tried.push_back(&*node);
  values.texts["tried"] = listing_text(tried);
  values.texts["no_candidate"] = no_candidate_text(no_candidate);
  values.texts["followed"] = followed_text(followed);
  const bool tools = feedback.profile != nullptr && !feedback.raw;
  values.texts["diagnosis"] = tools ? diagnosis_text(*feedback.profile) : "";
  values.texts["measured"] =
      tools ? measured_text(*feedback.profile, bytes_in(basis, feedback.profile->case_name)) : "";
  values.texts["advice"] = tools ? advice_text(*feedback.profile) : "";
  values.texts["hot_lines"] = tools ? hot_lines_text(*feedback.profile) : "";
  values.texts["counters"] =
      feedback.profile != nullptr && feedback.raw ? counters_text(*feedback.profile) : "";
  values.texts["candidates"] = mission.python ? part("candidates.python", values) : "";
  const bool external = !mission.external.empty();
  values.texts["kinds"] = part(external ? "kinds.external" : "kinds", values);
  auto request = request_for("designer", "designer", values, designer_tokens);
  request.tool = tool_from("design", "Ten avenues, and five experiments made from them.");
  if (external)  // its evaluator runs candidates only
    request.tool->schema = schema_without_probes(request.tool->schema);
  return request;
}

}  // namespace hone::agents
