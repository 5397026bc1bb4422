#pragma once
// What the models of a run answer, as values: a selection, avenues and experiments, a candidate with its report, what
// was learned. Parsed strictly from a reply; what does not parse comes back as a sentence for the model to mend it by.
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/client.h"

namespace hone::agents {

struct Selection {
  int basis = 0, reference = 0;  // members' numbers; reference 0: none
  std::string rationale;
};

struct Experiment {
  enum class Kind { kernel, probe } kind = Kind::kernel;
  std::string description, rubric;
  double gain_low = 0, gain_high = 0;  // percent of the basis's time that should be saved, as predicted
  double innovation = 0;               // 0..100
  std::vector<std::string> advice;     // ids of the advice it rests on: "A1"
  std::string taken_as;                // "most innovative", "highest maximum", "highest minimum"; "": not taken
};
struct Design {
  std::vector<std::string> avenues;
  std::vector<Experiment> experiments;
  std::vector<std::string> notes;  // what was passed over in the answer, in sentences
};

struct Written {
  std::string source;  // whole, edits applied
  std::string report;  // what was really done
};

struct Lesson {
  std::vector<std::string> findings;       // sentences worth telling later prompts
  std::vector<std::string> disagreements;  // where a report does not fit its diff
};

// JSON of an experiment, as it is archived.
std::string to_text(const Experiment& experiment);
Experiment experiment_from(const std::string& text);

base::Result<Selection> parse_selection(const llm::Reply& reply, const std::vector<int>& known);
// `advice`: the ids that the designer was shown; others are dropped from an experiment, with a note.
// Where there are no probes (somebody else's evaluator), an experiment of that kind goes back.
enum class Probes { yes, no };
base::Result<Design> parse_design(const llm::Reply& reply, const std::vector<std::string>& advice = {},
                                  Probes probes = Probes::yes);
// Three without replacement: most innovative, highest maximum, highest minimum; fewer where there are fewer. Marked in
// `taken_as`. `count` other than three goes on round the same three rules.
std::vector<Experiment> take_experiments(const Design& design, std::size_t count = 3);
// What tells a source from a snippet: its plan; in Python, that it defines what is called; of somebody else's evaluator
// nothing is known.
struct Form {
  enum class Kind { plan, python, any } kind = Kind::plan;
  std::string entry;  // python: "ModelNew" or "custom_kernel"
};
// A whole source in one fenced block, or search/replace edits of the basis; and a report. `basis` is "" where there is
// nothing to edit.
base::Result<Written> parse_written(const llm::Reply& reply, const std::string& basis, const Form& form = {});
base::Result<Lesson> parse_lesson(const llm::Reply& reply);  // of a learner or of a digest

// Without any model: names in the report (`in backquotes`) that the source does not have, or a source that did not
// change. Sentences; empty: nothing to object to.
std::vector<std::string> check_report(const std::string& report, const std::string& basis, const std::string& source);

}  // namespace hone::agents
