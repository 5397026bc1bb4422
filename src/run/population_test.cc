#include "run/population.h"

#include <gtest/gtest.h>

namespace hone::run {
namespace {

Member member(int number, int generation, double seconds, std::optional<int> basis = std::nullopt) {
  Member one;
  one.record.number = number;
  one.record.generation = generation;
  one.record.basis = basis;
  one.evaluation.emplace();
  one.evaluation->outcome = core::Outcome::accepted;
  one.evaluation->geomean = seconds;
  return one;
}

// 3 looks faster than 2, from which it was made, by times that were taken on different days; side by side it was not.
Population example() {
  Population population;
  population.add(member(1, 0, 9));
  population.add(member(2, 1, 5, 1));
  population.add(member(3, 2, 4.9, 2));
  population.add(member(4, 2, 7, 1));
  population.lead(0, 1);
  population.lead(1, 2);
  population.lead(2, 2);
  return population;
}

TEST(Population, PutsTheOneToBeatFirstWhateverTheScreenedTimesSay) {
  const Population population = example();
  EXPECT_EQ(population.ranking(3).at(0)->record.number, 2);
  EXPECT_EQ(population.ranking(3).at(1)->record.number, 3);
  EXPECT_EQ(population.ranking(1).at(0)->record.number, 1) << "what came later is not known to an earlier generation";
}

TEST(Population, RanksWhatNobodyWasComparedWithYetByItsTime) {
  Population population = example();
  population.add(member(5, 3, 1, 2));
  EXPECT_EQ(population.ranking(4).at(0)->record.number, 5) << "its generation has not been decided";
  EXPECT_EQ(population.ranking(4).at(1)->record.number, 2);
}

TEST(Population, TellsTheSelectorWhoIsToBeat) {
  for (const auto& individual : example().individuals(3)) EXPECT_EQ(individual.to_beat, individual.number == 2);
}

TEST(Population, ShowsModelsWhatFailedAndNeverSelectsIt) {
  Population population = example();
  Member failed = member(5, 2, 1, 2);
  failed.evaluation->outcome = core::Outcome::wrong;
  failed.evaluation->geomean.reset();
  population.add(failed);
  EXPECT_EQ(population.individuals(3).size(), 5u);
  EXPECT_EQ(population.individuals(3).back().evaluation->outcome, core::Outcome::wrong);
  EXPECT_EQ(population.ranking(3).size(), 4u);
  EXPECT_NE(select_by_rule(population, 3).reference, 5);
}

TEST(Population, SelectsTheOneToBeatByRuleWithAReferenceFromAnotherLine) {
  const auto selection = select_by_rule(example(), 3);
  EXPECT_EQ(selection.basis, 2);
  EXPECT_EQ(selection.reference, 4) << "3 is its child, 1 its parent";
}

}  // namespace
}  // namespace hone::run
