#pragma once
// For tests only: what the archive has of an example run whatever the form of its records:
// candidates, evaluations, calls, a comparison, a finding. Made without a model and without a
// device. Six nodes over two generations; 00006 is the best, from the seed 00001 by way of 00003;
// three failed.
#include <fmt/format.h>

#include "core/tree.h"
#include "run/names.h"
#include "store/findings.h"
#include "store/research.h"
#include "store/test_support.h"

namespace hone::run::example {

struct ExampleNode {
  core::NodePosition place;
  core::NodeId basis = 0, reference = 0;
  core::IntentId intent = 0;
  double seconds = 0;
  core::Outcome outcome = core::Outcome::accepted;
};

inline const std::vector<core::Experiment> experiments{{.description = "Keep rows | in registers",
                                                        .rubric = "Change the loop.",
                                                        .gain_low = 10,
                                                        .gain_high = 40,
                                                        .innovation = 60},
                                                       {.description = "Tile by 8",
                                                        .rubric = "Change the loop.",
                                                        .gain_low = 5,
                                                        .gain_high = 10,
                                                        .innovation = 60},
                                                       {.description = "Load *four* values at once",
                                                        .rubric = "Change the loop.",
                                                        .gain_low = 30,
                                                        .gain_high = 50,
                                                        .innovation = 60}};
inline constexpr const char *taken_as = "highest maximum", *report = "It was done as asked.",
                            *disagreement = "00003 says it unrolls; it does not.",
                            *conclusion = "00006 is faster";

class ExampleParts {
 public:
  store::Archive& archive;
  std::string run;
  std::vector<store::CandidateRecord> candidates;
  std::string certified, comparison, finding;

 protected:
  using Origin = core::Origin;
  using Outcome = core::Outcome;

  ExampleParts(store::Archive& into, const std::string& strategy) : archive(into) {
    store::record_task(archive, store::testing::a_task());
    store::ResearchRun begun;
    begun.task = store::testing::a_task().hash;
    begun.device = "GPU-1234";
    begun.device_name = "H200";
    begun.settings = fmt::format(
        R"({{"strategy":"{}","models":{{"":"openai:m-1","writer":"anthropic:m-2"}},)"
        R"("budget":{{"usd":5,"calls":0,"candidates":6,"minutes":30}},"task_path":"tasks/softmax"}})",
        strategy);
    run = store::begin_run(archive, begun);
    nodes_ = {{{Origin::task_seed}, 0, 0, 0, 1.0e-3},
              {{Origin::translation, 0, 1}, 0, 0, 0, 0, Outcome::wrong},
              {{Origin::experiment, 1, 1}, 1, 0, 1, 0.8e-3},
              {{Origin::experiment, 1, 2}, 1, 0, 2, 0, Outcome::build_failed},
              {{Origin::experiment, 1, 2, 2}, 1, 0, 2, 0, Outcome::wrong},
              {{Origin::experiment, 2, 1}, 3, 1, 3, strategy == "oneshot" ? 0.9e-3 : 0.5e-3}};
  }

  const ExampleNode& node(core::NodeId number) const {
    return nodes_.at(static_cast<std::size_t>(number) - 1);
  }

  void call(const std::string& step, const std::string& role, double usd, bool answered) {
    const auto number =
        store::begin_call(archive, {run, step, role, "m", "abc", std::string(4000, 'p'), usd});
    if (answered)
      store::end_call(archive, number,
                      {true, "text", "", "", "m-2", "stop", 1200, 300, 200, usd / 2, 2.5});
  }

  // The next one.
  const store::CandidateRecord& write() {
    auto candidate = store::testing::a_candidate(fmt::format("{}.cl", candidates.size() + 1));
    candidate.source +=
        fmt::format("// {} of {}\n", name_of_place(nodes_.at(candidates.size()).place), run);
    candidate.line.hash = base::sha256_hex(candidate.source);
    store::record_candidate(archive, candidate);
    return candidates.emplace_back(candidate);
  }

  store::EvaluationRecord record(const core::Evaluation& evaluation) {
    return {.id = store::record_evaluation(archive, evaluation, "H200"), .evaluation = evaluation};
  }
  store::EvaluationRecord judge(core::NodeId number) {
    return record(evaluation(number, node(number).seconds, node(number).outcome));
  }
  store::EvaluationRecord certify(double seconds) {
    core::Evaluation e = evaluation(6, seconds, Outcome::accepted);
    e.key.depth = core::Depth::certify;
    return record(e);
  }

  store::ComparisonRecord compare_with_seed() {
    store::ComparisonRecord c;
    c.task = store::testing::a_task().hash;
    c.device = "GPU-1234";
    c.a.candidate = candidates.front().line.hash;
    c.b.candidate = candidates.back().line.hash;
    c.ratio = 0.5;
    c.interval = {0.48, 0.52};
    c.word = core::Comparison::faster;
    c.id = comparison = store::record_comparison(archive, c);
    return c;
  }

  void learn() {
    store::Finding learned;
    learned.task = "softmax";
    learned.text = "Registers suffice for rows of 4096.";
    learned.source = "run " + run + ", experiment 00001";
    learned.run = run;
    finding = store::add_finding(archive, learned);
  }

 private:
  core::Evaluation evaluation(core::NodeId number, double seconds, Outcome outcome) const {
    const auto& candidate = candidates.at(static_cast<std::size_t>(number) - 1);
    core::Evaluation e = store::testing::an_evaluation(store::testing::a_task(), candidate, {});
    e.outcome = outcome;
    e.geomean.reset();
    if (outcome == Outcome::accepted) {
      e.geomean = seconds;
      for (auto& c : e.cases) {
        c.median = seconds;
        c.interval = {0.99 * seconds, 1.01 * seconds};
      }
    } else {
      e.cases.clear();
      e.evidence = {{outcome == Outcome::wrong ? "tolerance" : "", 27, true, "prime",
                     "Element 5 is <far> off."}};
      if (outcome == Outcome::build_failed)
        e.evidence.clear(), e.build_log = "error: no such thing";
    }
    return e;
  }

  std::vector<ExampleNode> nodes_;
};

}  // namespace hone::run::example
