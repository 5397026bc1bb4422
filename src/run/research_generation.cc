// One generation: select, explain, design, write in parallel, judge, choose who is to beat next, learn.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "run/researcher.h"
#include "store/advice_ledger.h"
#include "store/findings.h"

namespace hone::run {

using nlohmann::json;
using store::RunState;

namespace {

constexpr int mends = 2;  // times that an answer without the right shape goes back to its model

const char* general_experiment =
    "Make the basis faster by the change you expect most of, given its distance from the ceiling.";

}  // namespace

agents::Selection Researcher::select(int generation) {
  const std::string name = generation_name(generation) + "/selection";
  if (const auto known = ledger_->with([&](store::Archive& archive) { return store::decision(archive, run_, name); })) {
    const json read = json::parse(*known);
    return {read.at("basis"), read.value("reference", 0), read.value("rationale", std::string())};
  }
  std::vector<agents::Individual> individuals;
  std::vector<int> numbers;
  agents::Selection selection;
  {
    const std::lock_guard lock(mutex_);
    individuals = population_.individuals(generation);
    selection = select_by_rule(population_, generation);
  }
  for (const auto& individual : individuals)
    if (individual.evaluation->outcome == core::Outcome::accepted && individual.evaluation->geomean)
      numbers.push_back(individual.number);  // the others are there to learn from
  std::string by = "rule";
  if (numbers.size() > 1) {  // of one there is nothing to select
    const llm::Request question = agents::ask_selector(mission(), individuals, fruitless(generation));
    llm::Request again = question;
    for (int attempt = 0; attempt <= mends; ++attempt) {
      again.step = fmt::format("{}/selector/try-{}", generation_name(generation), attempt + 1);
      const auto reply = ask("selector", "selector", again);
      if (!reply) break;
      if (const auto chosen = agents::parse_selection(*reply, numbers)) {
        selection = *chosen;
        by = "model";
        break;
      } else {
        unusable(again.step, chosen.error());
        again = agents::ask_again(question, reply->arguments.empty() ? reply->text : reply->arguments, chosen.error());
      }
    }
    if (by == "rule" && !stopping()) say("the selector gave no usable answer: the one to beat is the basis, by rule");
  }
  if (stopping()) return selection;
  ledger_->with([&](store::Archive& archive) {
    store::decide_once(archive, run_, name,
                       json{{"basis", selection.basis},
                            {"reference", selection.reference},
                            {"rationale", selection.rationale},
                            {"by", by}}
                           .dump());
  });
  return selection;
}

std::vector<store::ExperimentRecord> Researcher::design(int generation, const agents::Selection& selection) {
  const auto recorded = [&] {
    std::vector<store::ExperimentRecord> list;
    ledger_->with([&](store::Archive& archive) {
      for (auto& experiment : store::experiments_of(archive, run_))
        if (experiment.generation == generation) list.push_back(std::move(experiment));
    });
    return list;
  };
  const std::string name = generation_name(generation) + "/design";
  if (ledger_->with([&](store::Archive& archive) { return store::decision(archive, run_, name).has_value(); }))
    return recorded();
  agents::Individual basis, parent, reference;
  bool has_parent = false, has_reference = false;
  std::vector<agents::Individual> individuals;
  {
    const std::lock_guard lock(mutex_);
    const Member& member = *population_.find(selection.basis);
    basis = Population::individual(member);
    const auto look = [&](const std::optional<int>& number, agents::Individual& into) {
      const Member* found = number ? population_.find(*number) : nullptr;
      if (found != nullptr) into = Population::individual(*found);
      return found != nullptr;
    };
    has_parent = look(member.record.basis, parent);
    has_reference = selection.reference != 0 && look(selection.reference, reference);
    individuals = population_.individuals(generation);
  }
  const auto profiled = read_profile(generation);
  const agents::Feedback feedback{profiled ? &profiled->profile : nullptr, research_.settings.feedback == "raw"};
  std::vector<std::string> shown;  // ids of advice
  if (feedback.profile != nullptr && !feedback.raw)
    for (const auto& advice : feedback.profile->advice) shown.push_back(advice.id);
  const llm::Request question =
      agents::ask_designer(mission(), basis, has_parent ? &parent : nullptr, has_reference ? &reference : nullptr,
                           individuals, feedback, fruitless(generation));
  llm::Request again = question;
  std::optional<agents::Design> designed;
  for (int attempt = 0; attempt <= mends && !designed; ++attempt) {
    again.step = fmt::format("{}/designer/try-{}", generation_name(generation), attempt + 1);
    const auto reply = ask("designer", "designer", again);
    if (!reply) break;
    const auto probes = research_.task.external ? agents::Probes::no : agents::Probes::yes;
    if (auto parsed = agents::parse_design(*reply, shown, probes)) {
      designed = *std::move(parsed);
    } else {
      unusable(again.step, parsed.error());
      again = agents::ask_again(question, reply->arguments.empty() ? reply->text : reply->arguments, parsed.error());
    }
  }
  if (stopping()) return {};
  if (!designed) {
    say("the designer gave no usable answer: the writers get a general experiment, by rule");
    const agents::Experiment general{.description = general_experiment, .rubric = "Whatever is faster and right."};
    designed = agents::Design{{}, {static_cast<std::size_t>(research_.settings.width), general}, {}};  // one for each
  }
  for (const auto& note : designed->notes) say("the designer: " + note);
  const auto taken = agents::take_experiments(*designed, static_cast<std::size_t>(research_.settings.width));
  json body{{"avenues", designed->avenues}, {"experiments", json::array()}, {"notes", designed->notes}};
  for (const auto& experiment : designed->experiments)
    body["experiments"].push_back(json::parse(agents::to_text(experiment)));
  ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    store::decide_once(archive, run_, name, body.dump());
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const auto number =
          store::record_experiment(archive, run_,
                                   {.generation = generation,
                                    .index = static_cast<int>(i) + 1,
                                    .kind = taken[i].kind == agents::Experiment::Kind::probe ? "probe" : "kernel",
                                    .body = agents::to_text(taken[i])});
      if (profiled) store::record_cited(archive, number, profiled->id, taken[i].advice);
    }
    batch.commit();
  });
  return recorded();
}

std::vector<agents::Fruitless> Researcher::fruitless(int before_generation) {
  std::vector<store::ExperimentRecord> experiments;
  std::vector<std::pair<std::string, std::string>> decisions;
  ledger_->with([&](store::Archive& archive) {
    experiments = store::experiments_of(archive, run_);
    decisions = store::decisions_of(archive, run_);
  });
  std::vector<agents::Fruitless> list;
  for (const auto& record : experiments) {
    if (record.generation >= before_generation) continue;
    const std::string step = fmt::format("{}/writer-{}/", generation_name(record.generation), record.index);
    std::string why;
    bool told = false;  // of a probe there is a finding
    for (const auto& [name, body] : decisions) {
      if (!name.starts_with(step)) continue;
      told = told || name == step + "probe";
      if (name.ends_with("/unusable")) why = json::parse(body).value("why", "");
    }
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [number, member] : population_.all()) told = told || member.record.experiment == record.number;
    }
    if (!told && !why.empty()) list.push_back({agents::experiment_from(record.body), why});
  }
  return list;
}

bool Researcher::closed(int generation) {
  return research_.settings.strategy != "oneshot" && incumbent_before(generation + 1).has_value();
}

std::optional<int> Researcher::incumbent_before(int generation) {
  const auto known = ledger_->with([&](store::Archive& archive) {
    return store::decision(archive, run_, fmt::format("incumbent/{:03}", generation - 1));
  });
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
  if (const auto known = ledger_->with([&](store::Archive& archive) { return store::decision(archive, run_, name); })) {
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
  if (ledger_->with([&](store::Archive& archive) { return store::decision(archive, run_, name).has_value(); })) return;
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
  llm::Request again = question;
  agents::Lesson lesson;
  for (int attempt = 0; attempt <= mends; ++attempt) {
    again.step = fmt::format("{}/learner/try-{}", generation_name(generation), attempt + 1);
    bool nothing_left = false;
    const auto reply = ask("learner", "learner", again, &nothing_left);
    if (nothing_left) return;  // undecided: with a larger budget it is asked
    if (!reply) break;
    if (auto parsed = agents::parse_lesson(*reply)) {
      lesson = *std::move(parsed);
      break;
    } else {
      unusable(again.step, parsed.error());
      again = agents::ask_again(question, reply->arguments.empty() ? reply->text : reply->arguments, parsed.error());
    }
  }
  if (give_up()) return;
  for (const auto& text : lesson.disagreements) disagreements.push_back(text);
  ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    store::decide_once(archive, run_, name,
                       json{{"findings", lesson.findings}, {"disagreements", disagreements}, {"tried", figures}}.dump(
                           -1, ' ', false, json::error_handler_t::replace));
    for (const auto& text : lesson.findings)
      store::add_finding(archive, {.task = research_.task.name,
                                   .device = research_.info.is_cpu ? "cpu" : research_.info.arch,
                                   .text = text,
                                   .source = fmt::format("run {}, generation {}", run_, generation),
                                   .run = run_});
    batch.commit();
  });
}

void Researcher::generation(int number) {
  {
    const std::lock_guard lock(mutex_);
    generation_ = number;
    phase_ = "generation";
  }
  if (const auto incumbent = incumbent_before(number)) {
    const std::lock_guard lock(mutex_);
    incumbents_[number] = *incumbent;
  }
  const agents::Selection selection = select(number);
  if (stopping()) return;
  explain(number, selection);
  if (!away_.empty()) return stop(RunState::away, "the basis is away to be explained");
  if (stopping()) return;
  const auto experiments = design(number, selection);
  if (stopping()) return;
  const auto profiled = research_.settings.feedback == "tools" ? read_profile(number) : std::nullopt;
  say(fmt::format("generation {}: from {}, {} experiments", number, member_name(selection.basis), experiments.size()));
  std::vector<std::pair<std::string, std::function<void()>>> jobs;
  for (const auto& record : experiments) {
    WriterJob job{.generation = number,
                  .name = fmt::format("writer {}", record.index),
                  .step = fmt::format("{}/writer-{}", generation_name(number), record.index),
                  .experiment = record,
                  .basis = selection.basis,
                  .reference = selection.reference != 0 ? std::optional(selection.reference) : std::nullopt,
                  .tries = research_.settings.tries};
    jobs.emplace_back(job.step, [this, job, &profiled]() mutable {
      const auto experiment = agents::experiment_from(job.experiment->body);
      if (experiment.kind == agents::Experiment::Kind::probe) {
        job.question = agents::ask_probe_writer(mission(), experiment);
        return write_probe(job);
      }
      std::optional<agents::Individual> seen[4];
      {
        const std::lock_guard lock(mutex_);
        const auto look = [&](const std::optional<int>& member, std::optional<agents::Individual>& into) {
          if (const Member* found = member ? population_.find(*member) : nullptr) into = Population::individual(*found);
        };
        look(job.basis, seen[0]);
        look(population_.find(*job.basis)->record.basis, seen[1]);
        look(job.reference, seen[2]);
        if (job.reference) look(population_.find(*job.reference)->record.basis, seen[3]);
      }
      const auto pointer = [](const std::optional<agents::Individual>& one) { return one ? &*one : nullptr; };
      job.question =
          agents::ask_writer(mission(), {pointer(seen[0]), pointer(seen[1]), pointer(seen[2]), pointer(seen[3])},
                             experiment, profiled ? &profiled->profile : nullptr);
      write(job);
    });
  }
  writers_at_once(jobs);
  if (!away_.empty()) return stop(RunState::away, "candidates are away to be judged");
  if (stopping()) return;  // a generation that is not whole decides nothing: it may go on another day
  choose_incumbent(number);
  settle_advice(number, selection);
  learn(number, selection);
}

}  // namespace hone::run
