#include <algorithm>

#include "agents/mission_values.h"
#include "agents/node_text.h"

namespace hone::agents {
namespace {

constexpr std::size_t best_listed = 40,
                      newest_listed = 20;  // of a large population; the others are told last
constexpr std::int64_t selector_tokens = 8000;

// Comparisons side by side come before times that were taken apart.
double time_of(const ListedNode* listed) {
  if (listed->incumbent) return 0;
  const auto& verdict = listed->node->verdict;
  return verdict && verdict->geomean ? *verdict->geomean : 1e30;
}

}  // namespace

llm::Request ask_selector(const Mission& mission, const std::vector<ListedNode>& nodes,
                          const std::vector<NoCandidate>& no_candidate) {
  std::vector<const ListedNode*> ranked, main, others;
  for (const auto& node : nodes) ranked.push_back(&node);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](auto a, auto b) { return time_of(a) < time_of(b); });
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const auto position = static_cast<std::size_t>(ranked[i] - nodes.data());
    const bool newest = position + newest_listed >= nodes.size();
    (i < best_listed || newest ? main : others).push_back(ranked[i]);
  }
  auto values = mission_values(mission);
  values.texts["nodes"] = listing_text(main);
  values.texts["other_nodes"] = listing_text(others);
  values.texts["no_candidate"] = no_candidate_text(no_candidate);
  auto request = request_for("selector", "selector", values, selector_tokens);
  request.tool =
      tool_from("select", "Names the basis of the next experiments and a node to compare it with.");
  return request;
}

}  // namespace hone::agents
