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

std::optional<Researcher::Finish> Researcher::finish(const Member& member, const Member& seed) {
  const int number = member.record.number;
  const std::string name = "final/" + member_name(number);
  auto known = decided(name);
  if (!known) {
    doing("judge", fmt::format("certifies {} in a fresh process", member_name(number)));
    std::string job = fmt::format("{}-{}-final", run_, member_name(number));
    const core::Candidate seed_candidate = named(seed);
    const auto certify = [&](const std::string& name_of_job) {
      return research_.evaluator.certify(name_of_job, named(member),
                                         seed.record.number == number ? nullptr : &seed_candidate,
                                         [&] { return give_up(); });
    };
    auto final = certify(job);
    if (final && final->evaluation.outcome == core::Outcome::undecided && !give_up()) {
      job = again(job);
      final = certify(job);
    }
    doing("judge", "");
    if (!final) {
      if (!give_up()) away_.push_back(job);
      stop_ = Stop{give_up() ? store::RunState::stopped : store::RunState::away,
                   give_up() ? "it was interrupted" : "the best candidate is away to be certified"};
      return std::nullopt;
    }
    ledger_->with([&](store::Archive& archive) {
      store::Batch batch(archive);
      const auto evaluation = store::record_evaluation(archive, final->evaluation, final->device_name);
      store::link_evaluation(archive, run_, number, evaluation);
      std::string comparison;
      if (final->comparison) {
        comparison = store::record_comparison(archive, *final->comparison);
        store::link_comparison(archive, run_, comparison);
      }
      known = json{{"evaluation", evaluation}, {"comparison", comparison}}.dump();
      store::decide_once(archive, run_, name, *known);
      batch.commit();
    });
  }
  return ledger_->with([&](store::Archive& archive) {
    const json read = json::parse(*known);
    Finish finish{{number, store::get_evaluation(archive, read.at("evaluation"))}, std::nullopt};
    const std::string comparison = read.value("comparison", "");
    for (auto& record : store::comparisons_of_run(archive, run_))
      if (record.id == comparison) finish.compared = std::move(record);
    return finish;
  });
}

void Researcher::conclude(ResearchResult& result) {
  phase_ = "certifying";
  const auto incumbent = best_after(generation_);
  const Member* seed = population_.seed();
  if (!incumbent || seed == nullptr) {
    result.conclusion = "no candidate was accepted";
    return;
  }
  // Should the one to beat not pass, the next one may try.
  std::vector<int> order{incumbent->member};
  for (const Member* member : population_.ranking(any_generation))
    if (member->record.number != incumbent->member) order.push_back(member->record.number);
  constexpr std::size_t most_certified = 3;
  if (order.size() > most_certified) order.resize(most_certified);
  result.seed = seed->record.number;
  for (const int number : order) {
    // Nothing of the one before stays: what is not known of this one is not told.
    result.certification.reset();
    result.compared.reset();
    result.best = number;
    if (!research_.evaluator.certifies()) {
      result.conclusion = fmt::format("{} is the fastest as its evaluator says", member_name(number));
      return;
    }
    auto finished = finish(*population_.find(number), *seed);
    if (!finished) return;
    result.certification = std::move(finished->certification);
    result.compared = std::move(finished->compared);
    if (result.certified()) break;
    say(fmt::format("{} did not pass certification: {}", member_name(number),
                    core::name_of(result.certification->record.evaluation.outcome)));
  }
  if (!result.certified()) {
    result.best.reset();
    result.conclusion = "none of the fastest members passed certification";
  } else if (!result.compared) {
    result.conclusion = *result.best == *result.seed
                            ? "nothing was faster than the seed"
                            : fmt::format("{} passed certification, but could not be compared with the seed",
                                          member_name(*result.best));
  } else {
    result.conclusion = fmt::format(
        "{}: {:.2f} times as fast (99 %: {:.2f} to {:.2f})",
        core::sentence(result.compared->word, member_name(*result.best), "the seed " + member_name(*result.seed)),
        1 / result.compared->ratio, 1 / result.compared->interval.high, 1 / result.compared->interval.low);
  }
  json decision{{"seed", *result.seed},
                {"certified", result.certification->record.id},
                {"comparison", result.compared ? result.compared->id : ""},
                {"conclusion", result.conclusion}};
  if (result.best) decision["best"] = *result.best;
  ledger_->with([&](store::Archive& archive) {
    // A run that goes on with a larger budget has another result: the newest is the one that counts.
    store::decide_once(archive, run_, "result/" + member_name(result.certification->member), decision.dump());
  });
}

}  // namespace hone::run
