#include <fmt/format.h>

#include "agents/prompts.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

using core::Outcome;

// Together they stay under the whole's limit in all but odd cases; the first evidence says most.
constexpr std::size_t most_evidence = 4, longest_first = 2600, longest_evidence = 600,
                      longest_log = 2000, longest_text = 8000, longest_diagnosis = 2600,
                      longest_race = 1200;

const char* hint_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::build_failed:
      return "Fix what the compiler says.";
    case Outcome::launch_failed:
      return "A launch did not start or did not finish: look at the sizes in the plan, shared "
             "memory, registers times threads, alignment of vector accesses, and accesses out of "
             "bounds.";
    case Outcome::wrong:
      return "Every case must be right, the small odd ones too, for all kinds of inputs.";
    case Outcome::timed_out:
      return "It did not finish in time: look for a barrier or a wait that not all threads reach, "
             "and for loops without end.";
    case Outcome::crashed:
      return "The process died: look for accesses out of bounds.";
    case Outcome::cheating:
      return "The judge found that it does not compute what is asked, freshly, in every call. "
             "Compute it.";
    case Outcome::below_floor:
      return "No device can be that fast: something is not read or not computed.";
    case Outcome::rejected:
      return "The candidate breaks a rule of the format, or its plan does not fit the task or the "
             "device.";
    case Outcome::undecided:
      return "Nothing was found against it, but the judge could not tell, for the reason below. It "
             "neither confirms nor refutes its experiment.";
    default:
      return "";
  }
}

const char* python_hint_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::build_failed:
      return "The file could not be imported, or what it defines could not be constructed. Fix "
             "what the traceback says.";
    case Outcome::launch_failed:
      return "The call raised an exception. Fix what the traceback says; a kernel that reads or "
             "writes out of bounds is noticed at a later line than the one it was launched from.";
    case Outcome::wrong:
      return "Every case must be right, for all kinds of inputs and for weights that are others in "
             "every call.";
    case Outcome::timed_out:
      return "It did not finish in time: look for loops without end, and for a barrier that not "
             "all threads reach.";
    case Outcome::crashed:
      return "The process died: look for accesses out of bounds, and for what ends the process.";
    case Outcome::rejected:
      return "The candidate breaks a rule of the format.";
    default:
      return hint_for(outcome);
  }
}

// Of a kernel that runs, all else the compiler says is old news: that wgmma is serialised costs a
// factor.
std::string wgmma_lines(std::string_view log) {
  std::string text;
  for (std::size_t at = 0; at < log.size();) {
    const auto end = std::min(log.find('\n', at), log.size());
    if (const auto line = log.substr(at, end - at); line.starts_with("ptxas info"))
      text += std::string(line) + "\n";
    at = end + 1;
  }
  return std::string(trimmed(text));
}

}  // namespace

std::string race_text(const core::Evaluation& evaluation) {
  std::string text;
  for (const auto& evidence : evaluation.evidence)
    if (!evidence.convicts && evidence.guard == checkers_word && evidence.row == races_row)
      text += "On races: " + shortened(evidence.text, longest_race) + "\n";
  return text;
}

std::string evidence_text(const core::Evaluation& evaluation, bool python) {
  const bool external =
      !evaluation.evidence.empty() && evaluation.evidence.front().guard == evaluators_word;
  std::string text = fmt::format("Outcome: {}. {}\n", core::name_of(evaluation.outcome),
                                 external ? "The evaluator's own words:"
                                 : python ? python_hint_for(evaluation.outcome)
                                          : hint_for(evaluation.outcome));
  std::size_t count = 0;
  std::string said;
  for (const auto& evidence : evaluation.evidence) {
    if (!evidence.convicts || ++count > most_evidence) continue;
    text += fmt::format(
        "- {}{}{}\n", evidence.case_name.empty() ? "" : "Case " + evidence.case_name + ": ",
        shortened(evidence.text, count == 1 ? longest_first : longest_evidence),
        evidence.guard.empty() || external ? "" : fmt::format(" (guard: {})", evidence.guard));
    said += evidence.text;
  }
  if (count > most_evidence)
    text += fmt::format("- and {} more of the kind.\n", count - most_evidence);
  for (const auto& evidence : evaluation.evidence)
    if (!evidence.convicts && evidence.guard == diagnosis_word)
      text += fmt::format("Diagnosis, by another run that decides nothing: {}\n",
                          shortened(evidence.text, longest_diagnosis));
  if (evaluation.outcome != Outcome::accepted) text += race_text(evaluation);
  // The judge repeats a short log as evidence; once is enough.
  const auto log = trimmed(evaluation.build_log);
  const bool runs = evaluation.outcome == Outcome::accepted || evaluation.outcome == Outcome::wrong;
  if (const auto told = runs ? wgmma_lines(log) : std::string(log);
      !told.empty() && said.find(told) == std::string::npos)
    text += "The compiler said:\n" + fenced(shortened(told, longest_log), "");
  std::string right;
  for (const auto& result : evaluation.cases)
    if (result.median > 0 || result.error_rms > 0)
      right += (right.empty() ? "" : ", ") + result.name;
  if (!right.empty() && evaluation.outcome != Outcome::accepted)
    text += fmt::format("Cases that were looked at before it ended: {}.\n",
                        shortened(right, longest_evidence));
  return shortened(text, longest_text);
}

}  // namespace hone::agents
