#include "core/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/json_probe.h"

namespace hone::core {
namespace {

Verdict accepted(double seconds) {
  Verdict verdict{.evaluation = "0123456789ab", .outcome = Outcome::accepted, .geomean = seconds};
  verdict.cases.push_back(
      {"large", true, seconds, {seconds * 0.99, seconds * 1.01}, 1e-7, 1e-8, 0.5, "memory", true});
  verdict.classes = {"fp32", "tf32"};
  return verdict;
}

Verdict wrong() {
  return {.evaluation = "ba9876543210",
          .outcome = Outcome::wrong,
          .guard = "tolerance",
          .reason = "y: 3 of 4"};
}

Experiment an_experiment(Experiment::Kind kind = Experiment::Kind::kernel) {
  return {kind, "Read four floats at once.", "Look for float4.", 5, 20, 10, {"A1"}};
}

Action writing(NodePosition place, NodeId basis = 0, IntentId intent = 0) {
  Action action{.kind = Action::Kind::write, .generation = place.generation, .basis = basis};
  action.intent = intent;
  action.place = place;
  action.taken_as = intent == 0 ? "" : "most innovative";
  action.why = "because";
  return action;
}

Tuning a_tuning() {
  Tuning tuning{.points = 8, .failed = 1, .before = 1.5e-3, .after = 1e-3};
  tuning.point = {{"TILE", 32}};
  tuning.candidate = "c5t";
  tuning.comparison = "x0";
  tuning.ratio = 0.66;
  tuning.interval = {0.65, 0.67};
  tuning.ended = "8 points were allowed";
  return tuning;
}

// A run of one generation: a seed, a translation, a selection, a design with a kernel and a probe,
// a repair, a promotion, a lesson, a certificate, a conclusion, a resumption.
std::vector<Record> a_run() {
  std::vector<Record> records;
  Tree tree;
  const auto add = [&](Record record) {
    update(tree, record);
    records.push_back(std::move(record));
  };
  const auto decide = [&](std::vector<Action> actions) { add(numbered(tree, std::move(actions))); };
  add(Given{{.origin = Origin::user_seed}, "c1", "seed.cu", "the user"});
  add(Judged{1, accepted(2e-3), {}, {}});
  decide({writing({.origin = Origin::translation, .index = 1})});
  add(Written{2, "c2", "translation.cu", "m-1", "As it stands.", {1, 100, 50, 0.25, 3.5}, 32});
  add(Judged{2, wrong(), {}, {}});
  decide(
      {{.kind = Action::Kind::promote, .basis = 1, .why = "the fastest of the first generation"}});
  decide({{.kind = Action::Kind::ask, .role = Role::selector, .generation = 1}});
  add(Unusable{3, 1, "There is no JSON."});
  add(Answered{3, Selection{1, 2, "why not"}, {}, {}});
  decide({{.kind = Action::Kind::explain, .generation = 1, .basis = 1}});
  add(Profiled{4, 1, {"p1", Bound::memory, "large", ""}});
  decide({{.kind = Action::Kind::ask,
           .role = Role::designer,
           .generation = 1,
           .basis = 1,
           .reference = 2}});
  add(Answered{
      5,
      {},
      Design{{"a", "b"}, {an_experiment(), an_experiment(Experiment::Kind::probe)}, {"a note"}},
      {}});
  Action probe = writing({.generation = 1, .index = 2}, 1, 2);
  probe.kind = Action::Kind::probe;
  Action general = writing({.generation = 1, .index = 3}, 1);
  general.experiment = an_experiment(Experiment::Kind::combination);
  decide({writing({.generation = 1, .index = 1}, 1, 1), probe, general});
  add(NotWritten{3, true, "There is no code in it.", {1, 10, 5, 0, 1}});
  add(NotWritten{4, false, "no answer", {}});
  add(Probed{7, 2, {{{"cycles", 12.5}}, ""}});
  Action repair = writing({.generation = 1, .index = 1, .attempt = 2}, 1, 1);
  repair.repairs = 3;
  decide({repair});
  add(Written{5, "c5", "writer-1.cu", "m-1", "float4", {}});
  add(Judged{5, accepted(1e-3), accepted(1.01e-3),
             ComparedWith{1, "x1", 0.5, {0.49, 0.51}, Comparison::faster}, a_tuning()});
  decide({{.kind = Action::Kind::promote, .generation = 1, .basis = 5, .why = "0.5 of the time"}});
  decide({{.kind = Action::Kind::ask, .role = Role::learner, .generation = 1, .about = {3, 5}}});
  add(Answered{11, {}, {}, Lesson{{"Four at once."}, {"00005: says more than it did"}}});
  decide({{.kind = Action::Kind::ask, .role = Role::selector, .generation = 2}});
  add(Failed{12, "nothing usable"});
  add(Certified{5, accepted(1.02e-3),
                ComparedWith{1, "x2", 0.51, {0.5, 0.52}, Comparison::faster}});
  add(Concluded{{5, 1, 5, "x2", "00005 is faster"}});
  add(Resumed{R"({"width":4})"});
  return records;
}

Tree tree_of(const std::vector<Record>& records) {
  Tree tree;
  for (const auto& record : records) update(tree, record);
  return tree;
}

TEST(Records, AreReadAsTheyWereWritten) {
  std::set<std::string_view> kinds;
  for (const auto& record : a_run()) {
    const std::string text = base::json_line(record);
    const auto back = base::from_json<Record>(text);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(base::json_line(*back), text);
    EXPECT_EQ(base::JsonProbe(text)["record"], name_of(record));
    kinds.insert(name_of(record));
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Record>) << "each kind is tried";
}

TEST(Records, OfAnotherHoneAreRefusedInAnError) {
  EXPECT_EQ(base::from_json<Record>(R"({"record": "exploded"})").error(),
            "it names the record 'exploded', which this hone does not know");
  EXPECT_EQ(base::from_json<Record>(R"({"record": "judged", "node": 1})").error(),
            "it has no \"verdict\"");
  Tree tree;
  EXPECT_THROW(update(tree, Judged{7, wrong(), {}, {}}), base::Error) << "there is no node 7";
}

TEST(TreeOfRecords, HasTheTunedSourceAsTheNodesOwn) {
  const Tree tree = tree_of(a_run());
  EXPECT_EQ(tree.nodes[4].candidate, "c5t");
  EXPECT_EQ(tree.nodes[4].as_written, "c5");
  EXPECT_EQ(tree.nodes[4].tuning->points, 8);
  EXPECT_EQ(tree.nodes[1].tune_points, 32);
  EXPECT_EQ(tree.nodes[1].as_written, "");
  EXPECT_FALSE(tree.nodes[1].tuning);
}

TEST(TreeOfRecords, NumbersNodesWhenTheirWritingIsDecided) {
  const Tree tree = tree_of(a_run());
  ASSERT_EQ(tree.nodes.size(), 5u);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    EXPECT_EQ(tree.nodes[i].number, static_cast<int>(i) + 1);
  EXPECT_EQ(tree.nodes[2].state, Node::State::unusable);
  EXPECT_EQ(tree.nodes[2].failure, "There is no code in it.");
  EXPECT_EQ(tree.nodes[3].state, Node::State::unanswered);
  EXPECT_EQ(tree.nodes[4].state, Node::State::judged);
  EXPECT_EQ(tree.nodes[4].repairs, 3);
  EXPECT_EQ(tree.nodes[4].rival, 1) << "the incumbent when it was decided";
  EXPECT_EQ(tree.nodes[1].rival, 0) << "there was none yet";
  EXPECT_EQ(places_taken(tree), 3) << "the seed takes none, nor does a question without an answer";
}

TEST(TreeOfRecords, HasWhatEachActionCameTo) {
  const Tree tree = tree_of(a_run());
  const auto state = [&](ActionId number) {
    return tree.actions[static_cast<std::size_t>(number) - 1].state;
  };
  EXPECT_EQ(state(1), DecidedAction::State::done) << "written, if not accepted";
  EXPECT_EQ(state(3), DecidedAction::State::done);
  EXPECT_EQ(tree.actions[2].selection->reference, 2);
  EXPECT_EQ(state(6), DecidedAction::State::failed) << "no candidate came of it";
  EXPECT_EQ(state(7), DecidedAction::State::done);
  EXPECT_EQ(state(12), DecidedAction::State::failed);
  EXPECT_EQ(tree.actions[4].intents, (std::vector<IntentId>{1, 2}));
  EXPECT_EQ(tree.actions[10].lesson->findings.front(), "Four at once.");
  ASSERT_EQ(tree.promotions.size(), 2u);
  EXPECT_EQ(tree.promotions.back().because, "0.5 of the time");
  EXPECT_EQ(tree.settings, R"({"width":4})");
  EXPECT_EQ(tree.actions_before, 12);
}

TEST(TreeOfRecords, KeepsIntentsApartFromWhatWasWritten) {
  auto records = a_run();
  const Tree whole = tree_of(records);
  ASSERT_EQ(whole.intents.size(), 3u);
  EXPECT_EQ(whole.intents[0].taken_as, "most innovative");
  EXPECT_EQ(state_of(whole, whole.intents[0]), Intent::State::confirmed);
  EXPECT_EQ(state_of(whole, whole.intents[1]), Intent::State::confirmed) << "a probe that measured";
  EXPECT_EQ(state_of(whole, whole.intents[2]), Intent::State::open)
      << "nothing was written of it: it is not refuted";
  Tree tree;
  for (const auto& record : records) {
    update(tree, record);
    if (std::holds_alternative<NotWritten>(record) && std::get<NotWritten>(record).node == 3) {
      EXPECT_EQ(state_of(tree, tree.intents[0]), Intent::State::open)
          << "an unusable answer refutes nothing";
    }
    if (std::holds_alternative<Written>(record) && std::get<Written>(record).node == 5) {
      EXPECT_EQ(state_of(tree, tree.intents[0]), Intent::State::under_way);
    }
  }
}

TEST(TreeOfRecords, RefutesAnExperimentOnlyByACandidateThatWorks) {
  Tree tree = tree_of(a_run());
  Node& node = tree.nodes[4];
  node.comparisons = {{1, "x1", 1.2, {1.1, 1.3}, Comparison::slower}};
  EXPECT_EQ(state_of(tree, tree.intents[0]), Intent::State::refuted);
  node.verdict = wrong();
  EXPECT_EQ(state_of(tree, tree.intents[0]), Intent::State::open);
}

TEST(TreeOfRecords, TellsGainsSideBySideWhereTheyWereCompared) {
  Tree tree = tree_of(a_run());
  EXPECT_DOUBLE_EQ(*realised_gain(tree, tree.nodes[4]), 50);
  tree.nodes[4].comparisons.clear();
  EXPECT_DOUBLE_EQ(*realised_gain(tree, tree.nodes[4]), 50)
      << "1 ms beside 2 ms as they were screened";
  tree.nodes[0].verdict = wrong();
  EXPECT_FALSE(realised_gain(tree, tree.nodes[4])) << "the basis has no time";
}

TEST(TreeOfRecords, TakesACertificateAsTheLastWord) {
  auto records = a_run();
  records.push_back(Certified{5, wrong(), {}});
  const Tree tree = tree_of(records);
  EXPECT_FALSE(tree.nodes[4].accepted());
  EXPECT_TRUE(tree.nodes[4].final);
}

}  // namespace
}  // namespace hone::core
