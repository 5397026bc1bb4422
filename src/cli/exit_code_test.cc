// The numbers that scripts and CI branch on, for every command that has more than one.
#include "cli/exit_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::cli {
namespace {

using base::ExitCode;
using core::Outcome;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ExitCode, HasTheNumbersThatDocsFormatsSays) {
  const std::pair<ExitCode, int> numbers[] = {
      {ExitCode::ok, 0},         {ExitCode::not_accepted, 1}, {ExitCode::usage, 2},
      {ExitCode::bad_input, 3},  {ExitCode::environment, 4},  {ExitCode::archive, 5},
      {ExitCode::slower, 10},    {ExitCode::same, 11},        {ExitCode::cannot_tell, 12},
      {ExitCode::undecided, 13}, {ExitCode::away, 20},        {ExitCode::unfinished, 21},
      {ExitCode::internal, 70},  {ExitCode::interrupted, 130}};
  for (const auto& [code, number] : numbers) EXPECT_EQ(static_cast<int>(code), number);
}

TEST(ExitCode, OfAnOutcomeTellsUndecidedFromRefused) {
  EXPECT_EQ(exit_code(Outcome::accepted), ExitCode::ok);
  EXPECT_EQ(exit_code(Outcome::undecided), ExitCode::undecided);
  for (const Outcome outcome :
       {Outcome::build_failed, Outcome::launch_failed, Outcome::wrong, Outcome::timed_out,
        Outcome::crashed, Outcome::cheating, Outcome::below_floor, Outcome::rejected})
    EXPECT_EQ(exit_code(outcome), ExitCode::not_accepted) << core::name_of(outcome);
}

TEST(ExitCode, OfSeveralIsTheOneThatSaysMost) {
  EXPECT_EQ(worse(ExitCode::ok, ExitCode::ok), ExitCode::ok);
  EXPECT_EQ(worse(ExitCode::ok, ExitCode::undecided), ExitCode::undecided);
  EXPECT_EQ(worse(ExitCode::not_accepted, ExitCode::undecided), ExitCode::not_accepted);
  EXPECT_EQ(worse(ExitCode::undecided, ExitCode::not_accepted), ExitCode::not_accepted);
}

app::EvaluateResult evaluated(const std::vector<Outcome>& outcomes) {
  app::EvaluateResult result;
  for (const Outcome outcome : outcomes)
    result.verdicts.emplace_back().evaluation.outcome = outcome;
  return result;
}

TEST(ExitCode, OfSeveralCandidatesIsTheWorst) {
  EXPECT_EQ(exit_code(evaluated({Outcome::accepted, Outcome::accepted})), ExitCode::ok);
  EXPECT_EQ(exit_code(evaluated({Outcome::undecided, Outcome::accepted})), ExitCode::undecided);
  EXPECT_EQ(exit_code(evaluated({Outcome::accepted, Outcome::wrong, Outcome::undecided})),
            ExitCode::not_accepted);
}

TEST(ExitCode, OfAComparisonIsItsWord) {
  using core::Comparison;
  judge::ComparisonResult result;
  result.compared = true;
  for (const auto& [word, code] : {std::pair{Comparison::faster, ExitCode::ok},
                                   std::pair{Comparison::slower, ExitCode::slower},
                                   std::pair{Comparison::same, ExitCode::same},
                                   std::pair{Comparison::cannot_tell, ExitCode::cannot_tell}}) {
    result.word = word;
    EXPECT_EQ(exit_code(result), code) << core::name_of(word);
  }
}

TEST(ExitCode, OfTwoThatWereNotComparedSaysWhichOfThemWasRefusedHow) {
  judge::ComparisonResult result;
  result.word = core::Comparison::faster;  // which means nothing without a comparison
  result.a.outcome = result.b.outcome = Outcome::accepted;
  EXPECT_EQ(exit_code(result), ExitCode::not_accepted);
  result.b.outcome = Outcome::undecided;
  result.b.key.candidate = result.a.key.candidate = "a hash";
  EXPECT_EQ(exit_code(result), ExitCode::undecided);
  result.a.outcome = Outcome::wrong;
  EXPECT_EQ(exit_code(result), ExitCode::not_accepted);
  result.refusal = "there is no case for this device";
  EXPECT_EQ(exit_code(result), ExitCode::environment) << "neither of them is to blame";
}

TEST(ExitCode, OfTuningIsWhetherAPointWasAccepted) {
  run::TuneResult result;
  EXPECT_EQ(exit_code(result), ExitCode::not_accepted);
  result.status.undecided = 1;
  EXPECT_EQ(exit_code(result), ExitCode::undecided) << "a busy machine is no verdict";
  result.status.best_seconds = 1e-3;
  EXPECT_EQ(exit_code(result), ExitCode::ok);
  result.interrupted = true;
  EXPECT_EQ(exit_code(result), ExitCode::interrupted);
}

app::RunDone done(store::RunState state, std::optional<int> best = {},
                  std::optional<Outcome> last = {}) {
  app::RunDone done;
  done.result.state = state;
  done.result.best = best;
  done.result.stopped = "the cap of 0.01 dollars does not allow a question";
  if (last) done.result.certification.emplace().record.evaluation.outcome = *last;
  return done;
}

TEST(ExitCode, OfARunIsHowItEndedAndWhatCameOfIt) {
  using store::RunState;
  const auto finished = RunState::finished;
  EXPECT_EQ(exit_code(done(finished, 3), false), ExitCode::ok);
  EXPECT_EQ(exit_code(done(finished), false), ExitCode::not_accepted);
  EXPECT_EQ(exit_code(done(finished, {}, Outcome::wrong), false), ExitCode::not_accepted);
  EXPECT_EQ(exit_code(done(finished, {}, Outcome::undecided), false), ExitCode::undecided);
  EXPECT_EQ(exit_code(done(RunState::away, 3), false), ExitCode::away);
  EXPECT_EQ(exit_code(done(RunState::stopped, 3), true), ExitCode::interrupted);
  EXPECT_EQ(exit_code(done(RunState::stopped, 3), false), ExitCode::environment);
}

TEST(ExitCode, OfARunThatCouldAskNothingIsAMistakeInItsOptions) {
  auto poor = done(store::RunState::finished, 1);
  poor.settings.budget.usd = 0.01;
  EXPECT_THAT([&] { exit_code(poor, false); },
              ThrowsMessage<base::Error>(HasSubstr("0.01 dollars does not allow a question")));
  poor.result.status.spending.calls = 1;
  EXPECT_EQ(exit_code(poor, false), ExitCode::ok);
}

TEST(ExitCode, OfARecheck) {
  using Word = app::Recheck::Word;
  const std::pair<Word, ExitCode> codes[] = {{Word::holds, ExitCode::ok},
                                             {Word::faster, ExitCode::ok},
                                             {Word::slower, ExitCode::slower},
                                             {Word::not_accepted, ExitCode::not_accepted},
                                             {Word::undecided, ExitCode::undecided},
                                             {Word::not_comparable, ExitCode::ok}};
  for (const auto& [word, code] : codes)
    EXPECT_EQ(exit_code(app::Recheck{.word = word}), code) << name_of(word);
}

TEST(ExitCode, OfTheSelftestPutsAMissBeforeABusyMachine) {
  app::SelftestResult result;
  EXPECT_EQ(exit_code(result), ExitCode::ok);
  result.undecided = 2;
  EXPECT_EQ(exit_code(result), ExitCode::undecided);
  result.bad = 1;
  EXPECT_EQ(exit_code(result), ExitCode::not_accepted);
}

TEST(ExitCode, OfATaskTellsMalformedFromNotAdmitted) {
  app::TaskCheckResult result;
  result.admission.checks = {{}};
  result.admission.checks[0].verdict = judge::AdmissionCheck::Verdict::failed;
  EXPECT_EQ(exit_code(result), ExitCode::not_accepted);
  result.admission.checks[0].verdict = judge::AdmissionCheck::Verdict::doubtful;
  EXPECT_EQ(exit_code(result), ExitCode::ok) << "a doubt refuses nothing";
  result.malformed.emplace_back();
  EXPECT_EQ(exit_code(result), ExitCode::bad_input);
}

TEST(ExitCode, OfListsThatAreWorkedThrough) {
  app::BaselineResult baselines;
  EXPECT_EQ(exit_code(baselines), ExitCode::ok);
  baselines.lines.emplace_back().failed = "it does not fit into memory";
  EXPECT_EQ(exit_code(baselines), ExitCode::not_accepted);
  baselines.complete = false;
  EXPECT_EQ(exit_code(baselines), ExitCode::unfinished) << "the same command goes on";
  EXPECT_EQ(exit_code(app::BundleRunResult{"", "", 3, 0}, false), ExitCode::ok);
  EXPECT_EQ(exit_code(app::BundleRunResult{"", "", 3, 1}, false), ExitCode::unfinished);
  EXPECT_EQ(exit_code(app::BundleRunResult{"", "", 3, 1}, true), ExitCode::interrupted);
  EXPECT_EQ(exit_code(app::WeakProblemsResult{}), ExitCode::ok);
  EXPECT_EQ(exit_code(app::WeakProblemsResult{{}, 1, 0}), ExitCode::not_accepted);
  EXPECT_EQ(exit_code(app::WeakProblemsResult{{}, 0, 1}), ExitCode::not_accepted);
}

TEST(ExitCode, OfADigestAndAProfile) {
  app::LearnResult learned;
  EXPECT_EQ(exit_code(learned), ExitCode::ok);
  learned.learned.problems = {"notes.md, part 2: no usable answer"};
  EXPECT_EQ(exit_code(learned), ExitCode::not_accepted);
  learned.cancelled = true;
  EXPECT_EQ(exit_code(learned), ExitCode::interrupted);
  app::ProfileResult profile;
  profile.refusal.outcome = Outcome::undecided;
  EXPECT_EQ(exit_code(profile), ExitCode::undecided);
  profile.profile.emplace();
  EXPECT_EQ(exit_code(profile), ExitCode::ok);
}

TEST(ExitCode, OfDoctorIsWhetherAnythingCanBeJudged) {
  app::DoctorResult result;
  result.references = true;
  EXPECT_EQ(exit_code(result), ExitCode::environment);
  result.devices.emplace_back().usable = false;
  EXPECT_EQ(exit_code(result), ExitCode::environment);
  result.devices.emplace_back();
  EXPECT_EQ(exit_code(result), ExitCode::ok);
  result.references = false;
  EXPECT_EQ(exit_code(result), ExitCode::environment) << "nothing says what is right";
}

}  // namespace
}  // namespace hone::cli
