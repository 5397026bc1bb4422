// One generation: select, explain, design, write in parallel, judge, choose who is to beat next, learn.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/researcher.h"
#include "store/advice_ledger.h"

namespace hone::run {

using nlohmann::json;
using store::RunState;

namespace {

const char* general_experiment =
    "Make the basis faster by the change you expect most of, given its distance from the ceiling.";

}  // namespace

agents::Selection Researcher::select(int generation) {
  const std::string name = generation_name(generation) + "/selection";
  if (const auto known = decided(name)) {
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
    const auto parse = [&](const llm::Reply& reply) { return agents::parse_selection(reply, numbers); };
    if (const auto chosen = answer<agents::Selection>(generation, "selector", question, parse)) {
      selection = *chosen;
      by = "model";
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
  if (decided(name)) return recorded();
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
  const auto probes = research_.task.external ? agents::Probes::no : agents::Probes::yes;
  auto designed = answer<agents::Design>(generation, "designer", question, [&](const llm::Reply& reply) {
    return agents::parse_design(reply, shown, probes);
  });
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

void Researcher::generation(int number) {
  {
    const std::lock_guard lock(mutex_);
    generation_ = number;
    phase_ = "generation";
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
