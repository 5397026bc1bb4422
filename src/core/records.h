#pragma once
// What a run's journal is made of: typed records, only ever appended. A tree is what updating it by
// them in order comes to.
#include <string>
#include <variant>
#include <vector>

#include "base/fields_fwd.h"
#include "core/tree.h"

namespace hone::core {

// A kernel that nothing in the run wrote. Its number is the next one.
struct Given {
  NodePosition place;
  std::string candidate, name, author;
};
// What a strategy decided, with the numbers that its actions, nodes and intents got. Recorded
// before anything is done.
struct Decided {
  std::vector<DecidedAction> actions;
};
// The answer of a role: one of the three.
struct Answered {
  ActionId action = 0;
  std::optional<Selection> selection;
  std::optional<Design> design;
  std::optional<Lesson> lesson;
};
// An answer that could not be used; the role is asked again, or the action fails.
struct Unusable {
  ActionId action = 0;
  int turn = 1;
  std::string why;
};
struct Failed {
  ActionId action = 0;
  std::string why;
};
struct Written {
  NodeId node = 0;
  std::string candidate, name, author, report;
  Cost cost;
  int tune_points = 0;  // of its [tune] table that may be measured when it is judged
};
struct NotWritten {
  NodeId node = 0;
  bool answered = false;  // an answer came, and held no candidate
  std::string why;
  Cost cost;
};
struct Judged {
  NodeId node = 0;
  Verdict verdict;
  std::optional<Verdict> certified;
  std::optional<ComparedWith> compared;
  std::optional<Tuning> tuning = {};  // the verdict is on the source that it came to
};
struct Profiled {
  ActionId action = 0;  // 0: the profile came with the verdict
  NodeId node = 0;
  ProfileNote note;
};
struct Probed {
  ActionId action = 0;
  IntentId intent = 0;
  ProbeNumbers probed;
};
// A node in a process that has seen nothing of the run: what is reported.
struct Certified {
  NodeId node = 0;
  Verdict verdict;
  std::optional<ComparedWith> compared;  // with the seed
};
struct Concluded {
  Conclusion conclusion;
};
// The run goes on after it was stopped or killed, perhaps with other settings.
struct Resumed {
  std::string settings;  // "": as they were
};

using Record = std::variant<Given, Decided, Answered, Unusable, Failed, Written, NotWritten, Judged,
                            Profiled, Probed, Certified, Concluded, Resumed>;

void update(Tree& tree, const Record& record);
// The numbers that the actions of a decision get: what update() will give them. Nodes are numbered
// in the actions' order.
Decided numbered(const Tree& tree, std::vector<Action> actions);

std::string_view name_of(const Record& record);       // "judged"
void describe(base::Fields& fields, Record& record);  // in JSON: see base/fields.h

}  // namespace hone::core
