#include "run/population.h"

#include <algorithm>

#include "base/error.h"
#include "store/candidates.h"
#include "task/candidate_loader.h"

namespace hone::run {

Population Population::load(store::Archive& archive, const std::string& run) {
  Population population;
  std::map<std::int64_t, agents::Experiment> experiments;
  for (const auto& record : store::experiments_of(archive, run))
    experiments[record.number] = agents::experiment_from(record.body);
  for (auto& record : store::members_of(archive, run)) {
    const auto stored = store::get_candidate(archive, record.candidate);
    auto candidate = task::candidate_from(stored.source, stored.line.language, stored.line.name);
    if (!candidate)
      base::fail(base::ExitCode::archive, "candidate {} of run {} cannot be read any more: {}", record.candidate, run,
                 task::render_with_sources(candidate.error()));
    Member member{.record = record, .candidate = *std::move(candidate)};
    if (record.experiment && experiments.contains(*record.experiment))
      member.experiment = experiments[*record.experiment];
    population.add(std::move(member));
  }
  for (auto& [number, evaluation] : store::evaluations_of_run(archive, run))
    if (Member* member = population.find(number); member != nullptr && !member->evaluation) {
      member->evaluation = std::move(evaluation.evaluation);
      member->evaluation_id = evaluation.id;
    }
  return population;
}

Member& Population::add(Member member) {
  const int number = member.record.number;
  return members_.insert_or_assign(number, std::move(member)).first->second;
}

Member* Population::find(int number) {
  const auto found = members_.find(number);
  return found == members_.end() ? nullptr : &found->second;
}
const Member* Population::find(int number) const { return const_cast<Population*>(this)->find(number); }

const Member* Population::by_step(const std::string& step) const {
  for (const auto& [number, member] : members_)
    if (member.record.step == step) return &member;
  return nullptr;
}

std::optional<int> Population::leader(int before_generation) const {
  const auto next = leaders_.lower_bound(before_generation);
  if (next == leaders_.begin()) return std::nullopt;
  return std::prev(next)->second;
}

std::vector<const Member*> Population::ranking(int before_generation) const {
  std::vector<const Member*> ranked;
  for (const auto& [number, member] : members_)
    if (member.record.generation < before_generation && member.accepted()) ranked.push_back(&member);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Member* a, const Member* b) { return a->seconds() < b->seconds(); });
  const auto next = leaders_.lower_bound(before_generation);
  if (next == leaders_.begin()) return ranked;
  const auto& [decided, best] = *std::prev(next);
  const auto found = std::find_if(ranked.begin(), ranked.end(),
                                  [number = best](const Member* member) { return member->record.number == number; });
  const auto settled = std::find_if(
      ranked.begin(), found, [last = decided](const Member* member) { return member->record.generation <= last; });
  if (found != ranked.end()) std::rotate(settled, found, found + 1);
  return ranked;
}

agents::Individual Population::individual(const Member& member) {
  agents::Individual individual;
  individual.number = member.record.number;
  if (member.record.basis) individual.parents.push_back(*member.record.basis);
  if (member.record.reference) individual.parents.push_back(*member.record.reference);
  individual.source = member.candidate.source;
  individual.experiment = member.experiment;
  individual.report = member.record.report;
  individual.evaluation = member.evaluation;
  return individual;
}

std::vector<agents::Individual> Population::individuals(int before_generation) const {
  std::vector<agents::Individual> list;
  for (const auto& [number, member] : members_)
    if (member.record.generation < before_generation && member.evaluation) {
      list.push_back(individual(member));
      list.back().to_beat = leader(before_generation) == number;
    }
  return list;
}

const Member* Population::seed() const {
  const auto first = ranking(1);
  for (const Member* member : first)
    if (member->record.step.starts_with("seed/given")) return member;
  if (!first.empty()) return first.front();
  for (const auto& [number, member] : all())
    if (member.accepted()) return &member;
  return nullptr;
}

bool Population::is_ancestor(int older, int younger) const {
  for (const Member* at = find(younger); at != nullptr && at->record.basis; at = find(*at->record.basis))
    if (*at->record.basis == older) return true;
  return false;
}

agents::Selection select_by_rule(const Population& population, int before_generation) {
  const auto ranked = population.ranking(before_generation);
  if (ranked.empty()) return {};
  const Member& basis = *ranked.front();
  agents::Selection selection{.basis = basis.record.number, .rationale = "by rule: the one to beat"};
  for (const Member* other : ranked)
    if (other != &basis && !population.is_ancestor(other->record.number, basis.record.number) &&
        !population.is_ancestor(basis.record.number, other->record.number)) {
      selection.reference = other->record.number;
      return selection;
    }
  selection.reference = basis.record.basis.value_or(0);
  return selection;
}

}  // namespace hone::run
