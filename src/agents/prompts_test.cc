#include "agents/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "agents/fences.h"
#include "base/json_probe.h"
#include "base/resources.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::agents {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

core::Task row_task() {
  core::Task task;
  task.name = "softmax";
  task.summary = "Softmax of each row of a matrix.";
  const auto dims = std::vector{*base::Expr::parse("rows"), *base::Expr::parse("cols")};
  task.inputs.push_back({"x", core::DType::f32, dims, {}, {core::Variant::heavy}});
  task.outputs.push_back({"y", core::DType::bf16, dims, {1e-4, 2e-6}});
  task.scalars.push_back({"eps", core::DType::f32, 1e-5, std::nullopt});
  task.cases.push_back({"prime", {{"rows", 127}, {"cols", 1009}}, false, "", false});
  task.cases.push_back({"large", {{"rows", 4096}, {"cols", 4096}}, true, "gpu", false});
  task.cases.push_back({"larger", {{"rows", 16384}, {"cols", 8192}}, true, "cuda", false});
  task.cases.push_back({"elsewhere", {{"rows", 77}, {"cols", 78}}, true, "cpu", false});
  task.work.bytes = *base::Expr::parse("8 * rows * cols");
  task.work.flops.emplace("f32", *base::Expr::parse("5 * rows * cols"));
  task.reference_cc = "HONE_REFERENCE(call) { /* the truth */ }\n";
  return task;
}

core::DeviceInfo hopper() {
  core::DeviceInfo info;
  info.language = core::Language::cuda;
  info.name = "NVIDIA H200";
  info.arch = "sm_90a";
  info.sm_count = 132;
  info.warp_size = 32;
  info.shared_per_block = 232448;
  info.l2_bytes = 60 << 20;
  info.max_threads = 1024;
  return info;
}

core::DeviceInfo processor() {
  core::DeviceInfo info;
  info.name = "AMD EPYC";
  info.is_cpu = true;
  return info;
}

ShownNode shown(int number, double seconds, const std::string& source) {
  ShownNode shown;
  shown.node.number = number;
  shown.source = source;
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::accepted;
  evaluation.geomean = seconds;
  core::CaseResult result;
  result.name = "large";
  result.timed = true;
  result.median = seconds;
  result.interval = {seconds * 0.99, seconds * 1.01};
  result.ceiling_fraction = 0.5;
  result.ceiling = "memory";
  evaluation.cases.push_back(result);
  shown.evaluation = evaluation;
  shown.node.verdict = core::verdict_of(evaluation, "");
  return shown;
}

// As rows of a table; what is shown lives longer.
std::vector<ListedNode> listed(const std::vector<const ShownNode*>& nodes) {
  std::vector<ListedNode> list;
  for (const auto* one : nodes)
    list.push_back({&one->node, one->experiment ? &*one->experiment : nullptr});
  return list;
}

Experiment vectors() {
  Experiment experiment;
  experiment.description = "Read four floats at once.";
  experiment.rubric = "Look for float4.";
  experiment.gain_low = 5;
  experiment.gain_high = 20;
  experiment.innovation = 10;
  return experiment;
}

std::string titles(const llm::Prompt& prompt) {
  std::string text;
  for (const auto& section : prompt.sections) text += section.title + "\n";
  return text;
}

// A mission with something in every place that can be dropped.
struct Prompts : testing::Test {
  core::Task task = row_task();
  Mission mission;
  ShownNode basis = shown(12, 40e-6, "/* hone 1\n*/ basis_code"),
            parent = shown(3, 60e-6, "parent_code"), reference = shown(7, 50e-6, "reference_code"),
            reference_parent = shown(2, 90e-6, "old_code");

  Prompts() {
    mission.task = &task;
    mission.device = hopper();
    mission.ceilings.read = 4e12;
    mission.ceilings.flops["f32"] = 60e12;
    mission.language = "CUDA C++";
    mission.knowledge = {"# Special\nspecial card", "# General\ngeneral card"};
    for (int i = 0; i < 20; ++i) mission.findings.push_back("finding " + std::to_string(i) + ".");
    basis.experiment = reference.experiment = vectors();
    basis.node.basis = 3;
    reference.node.basis = 2;
    basis.node.report = "I did what was asked.";
  }
  llm::Request writer() const {
    return ask_writer(mission, {&basis, &parent, &reference, &reference_parent}, vectors());
  }
};

TEST_F(Prompts, TellTheWriterAllItNeeds) {
  const auto request = writer();
  const auto text = llm::render(request.prompt);
  EXPECT_EQ(request.role, "writer");
  EXPECT_FALSE(request.tool.has_value());
  EXPECT_THAT(text, AllOf(HasSubstr("/* hone 1"), HasSubstr("[[tensormap]]"),
                          HasSubstr("basis_code"), HasSubstr("reference_code"),
                          HasSubstr("HONE_REFERENCE"), HasSubstr("Read four floats")));
  EXPECT_THAT(text, AllOf(HasSubstr("`large`: cols = 4096, rows = 4096 (TIMED)"),
                          HasSubstr("`larger`"), HasSubstr("`prime`: cols = 1009, rows = 127\n")));
  EXPECT_THAT(text, Not(HasSubstr("elsewhere"))) << "a case of another device";
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("input `x`: f32 [rows, cols]"), HasSubstr("output `y`: bf16 [rows, cols]"),
            HasSubstr("0.0001 on the largest"), HasSubstr("scalar `eps`: f32 = 1e-05")));
  EXPECT_THAT(text, AllOf(HasSubstr("40 µs (95 %:"), HasSubstr("50 % of the memory ceiling")));
  EXPECT_THAT(text, HasSubstr("60 µs before, 40 µs after"));
  EXPECT_THAT(text, AllOf(HasSubstr("<<<<<<< SEARCH"), HasSubstr("## Report"),
                          HasSubstr("sm_count = 132")));
  EXPECT_THAT(text, Not(HasSubstr("{{")));
}

TEST_F(Prompts, SayHowLongTheWorkTakesAtTheCeilings) {
  // 8 * 4096 * 4096 bytes at 4 TB/s are 33.55 µs; 5 * 4096 * 4096 operations at 60 T a second are
  // far less.
  EXPECT_THAT(llm::render(writer().prompt), HasSubstr("that takes 33.55 µs (memory binds)"));
}

TEST_F(Prompts, AreShrunkInTheStatedOrder) {
  std::vector<std::string> gone;
  auto prompt = writer().prompt;
  while (auto shorter = llm::shrunk(prompt)) {
    for (std::size_t i = 0; i < prompt.sections.size(); ++i)
      if (i == shorter->sections.size() || prompt.sections[i].title != shorter->sections[i].title) {
        gone.push_back(prompt.sections[i].title);
        break;
      }
    prompt = *shorter;
  }
  EXPECT_THAT(gone, ElementsAre("History of the reference", "History of the basis",
                                "Reference: node 00007", "Older findings", "Knowledge: General",
                                "Knowledge: Special", "Findings, newest first"));
  EXPECT_THAT(titles(prompt), AllOf(HasSubstr("Task"), HasSubstr("How a candidate is written"),
                                    HasSubstr("Basis: node 00012"), HasSubstr("The experiment"),
                                    HasSubstr("What to answer")));
}

TEST_F(Prompts, LeaveOutWhatThereIsNot) {
  mission.findings.clear();
  mission.knowledge.clear();
  const auto text =
      titles(ask_writer(mission, {&basis, nullptr, nullptr, nullptr}, vectors()).prompt);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("Reference: node")), Not(HasSubstr("indings")),
                          HasSubstr("Basis: node")));
}

TEST_F(Prompts, DoNotShowCodeToTheSelector) {
  const auto request = ask_selector(mission, listed({&parent, &reference, &basis}));
  const auto text = llm::render(request.prompt);
  EXPECT_THAT(
      text,
      AllOf(
          HasSubstr(
              "| 00012 | 00003 | accepted, geometric mean 40 µs | large: 40 µs (50 %) | Read four"),
          Not(HasSubstr("_code"))));
  EXPECT_EQ(base::JsonProbe(request.tool->schema)["required"][0], "basis");
}

TEST_F(Prompts, ListALargePopulationsBestAndNewestFirst) {
  std::vector<ShownNode> many;
  for (int i = 1; i <= 200; ++i) many.push_back(shown(i, 1e-3 + std::abs(i - 100) * 1e-6, ""));
  std::vector<const ShownNode*> pointers;
  for (const auto& one : many) pointers.push_back(&one);
  const auto request = ask_selector(mission, listed(pointers));
  const auto& sections = request.prompt.sections;
  const auto with = [&](const std::string& title) {
    return std::find_if(sections.begin(), sections.end(),
                        [&](const auto& s) { return s.title == title; })
        ->text;
  };
  EXPECT_THAT(with("Nodes"),
              AllOf(HasSubstr("| 00100 |"), HasSubstr("| 00200 |"), Not(HasSubstr("| 00001 |"))));
  EXPECT_THAT(with("Other nodes"), HasSubstr("| 00001 |"));
}

TEST_F(Prompts, ShowTheDesignerTheBasisAndWhatWasTried) {
  const auto request =
      ask_designer(mission, basis, &parent, &reference, listed({&parent, &reference, &basis}));
  const auto text = llm::render(request.prompt);
  EXPECT_THAT(text,
              AllOf(HasSubstr("basis_code"), HasSubstr("10 avenues"), HasSubstr("special card"),
                    HasSubstr("| 00007 | 00002 |"), Not(HasSubstr("| 00003 | - |"))));
  EXPECT_EQ(base::JsonProbe(request.tool->schema)["properties"]["experiments"]["minItems"], 5);
}

TEST_F(Prompts, NameTheNodeToBeatToTheSelectorAndPutItFirst) {
  auto nodes = listed({&parent, &basis});
  nodes[0].incumbent = true;  // though the other one looks faster
  EXPECT_THAT(
      llm::render(ask_selector(mission, nodes).prompt),
      HasSubstr("geometric mean 60 µs; **the incumbent** | large: 60 µs (50 %) | - |\n| 00012 |"));
}

TEST_F(Prompts, TellTheSelectorAndTheDesignerWhatCameToNothing) {
  ShownNode failed = shown(13, 1, "failed_code");
  failed.evaluation->outcome = core::Outcome::wrong;
  failed.evaluation->geomean.reset();
  failed.evaluation->cases.clear();
  failed.evaluation->evidence.push_back({"tolerance", 0, true, "", "Element 3 is off."});
  failed.node.verdict = core::verdict_of(*failed.evaluation, "");
  failed.experiment = vectors();
  const std::vector<NoCandidate> no_candidate{
      {Experiment{.description = "Fuse it"}, "there is no code in it"}};
  const auto nodes = listed({&basis, &failed});
  for (const auto& request :
       {ask_selector(mission, nodes, no_candidate),
        ask_designer(mission, basis, nullptr, nullptr, nodes, Feedback{}, no_candidate)}) {
    const auto text = llm::render(request.prompt);
    EXPECT_THAT(text,
                AllOf(HasSubstr("wrong: Element 3 is off."), Not(HasSubstr("failed_code")),
                      HasSubstr("| Fuse it | kernel | no candidate: there is no code in it |")));
  }
}

TEST_F(Prompts, OfferNoProbesWithSomebodyElsesEvaluator) {
  EXPECT_THAT(llm::render(ask_designer(mission, basis, nullptr, nullptr, {}).prompt),
              HasSubstr("\"probe\""));
  mission.external = "Write a HIP kernel that adds.";
  const auto request = ask_designer(mission, basis, nullptr, nullptr, {});
  EXPECT_THAT(llm::render(request.prompt), Not(HasSubstr("probe")));
  EXPECT_THAT(request.tool->schema, AllOf(HasSubstr("kernel"), Not(HasSubstr("probe"))));
}

core::Profile a_profile() {
  core::Profile p;
  p.case_name = "large";
  p.seconds = 4e-5;
  p.diagnosis = {
      core::Bound::memory, {}, {}, "It moves 3 TB/s of the 4 TB/s that were measured.", ""};
  p.metrics = {{"kernel.dram", "1", 0.8125, "", "large", 0, {}},
               {"line.samples", "1", 77.0, "", "large", 0, 17},
               {"kernel.l2", "1", {}, "refused", "large", 0, {}}};
  p.hot_lines = {{17, "  y[i] = x[i];", 0.61, {{"long_scoreboard", 0.8}}}};
  core::Advice a;
  a.id = "A1";
  a.tool = "narrow-access";
  a.severity = core::Severity::major;
  a.title = "Loads are narrow";
  a.evidence = "12 of 14 loads move 4 bytes.";
  a.cause = "One element is read at a time.";
  a.recommendation = "Read float4 in line 17.";
  a.lines = {17};
  a.launch = 0;
  a.gain = {5, 20};
  a.model = "If a quarter of the requests were made.";
  p.advice.push_back(a);
  a.id = "A2";
  a.title = "Few blocks";
  a.recommendation = "Split the rows.";
  p.advice.push_back(a);
  return p;
}

TEST_F(Prompts, TellTheDesignerClassAdviceAndHotLinesButNoCounters) {
  const auto profile = a_profile();
  const auto text =
      llm::render(ask_designer(mission, basis, nullptr, nullptr, {}, {&profile, false}).prompt);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("**memory-bound**"), HasSubstr("3 TB/s of the 4 TB/s"),
            HasSubstr("**A1 (major): Loads are narrow** Predicted to save 5 to 20 %"),
            HasSubstr("A2"), HasSubstr("Read float4 in line 17."),
            HasSubstr("\"advice\": [\"A1\"]"),
            HasSubstr(
                "line 17: 61 % of the samples; waits for long_scoreboard 80 %: `y[i] = x[i];`")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("kernel.dram")), Not(HasSubstr("0.8125")),
                          Not(HasSubstr("Counters"))));
}

TEST_F(Prompts, DoNotListLinesWithoutEnd) {
  auto profile = a_profile();
  profile.advice[0].lines.assign(200000, 17);
  const auto text =
      llm::render(ask_designer(mission, basis, nullptr, nullptr, {}, {&profile, false}).prompt);
  EXPECT_THAT(text, HasSubstr(", 17 and 199984 more."));
  EXPECT_LT(text.size(), 100000u);
}

TEST_F(Prompts, TellTheDesignerNothingButCountersWhereThatIsAskedFor) {
  const auto profile = a_profile();
  const auto text =
      llm::render(ask_designer(mission, basis, nullptr, nullptr, {}, {&profile, true}).prompt);
  EXPECT_THAT(text, AllOf(HasSubstr("kernel.dram[0] = 0.8125"), Not(HasSubstr("memory-bound")),
                          Not(HasSubstr("A1")), Not(HasSubstr("line.samples")),
                          Not(HasSubstr("kernel.l2"))));
}

TEST_F(Prompts, AreAsBeforeWithoutAProfile) {
  const auto text = llm::render(ask_designer(mission, basis, nullptr, nullptr, {}).prompt);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("profiled")), Not(HasSubstr("Advice")),
                          Not(HasSubstr("Counters"))));
}

TEST_F(Prompts, LeaveOutAdviceWhereThereIsNone) {
  auto profile = a_profile();
  profile.advice.clear();
  profile.hot_lines.clear();
  const auto text =
      titles(ask_designer(mission, basis, nullptr, nullptr, {}, {&profile, false}).prompt);
  EXPECT_THAT(text, AllOf(HasSubstr("What limits the basis"), Not(HasSubstr("Advice")),
                          Not(HasSubstr("hottest"))));
}

TEST_F(Prompts, TellTheWriterTheAdviceThatItsExperimentCites) {
  const auto profile = a_profile();
  Experiment experiment = vectors();
  experiment.advice = {"A2"};
  const auto text = llm::render(
      ask_writer(mission, {&basis, nullptr, nullptr, nullptr}, experiment, &profile).prompt);
  EXPECT_THAT(text, AllOf(HasSubstr("The advice it rests on"), HasSubstr("Split the rows."),
                          Not(HasSubstr("Loads are narrow"))));
  EXPECT_THAT(
      titles(ask_writer(mission, {&basis, nullptr, nullptr, nullptr}, vectors(), &profile).prompt),
      Not(HasSubstr("The advice it rests on")));
}

TEST_F(Prompts, GiveUpThePartsOfAProfileLast) {
  const auto profile = a_profile();
  auto prompt = ask_designer(mission, basis, &parent, &reference,
                             listed({&parent, &reference, &basis}), {&profile, false})
                    .prompt;
  std::vector<std::string> left;
  while (const auto shorter = llm::shrunk(prompt))
    prompt = *shorter, left.push_back(titles(prompt));
  ASSERT_GE(left.size(), 4u);
  EXPECT_THAT(left[left.size() - 4], AllOf(HasSubstr("hottest"), HasSubstr("Advice"),
                                           HasSubstr("What limits"), Not(HasSubstr("indings"))));
  EXPECT_THAT(left[left.size() - 2], AllOf(Not(HasSubstr("Advice")), HasSubstr("What limits")));
}

TEST_F(Prompts, TellTheLearnerPredictionsReportsAndDiffs) {
  Tried tried{vectors(), parent, basis, 33.3};
  tried.result.node.report = "It uses `no_such_name`.";
  const auto request = ask_learner(mission, {tried});
  const auto text = llm::render(request.prompt);
  EXPECT_THAT(text,
              AllOf(HasSubstr("Realised: 33.3 % of the basis's time saved (predicted 5 to 20 %)"),
                    HasSubstr("-parent_code"), HasSubstr("names `no_such_name`")));
}

TEST_F(Prompts, DropTheEndOfALongDocumentFirst) {
  std::string document;
  for (int i = 0; i < 3000; ++i) document += "line " + std::to_string(i) + " of the document\n";
  auto prompt = ask_digest(mission, "notes.txt", document).prompt;
  EXPECT_THAT(llm::render(prompt), AllOf(HasSubstr("line 2999 of"), HasSubstr("notes.txt")));
  prompt = *llm::shrunk(prompt);
  EXPECT_THAT(llm::render(prompt), AllOf(HasSubstr("line 0 of"), Not(HasSubstr("line 2999 of"))));
}

TEST_F(Prompts, AskAgainWithTheComplaint) {
  const auto first = writer();
  auto again = ask_again(first, "no code, sorry", "There is no code in your answer.");
  EXPECT_THAT(llm::render(again.prompt),
              AllOf(HasSubstr("no code, sorry"), HasSubstr("There is no code"),
                    HasSubstr("still made of the basis")));
  EXPECT_NE(again.prompt.template_hash, first.prompt.template_hash);
  again = ask_again(again, "", "Outcome: wrong.", "/* hone 1\n*/ attempt_code");
  const auto text = llm::render(again.prompt);
  EXPECT_THAT(text,
              AllOf(HasSubstr("attempt_code"), HasSubstr("Outcome: wrong."),
                    Not(HasSubstr("no code, sorry")), HasSubstr("There is no code in your answer."),
                    HasSubstr("applied to *this* source")));
}

TEST_F(Prompts, HaveAnExternalTasksStatementInsteadOfAPlan) {
  mission.external = "Write a HIP kernel that adds.";
  mission.language = "HIP C++";
  mission.task = nullptr;
  for (const auto& request :
       {ask_first_attempt(mission, 1), ask_writer(mission, {&basis}, vectors())}) {
    const auto text = llm::render(request.prompt);
    EXPECT_THAT(text,
                AllOf(HasSubstr("Write a HIP kernel that adds."), Not(HasSubstr("[[launch]]")),
                      HasSubstr("What to answer"), HasSubstr("There is no launch plan")));
  }
}

TEST_F(Prompts, ChangeTheirTemplateHashWithTheFilesUsed) {
  const auto cuda = writer().prompt.template_hash;
  EXPECT_EQ(cuda, writer().prompt.template_hash);
  mission.device = processor();
  EXPECT_NE(writer().prompt.template_hash, cuda);
  EXPECT_NE(ask_translation(mission).prompt.template_hash,
            ask_first_attempt(mission, 1).prompt.template_hash);
}

TEST_F(Prompts, LeaveBracesInSourcesAlone) {
  basis.source = "/* hone 1 */ int a[1][1] = {{task}};";
  EXPECT_THAT(llm::render(writer().prompt), HasSubstr("= {{task}};"));
}

TEST_F(Prompts, AreFilledForEveryRoleAndLanguage) {
  for (const auto& device : {hopper(), processor()}) {
    mission.device = device;
    mission.knowledge = knowledge_for(device);
    const Tried tried{vectors(), parent, basis, std::nullopt};
    for (const auto& request :
         {ask_selector(mission, listed({&basis})),
          ask_designer(mission, basis, nullptr, nullptr, {}), ask_first_attempt(mission, 1),
          ask_translation(mission), ask_probe_writer(mission, vectors()),
          ask_learner(mission, {tried}), ask_digest(mission, "notes", "A text.\n")}) {
      const auto text = request.prompt.system + llm::render(request.prompt);
      EXPECT_THAT(
          text, AllOf(Not(HasSubstr("{{")), Not(HasSubstr("{drop=")), HasSubstr("What to answer")));
      EXPECT_EQ(request.prompt.template_hash.size(), 64u);
      EXPECT_TRUE(!request.tool || base::is_json(request.tool->schema));
    }
    EXPECT_THAT(llm::render(ask_probe_writer(mission, vectors()).prompt), HasSubstr("// labels:"));
  }
}

// The examples that teach the format must themselves be right.
TEST(PromptFiles, HoldExamplesWhosePlansParse) {
  for (const auto& [file, language] : {std::pair{"candidate_format.cuda", core::Language::cuda},
                                       {"candidate_format.opencl", core::Language::opencl},
                                       {"probe_format.cuda", core::Language::cuda},
                                       {"probe_format.opencl", core::Language::opencl}}) {
    const auto text = base::resource(std::string("prompts/") + file + ".md");
    const auto blocks = fenced_blocks(text);
    ASSERT_EQ(blocks.size(), 1u) << file;
    auto candidate = task::candidate_from(std::string(blocks[0].code), language, "example");
    ASSERT_TRUE(candidate.ok()) << base::render(candidate.error(), blocks[0].code);
    core::Task task;
    if (std::string_view(file).starts_with("probe")) {
      task.outputs.push_back({"numbers", core::DType::f64, {base::Expr(64)}, {}});
      task.cases.push_back({"probe", {}, true, "", false});
    } else {
      task = row_task();
      task.outputs[0].shape.pop_back();
    }
    EXPECT_THAT(task::check_plan(candidate->plan, task, "example"), IsEmpty()) << file;
  }
}

core::Task python_task() {
  core::Task task = row_task();
  task.reference_cc.clear();
  task.reference_py = "class Model: ...\n";
  task.interface =
      R"({"entry": "ModelNew", "init": [{"value": 32}, {"tuple": [{"value": 3}]}, {"value": null}],
    "arguments": [{"tensor": "x"}, {"list": [{"scalar": "eps"}]}],
    "weights": [{"tensor": "linear_weight", "name": "linear.weight", "shape": [8, 32], "print": ""}]})";
  return task;
}

TEST(PythonPrompts, SayHowACandidateIsCalledAndWhatItMayUse) {
  const auto task = python_task();
  const auto request = ask_first_attempt(mission_for(task, hopper(), true), 1);
  const std::string text = llm::render(request.prompt);
  EXPECT_THAT(text,
              AllOf(HasSubstr("`model = ModelNew(32, (3,), None)`"), HasSubstr("`model(x, [eps])`"),
                    HasSubstr("`linear.weight` [8,32], the input `linear_weight`"),
                    HasSubstr("import hone_light")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("It is judged with the defaults")),
                          Not(HasSubstr("usable by these names"))));
  EXPECT_THAT(llm::render(ask_first_attempt(mission_for(task, processor(), true), 1).prompt),
              AllOf(HasSubstr("There is no CUDA"), Not(HasSubstr("hone_light.load("))));
}

TEST(PythonPrompts, AskForFunctionsAsTheirProblemCallsThem) {
  auto task = python_task();
  task.interface =
      R"({"entry": "custom_kernel", "arguments": [{"tuple": [{"tensor": "in_0"}, {"buffer": "in_1"},
    {"dict": [["eps", {"float": "inf"}]]}]}], "buffers": {"in_1": {}}, "files": {"utils.py": ""}})";
  EXPECT_THAT(
      llm::render(ask_first_attempt(mission_for(task, hopper(), true), 1).prompt),
      AllOf(HasSubstr("`custom_kernel((in_0, in_1, {\"eps\": float(\"inf\")}))`"),
            HasSubstr("Memory to be written among these: `in_1`"), HasSubstr("`utils.py`")));
}

TEST(PythonPrompts, LeaveProbesInTheDevicesLanguage) {
  const auto task = python_task();
  const std::string text = llm::render(
      ask_probe_writer(mission_for(task, hopper(), true), {.description = "how?"}).prompt);
  EXPECT_THAT(text, AllOf(HasSubstr("/* hone 1"), Not(HasSubstr("hone_light"))));
}

}  // namespace
}  // namespace hone::agents
