#include <algorithm>

#include "agents/individual_text.h"
#include "agents/mission_values.h"

namespace hone::agents {
namespace {

constexpr std::size_t best_listed = 40, newest_listed = 20;  // of a large population; the others are told last
constexpr std::int64_t selector_tokens = 8000;

// Comparisons side by side come before times that were taken apart.
double time_of(const Individual* member) {
  if (member->to_beat) return 0;
  return member->evaluation && member->evaluation->geomean ? *member->evaluation->geomean : 1e30;
}

}  // namespace

llm::Request ask_selector(const Mission& mission, const std::vector<Individual>& population,
                          const std::vector<Fruitless>& fruitless) {
  std::vector<const Individual*> ranked, main, others;
  for (const auto& member : population) ranked.push_back(&member);
  std::stable_sort(ranked.begin(), ranked.end(), [](auto a, auto b) { return time_of(a) < time_of(b); });
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const auto position = static_cast<std::size_t>(ranked[i] - population.data());
    const bool newest = position + newest_listed >= population.size();
    (i < best_listed || newest ? main : others).push_back(ranked[i]);
  }
  auto values = mission_values(mission);
  values.texts["members"] = listing_text(main);
  values.texts["other_members"] = listing_text(others);
  values.texts["fruitless"] = fruitless_text(fruitless);
  auto request = request_for("selector", "selector", values, selector_tokens);
  request.tool = tool_from("select", "Names the basis of the next experiments and a member to compare it with.");
  return request;
}

}  // namespace hone::agents
