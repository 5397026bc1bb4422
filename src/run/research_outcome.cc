// What a generation came to: who is to beat from now on, and what was learned.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/researcher.h"
#include "store/findings.h"

namespace hone::run {

using nlohmann::json;

bool Researcher::closed(int generation) {
  return research_.settings.strategy != "oneshot" && incumbent_before(generation + 1).has_value();
}

std::optional<int> Researcher::incumbent_before(int generation) {
  const auto known = decided(fmt::format("incumbent/{:03}", generation - 1));
  if (!known) return std::nullopt;
  return json::parse(*known).at("member").get<int>();
}

// Who is to beat after a generation: whoever beat the one before in interleaved blocks and passed certification, the
// fastest of them. Where there is nobody to beat yet, or an evaluator that cannot compare, the fastest as it was timed.
std::optional<Researcher::Choice> Researcher::best_after(int generation) {
  const auto before = incumbent_before(generation);
  const auto comparisons =
      ledger_->with([&](store::Archive& archive) { return store::comparisons_of_run(archive, run_); });
  const std::lock_guard lock(mutex_);
  const auto ranked = population_.ranking(generation + 1);
  if (ranked.empty()) return std::nullopt;
  if (!before) return Choice{ranked.front()->record.number, "the fastest of the first generation"};
  Choice choice{*before, "nothing was faster"};
  const Member& incumbent = *population_.find(*before);
  double best = 1;
  const auto take = [&](const Member& member, double ratio, std::string because) {
    if (ratio >= best) return;
    best = ratio;
    choice = {member.record.number, std::move(because)};
  };
  for (const Member* member : ranked) {
    if (member->record.generation != generation) continue;
    if (!research_.evaluator.certifies()) {
      const double ratio = member->seconds() / incumbent.seconds();
      take(*member, ratio, fmt::format("{:.3f} of the time of {}, as its evaluator says", ratio, member_name(*before)));
      continue;
    }
    for (const auto& comparison : comparisons)
      if (comparison.b.candidate == member->candidate.hash && comparison.a.candidate == incumbent.candidate.hash &&
          comparison.word == core::Comparison::faster)
        take(*member, comparison.ratio,
             fmt::format("{:.4f} of the time of {} (99 %: {:.4f} to {:.4f})", comparison.ratio, member_name(*before),
                         comparison.interval.low, comparison.interval.high));
  }
  return choice;
}

void Researcher::choose_incumbent(int generation) {
  const std::string name = fmt::format("incumbent/{:03}", generation);
  if (const auto known = decided(name)) {
    const std::lock_guard lock(mutex_);
    return population_.lead(generation, json::parse(*known).at("member"));
  }
  const auto choice = best_after(generation);
  if (!choice) return;
  {
    const std::lock_guard lock(mutex_);
    population_.lead(generation, choice->member);
  }
  ledger_->with([&](store::Archive& archive) {
    store::decide_once(archive, run_, name, json{{"member", choice->member}, {"because", choice->because}}.dump());
  });
  if (const auto before = incumbent_before(generation); !before || choice->member != *before)
    say(fmt::format("{} is the one to beat: {}", member_name(choice->member), choice->because));
}

void Researcher::learn(int generation, const agents::Selection& selection) {
  const std::string name = generation_name(generation) + "/lesson";
  if (decided(name)) return;
  std::vector<agents::Tried> tried;
  json figures = json::array(), disagreements = json::array();
  const auto comparisons =
      ledger_->with([&](store::Archive& archive) { return store::comparisons_of_run(archive, run_); });
  {
    const std::lock_guard lock(mutex_);
    const Member& basis = *population_.find(selection.basis);
    for (const auto& [number, member] : population_.all()) {
      if (member.record.generation != generation || !member.experiment || !member.evaluation) continue;
      agents::Tried one{*member.experiment, Population::individual(basis), Population::individual(member), {}};
      if (member.accepted()) one.realised = 100 * (1 - member.seconds() / basis.seconds());
      // Side by side is better than two screenings, which may be hours and machines apart.
      for (const auto& comparison : comparisons)
        if (one.realised && comparison.a.candidate == basis.candidate.hash &&
            comparison.b.candidate == member.candidate.hash)
          one.realised = 100 * (1 - comparison.ratio);
      json figure{{"member", number},
                  {"experiment", member.record.experiment.value_or(0)},
                  {"predicted", {one.experiment.gain_low, one.experiment.gain_high}},
                  {"outcome", core::name_of(member.evaluation->outcome)}};
      if (one.realised) figure["realised"] = *one.realised;
      figures.push_back(figure);
      for (const auto& objection :
           agents::check_report(member.record.report, basis.candidate.source, member.candidate.source))
        disagreements.push_back(member_name(number) + ": " + objection);
      tried.push_back(std::move(one));
    }
  }
  if (tried.empty()) return;
  const llm::Request question = agents::ask_learner(mission(), tried);
  bool nothing_left = false;
  const auto lesson = answer<agents::Lesson>(generation, "learner", question, agents::parse_lesson, &nothing_left)
                          .value_or(agents::Lesson{});
  if (nothing_left) return;  // undecided: with a larger budget it is asked
  if (give_up()) return;
  for (const auto& text : lesson.disagreements) disagreements.push_back(text);
  ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    store::decide_once(archive, run_, name,
                       json{{"findings", lesson.findings}, {"disagreements", disagreements}, {"tried", figures}}.dump(
                           -1, ' ', false, json::error_handler_t::replace));
    for (const auto& text : lesson.findings)
      store::add_finding(archive, {.task = research_.task.name,
                                   .device = device_kind(),
                                   .text = text,
                                   .source = fmt::format("run {}, generation {}", run_, generation),
                                   .run = run_});
    batch.commit();
  });
}

}  // namespace hone::run
