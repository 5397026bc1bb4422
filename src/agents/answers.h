#pragma once
// What the models of a run answer, read from their replies: a selection, a design, a candidate with
// its report, a lesson. Parsing is strict; where a reply does not parse, the failure is a sentence
// by which the model can correct it.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/experiment.h"
#include "llm/client.h"

namespace hone::agents {

struct Written {
  std::string source;  // whole, edits applied
  std::string report;  // what was really done
};

using core::Design;
using core::Experiment;
using core::Lesson;
using core::Selection;

// `numbers`: where the answer comes from a recording, the nodes of this run by the numbers that it
// uses.
base::Result<Selection> parse_selection(const llm::Reply& reply,
                                        const std::vector<core::NodeId>& known,
                                        const std::map<core::NodeId, core::NodeId>& numbers = {});
// `advice`: the ids that the designer was shown; others are dropped from an experiment, with a
// note. Where there are no probes (an external evaluator), a design with an experiment of that kind
// is refused.
enum class Probes { yes, no };
base::Result<Design> parse_design(const llm::Reply& reply,
                                  const std::vector<std::string>& advice = {},
                                  Probes probes = Probes::yes);
// An experiment as archives before the journal keep it. What is missing is left empty: experiments
// of Hone's own making may lack a rubric or a prediction.
Experiment recorded_experiment(const std::string& text);
// What tells a whole source from a snippet: its plan; in Python, that it defines what is called;
// for an external evaluator nothing is known.
struct SourceForm {
  enum class Kind { plan, python, any } kind = Kind::plan;
  std::string entry;  // python: "ModelNew" or "custom_kernel"
};
// A whole source in one fenced block, or search/replace edits of the basis; and a report. `basis`
// is "" where there is nothing to edit.
base::Result<Written> parse_written(const llm::Reply& reply, const std::string& basis,
                                    const SourceForm& form = {});
base::Result<Lesson> parse_lesson(const llm::Reply& reply);  // of a learner or of a digest

// Without any model: names in the report (`in backquotes`) that the source does not have, or a
// source that did not change. Sentences; empty: nothing to object to.
std::vector<std::string> check_report(const std::string& report, const std::string& basis,
                                      const std::string& source);
bool changes_nothing(const std::string& basis, const std::string& source);  // but comments, blanks
// The advice that a writer says it carried out ("Followed: A1, A3"); empty for "none". Nothing: it
// does not say.
std::optional<std::vector<std::string>> followed_in(const std::string& report);

// The part of an experiment's gain that each piece of advice it cites is credited with. Nothing:
// credit is withheld, because the writer did not carry out all that is cited, does not say which of
// several it did, or changed nothing.
std::optional<double> credit_for_each(std::optional<double> gain,
                                      const std::vector<std::string>& cited,
                                      const std::string& report, const std::string& basis,
                                      const std::string& source);

}  // namespace hone::agents
