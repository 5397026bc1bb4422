#pragma once
// Runs of the scientist in the archive: what was asked for, every call of a model (booked before it
// is made, ended by a second record), the experiments, and the candidates as nodes of the run.
// Append-only. A run is resumed by doing all of its steps again: whatever has a record here is not
// done a second time.
#include <optional>
#include <string>
#include <vector>

#include "store/archive.h"
#include "store/comparisons.h"
#include "store/evaluations.h"

namespace hone::store {

enum class RunState {
  running,
  stopped,
  away,
  finished,
  failed
};  // running: or killed; away: waits for results of bundles
std::string_view name_of(RunState state);

struct ResearchRun {
  std::string id;                   // given by the archive: an r and hexadecimal digits
  Time created{};                   // 0: now
  std::string task, task_name;      // task: hash; the name is filled in by the archive
  std::string device, device_name;  // UUID; of an external evaluator: a name of its own
  std::string settings;             // JSON of the loop's own
  RunState state = RunState::running;
  std::string note;  // why it is in this state
  Time changed{};
};
std::string begin_run(Archive& archive, const ResearchRun& run);  // gives its id
void set_run_state(Archive& archive, const std::string& run, RunState state,
                   const std::string& note = "");
ResearchRun get_run(Archive& archive, const std::string& id_or_prefix);
// How long commands were at work on it, all together; one that was killed counts until the last
// thing it recorded.
double seconds_at_work(Archive& archive, const std::string& run);
std::vector<ResearchRun> list_runs(Archive& archive, int limit);  // newest first

// ---- calls of models

struct CallStart {
  std::string run, step, role,
      model;  // step: which question it is; one step may take several attempts
  std::string template_hash, prompt;  // prompt: whole, as sent
  double reserved_usd = 0;            // the most it can cost
};
struct CallEnd {
  bool answered = false;
  std::string text, arguments;  // the answer; or the fault's text
  std::string fault;            // its kind; "" if answered
  std::string model, stop;      // as the provider says
  std::int64_t tokens_in = 0, tokens_out = 0, tokens_cached = 0;
  double usd = 0, seconds = 0;
};
std::int64_t begin_call(Archive& archive, const CallStart& call);  // gives its number
void end_call(Archive& archive, std::int64_t call,
              const CallEnd& end);  // the first end of a call stands

// The answer to a step, if it was ever received; of several the first.
std::optional<CallEnd> answer_to(Archive& archive, const std::string& run, const std::string& step);

struct CallRecord {
  std::int64_t number = 0;
  Time created{};
  CallStart start;             // the prompt only where it is asked for
  std::optional<CallEnd> end;  // nothing: in flight, or lost in a crash
};
std::vector<CallRecord> calls_of(Archive& archive, const std::string& run,
                                 bool with_texts);  // in order

struct Spending {
  std::int64_t calls = 0, answered = 0;
  std::int64_t tokens_in = 0, tokens_out = 0, tokens_cached = 0;
  double usd = 0;  // what ended calls cost, and what the others may have cost
  double seconds = 0;
};
Spending spending_of(Archive& archive, const std::string& run);

// ---- nodes: candidates of a run with their numbers. The journal (store/journal.h) says what
// became of them; these rows let other statements find them.

struct NodeRow {
  int number = 0;      // 0: the archive gives the next one
  std::string step;    // the step that wrote it, unique in the run: "g003/writer-2/try-1", "seed/0"
  int generation = 0;  // 0: seeds
  std::string candidate;                   // hash, recorded before
  std::optional<int> basis, reference;     // numbers of other nodes
  std::optional<std::int64_t> experiment;  // its number in the archive
  std::string report;                      // what its writer says was really done
  Time created{};
};
int record_node_row(Archive& archive, const std::string& run,
                    const NodeRow& node);  // the same step again: its number
std::vector<NodeRow> node_rows_of(Archive& archive, const std::string& run);

// What was found of a node. A node is judged once in a run, whatever happens; certified at most
// once: the first evaluation of each depth that is linked stands. Recording and linking belong into
// one ArchiveTransaction, so that no crash falls between them.
void link_evaluation(Archive& archive, const std::string& run, int node,
                     const std::string& evaluation);
struct NodeEvaluation {
  int node = 0;
  EvaluationRecord record;
};
std::vector<NodeEvaluation> evaluations_of_run(Archive& archive,
                                               const std::string& run);  // in order
void link_comparison(Archive& archive, const std::string& run, const std::string& comparison);
std::vector<ComparisonRecord> comparisons_of_run(Archive& archive,
                                                 const std::string& run);  // in order

// ---- experiments, and whatever else the loop decides and must decide alike when it is resumed

struct ExperimentRecord {
  std::int64_t number = 0;  // given by the archive
  int generation = 0, index = 0;
  std::string kind;  // "kernel" or "probe"
  std::string body;  // JSON of the loop's own: see agents::to_text(Experiment)
};
// The same generation, kind and index again: its number; the first body stands.
std::int64_t record_experiment(Archive& archive, const std::string& run,
                               const ExperimentRecord& experiment);
std::vector<ExperimentRecord> experiments_of(Archive& archive, const std::string& run);

// A decision by name ("g003/selection", "g003/lesson/2"): JSON, recorded once; the first stands.
std::string decide_once(Archive& archive, const std::string& run, const std::string& name,
                        const std::string& body);
std::optional<std::string> decision(Archive& archive, const std::string& run,
                                    const std::string& name);
std::vector<std::pair<std::string, std::string>> decisions_of(Archive& archive,
                                                              const std::string& run);  // in order

// ---- for the other subjects
std::int64_t row_of_research_run(Archive& archive, const std::string& id);

}  // namespace hone::store
