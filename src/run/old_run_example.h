#pragma once
// For tests only: the example run as archives before the journal have it: nodes, experiments, and
// decisions by the names of steps.

#include "base/json.h"
#include "run/example_parts.h"

namespace hone::run::example {

struct OldExampleRun : ExampleParts {
  explicit OldExampleRun(store::Archive& into, const std::string& strategy = "scientist",
                         bool finished = true)
      : ExampleParts(into, strategy) {
    node_row(1);
    node_row(2);
    decide("incumbent/000", R"({"member": 1,"because": "the fastest of the first generation"})");
    decide("g001/selection",
           R"({"basis": 1,"reference": 0,"rationale": "by rule: the incumbent","by": "rule"})");
    call("g001/selector/try-1", "selector", 0.01, true);
    design(1, {1, 2});
    for (const int number : {3, 4, 5}) node_row(number);
    decide("incumbent/001", R"({"member": 3,"because": "faster than 00001"})");
    decide("g001/lesson", base::json_line([](base::Fields& f) {
             f("findings", std::vector{"Registers suffice."});
             f("disagreements", std::vector{disagreement})("tried", std::vector<int>());
           }));
    call("g002/designer/try-1", "designer", 0.02, true);
    decide("g002/selection",
           R"({"basis": 3, "reference": 1, "rationale": "It is the fastest.", "by": "model"})");
    design(2, {3});
    call("g002/writer-1/try-1", "writer", 0.5, false);
    call("g002/writer-1/try-1", "writer", 0.25, true);
    node_row(6);
    decide("incumbent/002", R"({"member": 6,"because": "faster than 00003"})");
    learn();
    if (finished) conclude();
  }

  void decide(const std::string& name, const std::string& body) {
    store::decide_once(archive, run, name, body);
  }

  // A kernel's writer, or a probe's: the experiment's number in the archive.
  std::int64_t experiment(int generation, int index, const core::Experiment& one) {
    const bool probe = one.kind == core::Experiment::Kind::probe;
    return store::record_experiment(
        archive, run, {0, generation, index, probe ? "probe" : "kernel", json_of(one, taken_as)});
  }
  static std::string json_of(const core::Experiment& one, const std::string& rule) {
    return base::json_line([&](base::Fields& f) {
      f.value(one);
      f("taken_as", rule);
    });
  }

  static std::string design_of(const std::vector<std::string>& avenues,
                               const std::vector<base::RawJson>& designed,
                               const std::vector<std::string>& notes) {
    return base::json_line(
        [&](base::Fields& f) { f("avenues", avenues)("experiments", designed)("notes", notes); });
  }

 private:
  void design(int generation, const std::vector<core::IntentId>& intents) {
    std::vector<base::RawJson> all;
    for (const auto intent : intents) all.push_back({json_of(of_intent(intent), "")});
    decide(generation_name(generation) + "/design", design_of({}, all, {}));
    int index = 0;
    for (const auto intent : intents)
      rows_[intent] = experiment(generation, ++index, of_intent(intent));
  }
  static const core::Experiment& of_intent(core::IntentId intent) {
    return experiments.at(static_cast<std::size_t>(intent) - 1);
  }

  void node_row(core::NodeId number) {
    const auto& one = node(number);
    const auto or_none = [](int value) { return value == 0 ? std::nullopt : std::optional(value); };
    store::NodeRow record;
    record.step = name_of_place(one.place);
    record.generation = one.place.generation;
    record.candidate = write().line.hash;
    record.basis = or_none(one.basis);
    record.reference = or_none(one.reference);
    if (one.intent != 0) record.experiment = rows_.at(one.intent);
    record.report = core::is_given(one.place.origin) ? "" : report;
    store::record_node_row(archive, run, record);
    store::link_evaluation(archive, run, number, judge(number).id);
  }

  void conclude() {
    // Certified once when it became the incumbent, and once more in a fresh process: that is what
    // counts.
    store::link_evaluation(archive, run, 6, certify(0.6e-3).id);
    certified = certify(0.51e-3).id;
    store::link_evaluation(archive, run, 6, certified);
    compare_with_seed();
    store::link_comparison(archive, run, comparison);
    decide("final/00006", base::json_line([&](base::Fields& f) {
             f("evaluation", certified)("comparison", comparison);
           }));
    decide("result/00006", base::json_line([&](base::Fields& f) {
             f("best", 6)("certified", certified)("comparison", comparison)("seed", 1);
             f("conclusion", conclusion);
           }));
    store::set_run_state(archive, run, store::RunState::finished, "the candidates are spent");
  }

  std::map<core::IntentId, std::int64_t> rows_;
};

}  // namespace hone::run::example
