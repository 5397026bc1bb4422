// Recordings of earlier runs, replayed with a judge that accepts at once: their sources and parents
// must be those of the recorded runs, whose answers name candidates by the numbers they had then.
#include "run/recorded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "agents/answers.h"
#include "base/files.h"
#include "base/json_probe.h"
#include "llm/client.h"
#include "run/journal.h"
#include "run/names.h"
#include "run/run.h"
#include "store/candidates.h"
#include "task/task_loader.h"

namespace hone::run {
namespace {

const std::filesystem::path root = HONE_SOURCE;

struct Line {
  std::string role, step;
  llm::Reply reply;
};

std::vector<Line> lines_of(const std::filesystem::path& file) {
  std::vector<Line> lines;
  std::ifstream in(file);
  for (std::string text; std::getline(in, text);) {
    const base::JsonProbe one(text);
    lines.push_back({one["role"], one["step"], {}});
    lines.back().reply.text = one["text"];
    lines.back().reply.arguments = one["arguments"];
  }
  return lines;
}

// Accepts at once, each candidate a little faster than the one before; but what was written again
// in the recording was refused in its run.
class Accepting : public Judges {
 public:
  Accepting(std::string task, JobCallback done, std::set<std::string> refused)
      : task_(std::move(task)), done_(std::move(done)), refused_(std::move(refused)) {}
  void submit(Job job) override {
    JobResult result;
    result.name = job.name;
    if (job.probe) {
      result.probe.emplace();
      result.probe->numbers = {{"cycles", 1}};
    } else {
      core::Evaluation& evaluation = result.evaluation.emplace();
      evaluation.key = {job.candidate->hash, {}, task_, "none", "1", "1", 1, job.depth, {}};
      const bool refused = refused_.contains(job.candidate->source);
      evaluation.outcome = refused ? core::Outcome::wrong : core::Outcome::accepted;
      if (!refused) evaluation.geomean = seconds_ *= 0.999;
    }
    done_({job.name, JobDone::State::done, std::move(result), ""});
  }
  bool profiles() const override { return false; }
  bool away() const override { return false; }
  bool certifies() const override { return false; }
  std::string describe() const override { return "nothing"; }

 private:
  std::string task_;
  JobCallback done_;
  std::set<std::string> refused_;
  double seconds_ = 1;
};

std::string base_of(const std::string& step) { return step.substr(0, step.rfind('/')); }

struct Recording : testing::Test {
  base::TemporaryFolder folder{"hone-recorded-test"};
  store::Archive archive = store::Archive::open(folder.path() / "archive.db");
  std::vector<Line> lines;
  core::Tree tree;
  std::size_t given_ = 1;  // kernels that the recorded run began with

  void replay(const std::string& task_name, const std::string& file, core::Language language,
              const std::string& strategy, int candidates) {
    const auto path = root / "bench/results/recorded" / file;
    lines = lines_of(path);
    const core::Task task = *task::load_task(root / "examples" / task_name);
    core::DeviceInfo info;
    info.id = info.name = info.uuid = "none";
    info.language = language;
    info.arch = language == core::Language::cuda ? "sm_90a" : "";
    RunSettings settings;
    settings.task_path = task.folder;
    settings.strategy = strategy;
    settings.width = 4;
    settings.tries = 2;
    settings.stop_after_flat = 0;
    settings.stop_at_ceiling = 0;
    settings.budget.candidates = candidates;
    settings.feedback = "none";
    const auto model = llm::make_client("replay:" + path.string());
    RoleModels models;
    for (const auto& role : role_names()) models[role] = {model, std::nullopt};
    const std::atomic<bool> cancelled{false};
    const auto result = work_on({archive,
                                 {task, info, {}, settings, models},
                                 [&](JobCallback done, const std::function<bool()>&) {
                                   return std::make_unique<Accepting>(task.hash, std::move(done),
                                                                      sources_written_again());
                                 },
                                 {},
                                 cancelled,
                                 ""});
    tree = tree_of(archive, result.run);
  }
  std::set<std::string> sources_written_again() const {
    std::set<std::string> sources;
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (std::size_t k = i + 1; k < lines.size(); ++k)
        if (lines[i].role == "writer" && base_of(lines[i].step) == base_of(lines[k].step))
          if (const auto written = agents::parse_written(lines[i].reply, ""))
            sources.insert(written->source);
    return sources;
  }
  std::map<std::string, const core::Node*> nodes_by_step() const {
    std::map<std::string, const core::Node*> nodes;
    for (const auto& node : tree.nodes) nodes[name_of_place(node.place)] = &node;
    return nodes;
  }
  // The steps that the recorded run numbered, in its order: its seed, then candidates as their
  // answers came.
  std::vector<std::string> numbered_steps() const {
    const auto nodes = nodes_by_step();
    std::vector<std::string> steps(given_, "seed/given-seed");
    for (const auto& line : lines)
      if (line.role == "writer" && nodes.contains(line.step) &&
          !nodes.at(line.step)->candidate.empty())
        steps.push_back(line.step);
    return steps;
  }
  std::string source_of(core::NodeId number) {
    return store::get_candidate(archive, tree.node(number)->candidate).source;
  }
};

// What each node of the run was made from, beside what the recording's selector chose by the
// numbers of its own run.
struct LoopRecording : Recording {
  void expect_recorded_parents(int generations) {
    const auto nodes = nodes_by_step();
    const auto steps = numbered_steps();
    std::vector<core::NodeId> all(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) all[i] = static_cast<core::NodeId>(i) + 1;
    const auto number_of = [&](int recorded) {
      return nodes.at(steps.at(static_cast<std::size_t>(recorded) - 1))->number;
    };
    for (const auto& line : lines) {
      if (line.role != "selector") continue;
      --generations;
      const auto selection = agents::parse_selection(line.reply, all);
      ASSERT_TRUE(selection) << line.step;
      for (const auto& [step, node] : nodes)
        if (step.starts_with(base_of(base_of(line.step)) + "/writer")) {
          EXPECT_EQ(node->basis, number_of(selection->basis)) << step;
          EXPECT_EQ(node->reference,
                    selection->reference == 0 ? 0 : number_of(selection->reference))
              << step;
        }
    }
    EXPECT_EQ(generations, 0);
  }
};

struct Recorded : Recording {};

// Every answer of a writer that was recorded is the source of the node that it was asked for.
void expect_recorded_sources(Recording& recording) {
  const auto nodes = recording.nodes_by_step();
  int found = 0;
  for (const auto& line : recording.lines) {
    if (line.role != "writer" || !nodes.contains(line.step) ||
        nodes.at(line.step)->candidate.empty())
      continue;
    const core::Node& node = *nodes.at(line.step);
    const core::Node* edited = recording.tree.node(node.repairs != 0 ? node.repairs : node.basis);
    const auto written = agents::parse_written(
        line.reply, edited == nullptr ? "" : recording.source_of(edited->number));
    ASSERT_TRUE(written) << line.step << ": " << written.error();
    EXPECT_EQ(recording.source_of(node.number), written->source) << line.step;
    ++found;
  }
  EXPECT_GE(found, 20);
}

TEST_F(LoopRecording, OnACpuHasItsSourcesAndParents) {
  replay("matmul", "matmul.cpu.jsonl", core::Language::opencl, "scientist", 0);
  expect_recorded_sources(*this);
  expect_recorded_parents(6);
}

TEST_F(LoopRecording, OnAnH200HasItsSourcesAndParents) {
  given_ = 2;  // that hone counted the reference among its candidates, as 00001; the seed was 00002
  replay("matmul_bf16", "matmul_bf16.h200.jsonl", core::Language::cuda, "scientist", 0);
  expect_recorded_sources(*this);
  expect_recorded_parents(6);
}

TEST_F(Recorded, FirstAttemptsHaveTheirSources) {
  replay("matmul", "matmul.cpu.oneshot.jsonl", core::Language::opencl, "oneshot", 20);
  expect_recorded_sources(*this);
}

TEST_F(Recorded, FirstAttemptsOnAnH200HaveTheirSources) {
  replay("matmul_bf16", "matmul_bf16.h200.oneshot.jsonl", core::Language::cuda, "oneshot", 20);
  expect_recorded_sources(*this);
}

}  // namespace
}  // namespace hone::run
