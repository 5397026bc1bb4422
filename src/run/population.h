#pragma once
// The members of a run with what is known of them: in memory what the archive has of it. Not thread-safe; the
// researcher guards it.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agents/prompts.h"
#include "core/candidate.h"
#include "store/research.h"

namespace hone::run {

struct Member {
  store::MemberRecord record;
  core::Candidate candidate;
  std::optional<agents::Experiment> experiment;
  std::optional<core::Evaluation> evaluation;  // the screening, or why it was not accepted
  std::string evaluation_id;

  bool accepted() const { return evaluation && evaluation->outcome == core::Outcome::accepted && evaluation->geomean; }
  double seconds() const { return *evaluation->geomean; }
};

class Population {
 public:
  static Population load(store::Archive& archive, const std::string& run);

  Member& add(Member member);
  Member* find(int number);
  const Member* find(int number) const;
  const Member* by_step(const std::string& step) const;
  const std::map<int, Member>& all() const { return members_; }

  // Who is to beat after a generation, as side-by-side comparisons decided.
  void lead(int generation, int member) { leaders_[generation] = member; }
  std::optional<int> leader(int before_generation) const;

  // The accepted ones of earlier generations by their screened times; but these may come from different days and
  // machines, so who is to beat stands before all that it was chosen among.
  std::vector<const Member*> ranking(int before_generation) const;
  // As models see them: all of earlier generations that were judged, by number. Those that failed teach too.
  std::vector<agents::Individual> individuals(int before_generation) const;
  static agents::Individual individual(const Member& member);
  // The fastest that nobody of this run wrote; else of the first generation; else the first that was accepted.
  const Member* seed() const;
  bool is_ancestor(int older, int younger) const;

 private:
  std::map<int, Member> members_;
  std::map<int, int> leaders_;  // by generation
};

// The rule that decides where no model does: the one to beat is the basis; the reference is the fastest that is
// neither its ancestor nor its descendant, else its own basis, else none.
agents::Selection select_by_rule(const Population& population, int before_generation);

}  // namespace hone::run
