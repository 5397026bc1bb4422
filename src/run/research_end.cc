// The end of a run: the best member once more in a process that has seen nothing, and against the seed. Only that is
// reported.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/record.h"
#include "run/researcher.h"

namespace hone::run {

using nlohmann::json;

namespace {

constexpr int any_generation = 1 << 30;

}  // namespace

void Researcher::conclude(ResearchResult& result) {
  phase_ = "certifying";
  const auto incumbent = best_after(generation_);
  const Member* seed = population_.seed();
  if (!incumbent || seed == nullptr) {
    result.conclusion = "no candidate was accepted";
    return;
  }
  // Should the one to beat not pass, whoever is next may try.
  std::vector<int> order{incumbent->member};
  for (const Member* member : population_.ranking(any_generation))
    if (member->record.number != incumbent->member) order.push_back(member->record.number);
  result.seed = seed->record.number;
  constexpr std::size_t most_certified = 3;
  for (std::size_t i = 0; i < order.size() && i < most_certified; ++i) {
    const Member& best = *population_.find(order[i]);
    result.best = best.record.number;
    if (!research_.evaluator.certifies()) {
      result.conclusion = fmt::format("{} is the fastest as its evaluator says", member_name(*result.best));
      return;
    }
    const std::string name = "final/" + member_name(best.record.number);
    if (const auto known = decided(name)) {
      const json read = json::parse(*known);
      result.best_evaluation = store::get_evaluation(research_.archive, read.at("evaluation"));
      const std::string comparison = read.value("comparison", "");
      for (auto& record : store::comparisons_of_run(research_.archive, run_))
        if (record.id == comparison) result.compared = record;
    } else {
      const bool itself = seed->record.number == best.record.number;
      doing("judge", fmt::format("certifies {} in a fresh process", member_name(best.record.number)));
      const std::string job = fmt::format("{}-{}-final", run_, member_name(best.record.number));
      const core::Candidate seed_candidate = named(*seed);
      const auto final =
          research_.evaluator.certify(job, named(best), itself ? nullptr : &seed_candidate, [&] { return give_up(); });
      doing("judge", "");
      if (!final) {
        if (!give_up()) away_.push_back(job);
        stop_ = Stop{give_up() ? store::RunState::stopped : store::RunState::away,
                     give_up() ? "it was interrupted" : "the best candidate is away to be certified"};
        return;
      }
      ledger_->with([&](store::Archive& archive) {
        store::Batch batch(archive);
        const auto evaluation = store::record_evaluation(archive, final->evaluation, final->device_name);
        store::link_evaluation(archive, run_, best.record.number, evaluation);
        std::string comparison;
        if (final->comparison) {
          comparison = store::record_comparison(archive, *final->comparison);
          store::link_comparison(archive, run_, comparison);
        }
        store::decide_once(archive, run_, name, json{{"evaluation", evaluation}, {"comparison", comparison}}.dump());
        batch.commit();
        result.best_evaluation = store::get_evaluation(archive, evaluation);
        for (auto& record : store::comparisons_of_run(archive, run_))
          if (record.id == comparison) result.compared = record;
      });
    }
    result.certified = result.best_evaluation->evaluation.outcome == core::Outcome::accepted;
    if (result.certified) break;
    say(fmt::format("{} did not pass certification: {}", member_name(best.record.number),
                    core::name_of(result.best_evaluation->evaluation.outcome)));
  }
  if (!result.certified)
    result.conclusion = "none of the fastest members passed certification";
  else if (!result.compared)
    result.conclusion = "nothing was faster than the seed";
  else
    result.conclusion =
        fmt::format("{} is {} than the seed {}: {:.2f} times as fast (99 %: {:.2f} to {:.2f})",
                    member_name(*result.best), core::name_of(result.compared->word), member_name(*result.seed),
                    1 / result.compared->ratio, 1 / result.compared->interval.high, 1 / result.compared->interval.low);
  ledger_->with([&](store::Archive& archive) {
    // A run that goes on with a larger budget has another result: the newest is the one that counts.
    store::decide_once(archive, run_, "result/" + member_name(*result.best),
                       json{{"best", *result.best},
                            {"seed", *result.seed},
                            {"certified", result.best_evaluation->id},
                            {"comparison", result.compared ? result.compared->id : ""},
                            {"conclusion", result.conclusion}}
                           .dump());
  });
}

}  // namespace hone::run
