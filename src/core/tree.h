#pragma once
// What is known of a run: its nodes (candidates, written or being written), the intents behind them
// (experiments that were designed), and what it decided to do. One type for each; the loop,
// strategies, prompts, reports and the page read them. A tree is made of a journal's records alone
// (core/records.h) and changed by nothing else. Plain values; one thread at a time.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice.h"
#include "core/experiment.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "core/verdict.h"

namespace hone::core {

// Where a node comes from.
enum class Origin : std::uint8_t {
  task_seed,    // the task's own kernel
  user_seed,    // a kernel that the user gave
  translation,  // of the reference
  attempt,      // written from nothing, beside seeds and translation
  bootstrap,    // written from nothing, because there was nothing that works
  one_shot,     // written from nothing, as every node of that strategy
  experiment    // made from a basis
};
std::string_view name_of(Origin origin);
inline bool is_given(Origin origin) {
  return origin == Origin::task_seed || origin == Origin::user_seed;
}

// Which place of its run a node takes. Unique in the run.
struct NodePosition {
  Origin origin = Origin::experiment;
  int generation = 0;  // 0: the first generation
  int index = 0;       // among those of one origin and generation
  int attempt = 1;     // 2: the first repair
  bool operator==(const NodePosition&) const = default;
};

// What a comparison in interleaved blocks said of a node beside another.
struct ComparedWith {
  NodeId other = 0;
  std::string comparison;  // its id in the archive
  double ratio = 1;        // this one's time over the other's
  Interval interval;       // 99 %
  Comparison word = Comparison::cannot_tell;
};

// What asking for a node cost.
struct Cost {
  std::int64_t calls = 0, tokens_in = 0, tokens_out = 0;
  double usd = 0, seconds = 0;
};

struct ProfileNote {
  std::string profile;  // its id in the archive; "": there is none
  Bound bound = Bound::mixed;
  std::string case_name;
  std::string failure;  // why there is none
};

struct Node {
  // Written: it has a source. Judged: it has a verdict. Unusable: the answer held no candidate.
  // Unanswered: no answer came.
  enum class State : std::uint8_t { asked, written, judged, unusable, unanswered };

  NodeId number = 0;
  State state = State::asked;
  NodePosition place;
  NodeId basis = 0, reference = 0;
  NodeId repairs = 0;  // the node that failed, whose evidence its writer gets
  NodeId rival = 0;    // the incumbent when it was decided: it is compared with that one
  IntentId intent = 0;
  std::string why;         // the strategy's reason
  std::string candidate;   // hash of the source in the archive; "": not written
  std::string as_written;  // of the source before its defaults were tuned; "": they were not
  int tune_points = 0;     // of its [tune] table that may be measured when it is judged
  std::optional<Tuning> tuning;
  std::string name;                           // file name of the source
  std::string author, report;                 // report: what its writer says was really done
  std::string failure;                        // unusable: what was wrong with the answer
  std::optional<Verdict> verdict, certified;  // certified: by its own run, with unseen inputs
  bool final = false;                         // it was certified in a fresh process
  std::string beside_seed;  // id of the comparison that this process made; "": it made none
  std::vector<ComparedWith> comparisons;
  std::optional<double> joules;  // of one call, where it was measured
  std::optional<ProfileNote> profile;
  Cost cost;

  // Accepted, and not refused by its own certification.
  bool accepted() const {
    return verdict && verdict->accepted() &&
           (!certified || certified->outcome == Outcome::accepted);
  }
  double seconds() const {
    return *verdict->geomean;
  }  // as screened, so that nodes can be compared; only if accepted
};

// An experiment that a designer wanted. It is apart from the nodes that implement it: one whose
// implementations all failed is not refuted, it stays open.
struct Intent {
  enum class State : std::uint8_t {
    open,       // nothing was made of it, or all that was made of it failed
    under_way,  // it is being written or judged
    confirmed,  // a node of it is faster than its basis
    refuted     // a node of it works, and none is faster
  };
  IntentId number = 0;
  int generation = 0;
  NodeId basis = 0, reference = 0;
  Experiment experiment;
  std::string taken_as;  // by which rule it was taken: "most innovative"; "": it was not
  std::optional<ProbeNumbers> probed;
};

enum class Role : std::uint8_t { selector, designer, writer, learner };
std::string_view name_of(Role role);

// Something a run does. Strategies without generations give every action a generation of its own,
// the number of the action: it grows as a run goes on, which is all that others ask of it.
// Promoting is done at once; everything else is done when its result is there.
struct Action {
  enum class Kind : std::uint8_t { ask, write, probe, explain, promote };
  Kind kind = Kind::ask;
  Role role = Role::writer;  // of ask
  int generation = 0;
  NodeId basis = 0;  // that is selected, explained or promoted, or that a designer works on
  NodeId reference = 0;
  NodeId repairs = 0;                    // of write
  IntentId intent = 0;                   // of write and probe
  std::optional<Experiment> experiment;  // of write: a new intent, of the strategy's own
  NodePosition place;                    // of write
  std::vector<NodeId> about;  // of a learner: what it learns from; empty: all of its generation
  std::string taken_as;       // of write and probe: by which rule the intent was taken
  std::string why;
};
std::string_view name_of(Action::Kind kind);

// An action that was decided.
struct DecidedAction {
  enum class State : std::uint8_t { under_way, done, failed };
  ActionId number = 0;
  Action action;
  NodeId node = 0;  // of write
  State state = State::under_way;
  std::string failure;                 // failed: why
  std::optional<Selection> selection;  // done: what the role answered
  std::optional<Design> design;
  std::vector<IntentId> intents;  // that the design came to
  std::optional<Lesson> lesson;
};

// The node that is the incumbent from then on.
struct Promotion {
  NodeId node = 0;
  int generation = 0;
  std::string because;
};

struct Conclusion {
  NodeId best = 0, seed = 0;  // 0: none
  NodeId certified = 0;       // the node that was certified last
  std::string comparison;     // of seed and best, its id in the archive
  std::string text;
};

struct Tree {
  std::vector<Node> nodes;             // by number
  std::vector<Intent> intents;         // by number
  std::vector<DecidedAction> actions;  // by number
  std::vector<Promotion> promotions;
  std::optional<Conclusion> conclusion;  // the newest
  std::string settings;         // the newest that it was resumed with; "": those it began with
  ActionId actions_before = 0;  // that were decided before it was resumed last

  const Node* node(NodeId number) const {
    return number > 0 && static_cast<std::size_t>(number) <= nodes.size()
               ? &nodes[static_cast<std::size_t>(number) - 1]
               : nullptr;
  }
  const Intent* intent(IntentId number) const {
    return number > 0 && static_cast<std::size_t>(number) <= intents.size()
               ? &intents[static_cast<std::size_t>(number) - 1]
               : nullptr;
  }
};

// ---- rules that everything that reads a tree shares

// The fastest accepted node that nothing in the run wrote; else the fastest of the first
// generation; else the first that was accepted. Null: nothing was.
const Node* seed_of(const Tree& tree);
// The node to beat in a generation: the one that was promoted last before it. Null: none yet.
const Node* incumbent_before(const Tree& tree, int generation);
const Node* incumbent_of(const Tree& tree);  // now
bool is_promoted_after(const Tree& tree,
                       int generation);  // the generation is over: its incumbent was chosen

// The accepted nodes of generations before this one, fastest first; the incumbent stands before all
// that it was chosen among, because times of different days and machines compare less well than
// blocks side by side.
std::vector<const Node*> ranking(const Tree& tree, int before_generation);
bool is_ancestor(const Tree& tree, NodeId older, NodeId younger);
const ComparedWith* comparison_of(const Node& node, NodeId other);

Intent::State state_of(const Tree& tree, const Intent& intent);
// Percent of the basis's time that a node saved: side by side where they were compared, else by
// their screenings. Nothing: one of them has no time.
std::optional<double> realised_gain(const Tree& tree, const Node& node);

// Places of a budget of candidates that are taken: each answer of a writer takes one, whatever
// became of it, and so does each question that is not answered yet.
int places_taken(const Tree& tree);

}  // namespace hone::core
