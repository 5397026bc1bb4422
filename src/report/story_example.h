#pragma once
// For tests only: a run of the scientist as the archive would have it, made without a model and without a device. Six
// members over two generations; 00006 is the best, from the seed 00001 by way of 00003; three failed.
#include <fmt/format.h>

#include "store/findings.h"
#include "store/research.h"
#include "store/test_support.h"

namespace hone::report::example {

struct ExampleRun {
  store::Archive& archive;
  std::string run;
  std::vector<store::CandidateRecord> candidates;
  std::string certified, comparison, finding;

  explicit ExampleRun(store::Archive& into, const std::string& strategy = "scientist", bool finished = true)
      : archive(into) {
    store::record_task(archive, store::testing::a_task());
    store::ResearchRun begun;
    begun.task = store::testing::a_task().hash;
    begun.device = "GPU-1234";
    begun.device_name = "H200";
    begun.settings =
        fmt::format(R"({{"strategy":"{}","models":{{"":"openai:m-1","writer":"anthropic:m-2"}},)"
                    R"("budget":{{"usd":5,"calls":0,"candidates":6,"minutes":30}},"task_path":"tasks/softmax"}})",
                    strategy);
    run = store::begin_run(archive, begun);
    members(strategy);
    if (!finished) return;
    result();
  }

 private:
  using Outcome = core::Outcome;

  void members(const std::string& strategy) {
    const auto first = experiment(1, 0, "Keep rows | in registers", 10, 40),
               second = experiment(1, 1, "Tile by 8", 5, 10),
               third = experiment(2, 0, "Load *four* values at once", 30, 50);
    call("g001/selection", "selector", 0.01, true);
    member("seed/given-seed", 0, {}, {}, {}, 1.0e-3, Outcome::accepted);
    member("seed/translation", 0, {}, {}, {}, 0, Outcome::wrong);
    member("g001/writer-1/try-1", 1, 1, {}, first, 0.8e-3, Outcome::accepted);
    member("g001/writer-2/try-1", 1, 1, {}, second, 0, Outcome::build_failed);
    member("g001/writer-2/try-2", 1, 1, {}, second, 0, Outcome::wrong);
    call("g002/designer", "designer", 0.02, true);
    call("g002/writer-1/try-1", "writer", 0.5, false);
    call("g002/writer-1/try-1", "writer", 0.25, true);
    member("g002/writer-1/try-1", 2, 3, 1, third, strategy == "oneshot" ? 0.9e-3 : 0.5e-3, Outcome::accepted);
    store::decide_once(archive, run, "g002/selection",
                       R"({"basis":3,"reference":1,"rationale":"It is the fastest.","by":"model"})");
    store::decide_once(
        archive, run, "g001/lesson",
        R"({"findings":["Registers suffice."],"disagreements":["00003 says it unrolls; it does not."]})");
    store::decide_once(archive, run, "incumbent/002", R"({"member":6,"because":"faster than 00003"})");
    store::Finding learned;
    learned.task = "softmax";
    learned.text = "Registers suffice for rows of 4096.";
    learned.source = "run " + run + ", experiment 00001";
    learned.run = run;
    finding = store::add_finding(archive, learned);
  }

  std::int64_t experiment(int generation, int index, const std::string& description, int low, int high) {
    return store::record_experiment(
        archive, run,
        {0, generation, index, "kernel",
         fmt::format(R"({{"description":"{}","rubric":"Change the loop.","performance":[{},{}],"innovation":60,)"
                     R"("taken_as":"highest maximum"}})",
                     description, low, high)});
  }

  void call(const std::string& step, const std::string& role, double usd, bool answered) {
    const auto number = store::begin_call(archive, {run, step, role, "m", "abc", std::string(4000, 'p'), usd});
    if (answered) store::end_call(archive, number, {true, "text", "", "", "m-2", "stop", 1200, 300, 200, usd / 2, 2.5});
  }

  void member(const std::string& step, int generation, std::optional<int> basis, std::optional<int> reference,
              std::optional<std::int64_t> of, double seconds, Outcome outcome) {
    auto candidate = store::testing::a_candidate(fmt::format("{}.cl", candidates.size() + 1));
    candidate.source += fmt::format("// {} of {}\n", step, run);
    candidate.line.hash = base::sha256_hex(candidate.source);
    store::record_candidate(archive, candidate);
    candidates.push_back(candidate);
    store::MemberRecord record;
    record.step = step;
    record.generation = generation;
    record.candidate = candidate.line.hash;
    record.basis = basis;
    record.reference = reference;
    record.experiment = of;
    record.report = "It was done as asked.";
    const int number = store::record_member(archive, run, record);
    store::link_evaluation(archive, run, number,
                           store::record_evaluation(archive, evaluation(candidate, seconds, outcome), "H200"));
  }

  core::Evaluation evaluation(const store::CandidateRecord& candidate, double seconds, Outcome outcome) {
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
      e.evidence = {{outcome == Outcome::wrong ? "tolerance" : "", 27, true, "prime", "Element 5 is <far> off."}};
      if (outcome == Outcome::build_failed) e.evidence.clear(), e.build_log = "error: no such thing";
    }
    return e;
  }

  void result() {
    // Certified once when it became the one to beat, and once more in a fresh process: that is what counts.
    for (const double seconds : {0.6e-3, 0.51e-3}) {
      core::Evaluation e = evaluation(candidates.back(), seconds, Outcome::accepted);
      e.key.depth = core::Depth::certify;
      certified = store::record_evaluation(archive, e, "H200");
      store::link_evaluation(archive, run, 6, certified);
    }
    store::ComparisonRecord c;
    c.task = store::testing::a_task().hash;
    c.device = "GPU-1234";
    c.a.candidate = candidates.front().line.hash;
    c.b.candidate = candidates.back().line.hash;
    c.ratio = 0.5;
    c.interval = {0.48, 0.52};
    c.word = core::Comparison::faster;
    comparison = store::record_comparison(archive, c);
    store::link_comparison(archive, run, comparison);
    store::decide_once(
        archive, run, "result/00006",
        fmt::format(R"({{"best":6,"certified":"{}","comparison":"{}","seed":1,"conclusion":"00006 is faster"}})",
                    certified, comparison));
    store::set_run_state(archive, run, store::RunState::finished, "the candidates are spent");
  }
};

}  // namespace hone::report::example
