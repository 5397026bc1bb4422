#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/answers.h"
#include "agents/json_reply.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::size_t most_listed = 40;  // ids in a complaint

std::string listed(const std::vector<int>& known) {
  std::string text;
  for (std::size_t i = 0; i < known.size() && i < most_listed; ++i)
    text += (i == 0 ? "" : ", ") + node_id(known[i]);
  return known.size() > most_listed ? text + ", …" : text;
}

// The models' ways to say that there is none.
bool is_none(const nlohmann::json* value) {
  if (value == nullptr || value->is_null()) return true;
  if (value->is_number()) return value->get<double>() == 0;
  if (!value->is_string()) return false;
  const auto word = lower(text_in(*value));
  return word.empty() || word == "none" || word == "null" || word == "-" ||
         node_number_in(*value) == 0;
}

}  // namespace

base::Result<Selection> parse_selection(const llm::Reply& reply,
                                        const std::vector<core::NodeId>& known,
                                        const std::map<core::NodeId, core::NodeId>& numbers) {
  const auto object = object_in(reply, {"basis"});
  if (!object) return base::Failure{object.error()};
  const auto is_known = [&](int number) {
    return std::find(known.begin(), known.end(), number) != known.end();
  };
  const auto node_in = [&](const nlohmann::json& value) {
    const auto number = node_number_in(value);
    const auto found = number ? numbers.find(*number) : numbers.end();
    return found == numbers.end() ? number : std::optional(found->second);
  };
  const auto* basis_value = field(*object, {"basis"});
  const auto basis = node_in(*basis_value);
  if (!basis)
    return base::Failure{
        fmt::format("\"basis\" must be the id of one node, such as \"{}\"; choose among {}.",
                    node_id(known.empty() ? 1 : known.front()), listed(known))};
  if (!is_known(*basis))
    return base::Failure{
        fmt::format("There is no node {} that could be the basis; choose among {}.",
                    node_id(*basis), listed(known))};
  Selection selection;
  selection.basis = *basis;
  if (const auto* value = field(*object, {"reference"}); !is_none(value)) {
    const auto reference = node_in(*value);
    if (!reference || !is_known(*reference))
      return base::Failure{fmt::format(
          "\"reference\" names no node; choose among {}, or write \"none\".", listed(known))};
    if (*reference != selection.basis)
      selection.reference = *reference;  // beside itself it says nothing
  }
  if (const auto* value = field(*object, {"rationale", "reason", "why"}))
    selection.rationale = text_in(*value);
  return selection;
}

}  // namespace hone::agents
