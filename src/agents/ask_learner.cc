#include <fmt/format.h>

#include "agents/mission_values.h"
#include "agents/node_text.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::int64_t learner_tokens = 8000;
constexpr int drop_diff = 60, drop_document = 50;
constexpr std::size_t longest_diff = 8000, longest_report = 3000;
constexpr std::size_t piece = 16000;  // bytes of a document that go together when it is too long
constexpr int most_pieces = 40;

std::string realised_text(const Tried& tried) {
  if (tried.realised)
    return fmt::format("Realised: {:.3g} % of the basis's time saved (predicted {:g} to {:g} %).\n",
                       *tried.realised, tried.experiment.gain_low, tried.experiment.gain_high);
  return "Realised: nothing that could be measured.\n";
}

void add(std::vector<llm::Section>& sections, const Tried& tried, bool python) {
  const auto id = node_id(tried.result.node.number);
  std::string text =
      fmt::format("Basis {}, result {}.\n\n{}\n{}{}{}", node_id(tried.basis.node.number), id,
                  experiment_text(tried.experiment), realised_text(tried), times_text(tried.basis),
                  times_text(tried.result));
  if (tried.result.evaluation && tried.result.evaluation->outcome != core::Outcome::accepted)
    text += evidence_text(*tried.result.evaluation, python);
  text += fmt::format("\nThe writer's report: {}\n",
                      tried.result.node.report.empty()
                          ? "none"
                          : shortened(tried.result.node.report, longest_report));
  for (const auto& objection :
       check_report(tried.result.node.report, tried.basis.source, tried.result.source))
    text += fmt::format("Noticed: {}\n", objection);
  sections.push_back({fmt::format("Experiment that made {}", id), text, 0});
  const auto changes =
      diff(tried.basis.source, tried.result.source, node_id(tried.basis.node.number), id);
  if (!changes.empty())
    sections.push_back({fmt::format("Diff of {}", id),
                        fenced(shortened(changes, longest_diff), "diff"), drop_diff});
}

}  // namespace

llm::Request ask_learner(const Mission& mission, const std::vector<Tried>& tried) {
  auto values = mission_values(mission);
  for (const auto& one : tried) add(values.sections["tried"], one, mission.python);
  auto request = request_for("learner", "learner", values, learner_tokens);
  request.tool =
      tool_from("learn", "What the experiments taught, and which reports do not fit their diffs.");
  return request;
}

llm::Request ask_digest(const Mission& mission, const std::string& name,
                        const std::string& document) {
  auto values = mission_values(mission);
  values.texts["name"] = in_one_line(name, 200);
  auto& sections = values.sections["document"];
  std::string_view left = document;
  for (int number = 0; !left.empty(); ++number) {
    auto length =
        left.size() <= piece || number == most_pieces ? left.size() : left.rfind('\n', piece) + 1;
    if (length == 0) length = piece;  // one endless line
    // The document's end goes first where not all of it fits; its beginning has to stay.
    sections.push_back({number == 0 ? "Document" : fmt::format("Document, part {}", number + 1),
                        fenced(left.substr(0, length), ""),
                        number == 0 ? 0 : drop_document + number});
    left.remove_prefix(length);
  }
  auto request = request_for("digest", "digest", values, learner_tokens);
  request.tool = tool_from("digest", "What the document teaches for this task and device.");
  return request;
}

}  // namespace hone::agents
