// Every way in which a candidate can be named, against an archive made here.
#include "app/named_candidate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "core/source_lines.h"
#include "report/summary_example.h"
#include "task/candidate_loader.h"

namespace hone::app {
namespace {

using report::example::ExampleRun;
using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::HasSubstr;

struct ACandidateByName : ::testing::Test {
  store::testing::Fixture f;
  ExampleRun example{f.archive};
};

TEST_F(ACandidateByName, NamesCandidatesInManyWays) {
  const std::string best = example.candidates.back().line.hash;
  for (const std::string& name :
       {example.run, example.run.substr(0, 6), example.run + ":6", example.run + ":00006",
        example.certified, store::short_hash(best)}) {
    const NamedCandidate named = candidate_named(f.archive, name);
    EXPECT_EQ(named.hash, best) << name;
    ASSERT_TRUE(named.evaluation) << name;
    EXPECT_EQ(named.evaluation->id, example.certified) << name;
  }
  for (const std::string& name :
       {example.run + ":99", example.run + ":x", std::string("no/such/file.cl"),
        std::string("abcdef"), std::string("")})
    EXPECT_THROW(candidate_named(f.archive, name), base::Error) << name;
  const auto file = f.folder.path() / "note.txt";
  base::write_file_atomically(file, "no plan here\n");
  EXPECT_EQ(candidate_named(f.archive, file.string()).source, "no plan here\n");
  EXPECT_FALSE(candidate_named(f.archive, file.string()).evaluation);
}

TEST_F(ACandidateByName, IsCalledByWhatWasTyped) {
  EXPECT_EQ(candidate_named(f.archive, example.run + ":6").label, example.run + ":00006");
  EXPECT_THAT(candidate_named(f.archive, example.certified).label,
              HasSubstr("(evaluation " + example.certified + ")"));
}

TEST_F(ACandidateByName, OfAFileWithoutAPlanHasTheEvaluationWithATasksPlan) {
  const auto file = f.folder.path() / "plain.cl";
  base::write_file_atomically(file, "__kernel void own(__global float* y) { y[0] = 1; }\n");
  EXPECT_TRUE(candidate_named(f.archive, file.string()).lacks_plan);
  EXPECT_FALSE(candidate_named(f.archive, file.string()).evaluation);
  const std::string plan =
      "/* hone 1\n[[launch]]\nkernel = \"own\"\ngrid = [1]\nblock = [1]\nargs = [\"y\"]\n*/\n";
  auto candidate =
      task::candidate_from(plan + std::string(core::line_restart) + base::read_file(file),
                           core::Language::opencl, "plain.cl");
  ASSERT_TRUE(candidate);
  store::record_candidate(
      f.archive,
      {{candidate->hash, candidate->language, candidate->name, "user", ""}, candidate->source, {}});
  core::Evaluation evaluation = an_evaluation(a_task(), a_candidate());
  evaluation.key.candidate = candidate->hash;
  const std::string id = store::record_evaluation(f.archive, evaluation, "a GPU");
  const NamedCandidate named = candidate_named(f.archive, file.string());
  ASSERT_TRUE(named.evaluation);
  EXPECT_EQ(named.evaluation->id, id);
  EXPECT_EQ(named.source, base::read_file(file)) << "the file's own text is shown";
}

TEST_F(ACandidateByName, IsRepresentedByItsCertificationWhileThatStands) {
  const auto& best = example.candidates.back();
  EXPECT_EQ(representative_evaluation(f.archive, best.line.hash)->id, example.certified);
  core::Evaluation e = an_evaluation(a_task(), best, {});
  e.key.depth = core::Depth::certify;
  e.outcome = core::Outcome::cheating;
  e.geomean.reset();
  e.evidence = {{"canary", 3, true, "prime", "It wrote behind its output."}};
  const std::string refusal = store::record_evaluation(f.archive, e, "H200");
  EXPECT_EQ(representative_evaluation(f.archive, best.line.hash)->id, refusal);
  EXPECT_FALSE(representative_evaluation(f.archive, std::string(64, '0')));
}

}  // namespace
}  // namespace hone::app
