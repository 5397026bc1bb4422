#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"

#include "agents/answers.h"

namespace hone::agents {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

llm::Reply said(const std::string& text) {
  llm::Reply reply;
  reply.text = text;
  return reply;
}
llm::Reply called(const std::string& arguments) {
  llm::Reply reply;
  reply.arguments = arguments;
  return reply;
}

// ---- selections

TEST(Selection, IsReadFromAToolCall) {
  const auto selection = parse_selection(
      called(R"({"basis": "00012", "reference": "00007", "rationale": "fast"})"), {7, 12});
  ASSERT_TRUE(selection.ok()) << selection.error();
  EXPECT_EQ(selection->basis, 12);
  EXPECT_EQ(selection->reference, 7);
  EXPECT_EQ(selection->rationale, "fast");
}

TEST(Selection, IsReadFromTextRoundIt) {
  const auto selection = parse_selection(
      said("I think {so}.\n```json\n{\"basis\": 12, \"reference\": \"none\",}\n```\nDone."), {12});
  ASSERT_TRUE(selection.ok()) << selection.error();
  EXPECT_EQ(selection->basis, 12);
  EXPECT_EQ(selection->reference, 0);
}

TEST(Selection, TakesWhatIsHarmless) {
  for (const char* text :
       {R"({"selection": {"basis": "#12", "reference": null}})", R"({"basis": "node 00012"})",
        R"({"basis": "member 00012"})", R"({"basis": 12, "reference": 12})",
        R"({"basis": "12", "reference": "00000"})"}) {
    const auto selection = parse_selection(called(text), {12});
    ASSERT_TRUE(selection.ok()) << text << ": " << selection.error();
    EXPECT_EQ(selection->basis, 12) << text;
    EXPECT_EQ(selection->reference, 0) << text;
  }
}

TEST(Selection, RefusesUnknownNodes) {
  EXPECT_THAT(parse_selection(called(R"({"basis": 99})"), {1, 2}).error(),
              AllOf(HasSubstr("no node 00099"), HasSubstr("00001, 00002")));
  EXPECT_THAT(parse_selection(called(R"({"basis": 1, "reference": 99})"), {1, 2}).error(),
              HasSubstr("\"reference\" names no node"));
  EXPECT_THAT(parse_selection(called(R"({"basis": "the fast one"})"), {1}).error(),
              HasSubstr("such as \"00001\""));
  EXPECT_THAT(parse_selection(said("I would take the second."), {1}).error(),
              HasSubstr("no JSON object"));
}

// ---- designs

std::string design_text(const std::string& experiment) {
  const std::string plain =
      R"({"description": "d", "rubric": "r", "performance": [1, 2], "innovation": 3})";
  return R"({"avenues": ["a", "b", "c", {"avenue": "d"}, "e"], "experiments": [)" + plain + "," +
         experiment + "," + plain + "]}";
}

TEST(Design, ToleratesLooseFormatting) {
  const auto design = parse_design(called(design_text(
      R"({"kind": "Probe", "description": " How fast? ", "rubric": "r", "performance": ["20%", "5 %"], "innovation": "70/100"})")));
  ASSERT_TRUE(design.ok()) << design.error();
  EXPECT_THAT(design->avenues, ElementsAre("a", "b", "c", "d", "e"));
  const auto& experiment = design->experiments.at(1);
  EXPECT_EQ(experiment.kind, Experiment::Kind::probe);
  EXPECT_EQ(experiment.description, "How fast?");
  EXPECT_EQ(experiment.gain_low, 5);
  EXPECT_EQ(experiment.gain_high, 20);
  EXPECT_EQ(experiment.innovation, 70);
}

TEST(Design, HasNoProbesWhereNobodyCouldRunThem) {
  const auto text = design_text(
      R"({"kind": "probe", "description": "How fast?", "rubric": "r", "performance": [1, 2], "innovation": 3})");
  EXPECT_TRUE(parse_design(called(text)).ok());
  EXPECT_THAT(parse_design(called(text), {}, Probes::no).error(),
              HasSubstr("Experiment 2: there are no probes"));
}

std::string citing(const std::string& advice) {
  return R"({"description": "d", "rubric": "r", "performance": [1, 2], "innovation": 3, "advice": )" +
         advice + "}";
}

TEST(Design, CitesTheAdviceThatWasShown) {
  const auto design =
      parse_design(called(design_text(citing(R"(["A2", "a1", "A2"])"))), {"A1", "A2"});
  ASSERT_TRUE(design.ok()) << design.error();
  EXPECT_THAT(design->experiments.at(1).advice, ElementsAre("A2", "A1"));
  EXPECT_THAT(design->experiments.at(0).advice, IsEmpty()) << "none is fine";
  EXPECT_THAT(design->notes, IsEmpty());
}

TEST(Design, DropsAdviceThatWasNotShownWithANote) {
  const auto design =
      parse_design(called(design_text(citing(R"(["A7", 3, null, "A1"])"))), {"A1", "A2"});
  ASSERT_TRUE(design.ok()) << design.error();
  EXPECT_THAT(design->experiments.at(1).advice, ElementsAre("A1"));
  ASSERT_FALSE(design->notes.empty());
  EXPECT_THAT(design->notes[0], HasSubstr("Experiment 2 cites the advice \"A7\""));
  EXPECT_THAT(parse_design(called(design_text(citing(R"("A1")"))))->experiments.at(1).advice,
              IsEmpty())
      << "nothing was shown";
}

TEST(Design, KeepsCitationsInTheArchive) {
  Experiment experiment{.description = "d", .rubric = "r"};
  experiment.advice = {"A1", "A3"};
  const auto kept = base::from_json<core::Experiment>(base::json_line(experiment));
  ASSERT_TRUE(kept);
  EXPECT_THAT(kept->advice, ElementsAre("A1", "A3"));
  EXPECT_THAT(recorded_experiment(R"({"advice": ["A1", "A3"]})").advice, ElementsAre("A1", "A3"));
  EXPECT_THAT(recorded_experiment("{}").advice, IsEmpty());
}

TEST(Design, SurvivesLineBreaksInsideStrings) {
  EXPECT_TRUE(
      parse_design(
          said("```json\n" +
               design_text("{\"description\": \"two\nlines\", \"rubric\": \"r\", \"performance\": "
                           "{\"min\": 1, \"max\": 2}, \"innovation\": 1,}") +
               "\n```"))
          .ok());
}

TEST(Design, SaysWhatIsWrongWithEachExperiment) {
  const auto wrong = [](const std::string& experiment) {
    const auto design = parse_design(called(design_text(experiment)));
    return design.ok() ? std::string("nothing") : design.error();
  };
  EXPECT_THAT(wrong(R"({"rubric": "r"})"), HasSubstr("Experiment 2 has no \"description\""));
  EXPECT_THAT(wrong(R"({"description": "d"})"), HasSubstr("Experiment 2 has no \"rubric\""));
  EXPECT_THAT(wrong(R"({"description": "d", "rubric": "r", "performance": "some"})"),
              HasSubstr("[min, max]"));
  EXPECT_THAT(wrong(R"({"description": "d", "rubric": "r", "performance": [100, 300]})"),
              HasSubstr("at most 100"));
  EXPECT_THAT(wrong(R"({"description": "d", "rubric": "r", "performance": [1, "nan"]})"),
              HasSubstr("[min, max]"));
  EXPECT_THAT(wrong(R"({"description": "d", "rubric": "r", "performance": [1, 2]})"),
              HasSubstr("0 to 100"));
  EXPECT_THAT(
      wrong(
          R"({"description": "d", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "x"})"),
      HasSubstr("\"kernel\" or \"probe\""));
  EXPECT_THAT(wrong("7"), HasSubstr("not a JSON object"));
  EXPECT_THAT(parse_design(called(R"({"avenues": [], "experiments": []})")).error(),
              AllOf(HasSubstr("\"avenues\" has 0"), HasSubstr("\"experiments\" has 0")));
}

// ---- experiments of archives before the journal

TEST(RecordedExperiment, IsReadAsItWasWritten) {
  const auto experiment = recorded_experiment(
      R"({"kind": "probe", "description": "a \"quoted\" idea", "rubric": "", "performance": [-3, 40],)"
      R"( "innovation": 12.5, "taken_as": "highest maximum"})");
  EXPECT_EQ(experiment.kind, Experiment::Kind::probe);
  EXPECT_EQ(experiment.description, "a \"quoted\" idea");
  EXPECT_EQ(experiment.rubric, "");
  EXPECT_EQ(experiment.gain_low, -3);
  EXPECT_EQ(experiment.gain_high, 40);
  EXPECT_EQ(experiment.innovation, 12.5);
}

TEST(RecordedExperiment, TakesWhatIsThereAndLeavesOutWhatIsNot) {
  const auto experiment =
      recorded_experiment(R"({"description": [], "performance": [1], "rubric": "r"})");
  EXPECT_EQ(experiment.description, "");
  EXPECT_EQ(experiment.rubric, "r");
  EXPECT_EQ(experiment.gain_low, 0);
  EXPECT_EQ(experiment.gain_high, 0);
  EXPECT_EQ(recorded_experiment("not JSON").description, "");
}

// ---- lessons

TEST(Lesson, HasFindingsAndDisagreements) {
  const auto lesson = parse_lesson(called(
      R"({"findings": ["Wide loads help.", {"text": "So do two."}, ""],
          "reports": [{"member": "00003", "agrees": true, "why": "-"}, {"node": 4, "agrees": "no", "why": "no float4"}]})"));
  ASSERT_TRUE(lesson.ok()) << lesson.error();
  EXPECT_THAT(lesson->findings, ElementsAre("Wide loads help.", "So do two."));
  EXPECT_THAT(lesson->disagreements, ElementsAre("00004: no float4"));
}

TEST(Lesson, MayBeEmptyButNotShapeless) {
  EXPECT_THAT(parse_lesson(called(R"({"findings": []})"))->findings, IsEmpty());
  EXPECT_THAT(parse_lesson(called(R"({"findings": "one"})")).error(), HasSubstr("must be a list"));
  EXPECT_THAT(parse_lesson(called(R"({"findings": [1, 2]})")).error(), HasSubstr("must be texts"));
}

}  // namespace
}  // namespace hone::agents
