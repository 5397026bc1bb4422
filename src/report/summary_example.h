#pragma once
// For tests only: the example run as its journal has it.
#include "run/example_parts.h"
#include "run/journal.h"

namespace hone::report::example {

struct ExampleRun : run::example::ExampleParts {
  explicit ExampleRun(store::Archive& into, const std::string& strategy = "scientist",
                      bool finished = true)
      : ExampleParts(into, strategy), finished_(finished), shared_(into), journal_(shared_, run) {
    first_generation();
    call("g001/selector/try-1", "selector", 0.01, true);
    design(1, {.basis = 1}, {run::example::experiments[0], run::example::experiments[1]});
    decide({of_node(3), of_node(4)});
    finish({3, 4});
    decide({of_node(5)});
    finish({5});
    promote(1, 3, "faster than 00001");
    journal_.append(
        core::Answered{ask(core::Role::learner, 1),
                       {},
                       {},
                       core::Lesson{{"Registers suffice."}, {run::example::disagreement}}});
    call("g002/designer/try-1", "designer", 0.02, true);
    journal_.append(core::Answered{
        ask(core::Role::selector, 2), core::Selection{3, 1, "It is the fastest."}, {}, {}});
    design(2, {.basis = 3, .reference = 1}, {run::example::experiments[2]});
    decide({of_node(6)});
    call("g002/writer-1/try-1", "writer", 0.5, false);
    call("g002/writer-1/try-1", "writer", 0.25, true);
    finish({6});
    promote(2, 6, "faster than 00003");
    learn();
    if (finished) conclude();
  }

  // More records, as the loop would add them.
  run::Journal& journal() { return journal_; }

 private:
  // The number of the first action.
  core::ActionId decide(std::vector<core::Action> actions) {
    const auto decided = core::numbered(journal_.tree(), std::move(actions));
    journal_.append(decided);
    return decided.actions.front().number;
  }
  core::ActionId ask(core::Role role, int generation, const core::Selection& of = {}) {
    return decide(
        {{.role = role, .generation = generation, .basis = of.basis, .reference = of.reference}});
  }
  void promote(int generation, core::NodeId number, const std::string& why) {
    decide({{.kind = core::Action::Kind::promote,
             .generation = generation,
             .basis = number,
             .why = why}});
  }
  core::Action of_node(core::NodeId number) const {
    const auto& one = node(number);
    core::Action action{
        .kind = core::Action::Kind::write, .generation = one.place.generation, .basis = one.basis};
    action.reference = one.reference;
    action.repairs = one.place.attempt > 1 ? number - 1 : 0;
    action.intent = one.intent;
    action.place = one.place;
    if (one.intent != 0) action.taken_as = action.why = run::example::taken_as;
    return action;
  }

  void design(int generation, const core::Selection& of,
              std::vector<core::Experiment> experiments) {
    journal_.append(core::Answered{ask(core::Role::designer, generation, of),
                                   {},
                                   core::Design{{}, std::move(experiments), {}},
                                   {}});
  }

  void first_generation() {
    journal_.append([&](store::Archive&) {
      const auto& line = write().line;
      return core::Given{node(1).place, line.hash, line.name, line.author};
    });
    decide({of_node(2)});
    journal_.append([&](store::Archive&) { return judged(1); });
    finish({2});
    promote(0, 1, "the fastest of the first generation");
  }

  // Certified once when it becomes the incumbent, and once more in a fresh process: that is what
  // counts.
  core::Judged judged(core::NodeId number) {
    const auto record = judge(number);
    core::Judged judged{number, core::verdict_of(record.evaluation, record.id), {}, {}};
    if (number == 6 && finished_) {
      const auto at_first = certify(0.6e-3);
      judged.certified = core::verdict_of(at_first.evaluation, at_first.id);
    }
    return judged;
  }

  // Their writers answer in this order, and then they are judged.
  void finish(const std::vector<core::NodeId>& numbers) {
    for (const auto number : numbers)
      journal_.append([&](store::Archive&) {
        const auto& line = write().line;
        return core::Written{number, line.hash, line.name, line.author, run::example::report, {}};
      });
    for (const auto number : numbers)
      journal_.append([&](store::Archive&) { return judged(number); });
  }

  void conclude() {
    journal_.append([&](store::Archive&) {
      const auto last = certify(0.51e-3);
      const auto beside = compare_with_seed();
      certified = last.id;
      return core::Certified{
          6, core::verdict_of(last.evaluation, last.id),
          core::ComparedWith{1, beside.id, beside.ratio, beside.interval, beside.word}};
    });
    journal_.append(core::Concluded{{6, 1, 6, comparison, run::example::conclusion}});
    store::set_run_state(archive, run, store::RunState::finished, "the candidates are spent");
  }

  bool finished_;
  run::SharedArchive shared_;
  run::Journal journal_;
};

}  // namespace hone::report::example
