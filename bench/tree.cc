// Measures what a large run costs to decide on and to show: a decision of mcts, and `hone show RUN
// --tree` without the printing, for a random tree.
//   hone_bench_tree [NODES] [ARCHIVE]    ARCHIVE is made anew and kept, for `hone show`
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "app/show_tree.h"
#include "base/error.h"
#include "base/hash.h"
#include "core/records.h"
#include "run/journal.h"
#include "search/landscape.h"
#include "search/mcts.h"
#include "store/candidates.h"
#include "store/evaluations.h"
#include "store/research.h"

namespace {

using namespace hone;
// Of the processor, so that other programs do not count; of all threads.
double milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

core::Verdict verdict_of(double seconds) {
  core::Verdict verdict{.outcome = core::Outcome::accepted, .geomean = seconds};
  for (const char* name : {"first", "second"})
    verdict.cases.push_back(
        {.name = name, .timed = true, .median = seconds, .ceiling_fraction = 1e-4 / seconds});
  return verdict;
}

// Each node is made from one of the newest or of the fastest, as a search would; a fifth fails.
std::vector<core::Record> random_run(int nodes) {
  std::vector<core::Record> records;
  core::Tree tree;
  const auto add = [&](core::Record record) {
    core::update(tree, record);
    records.push_back(std::move(record));
  };
  add(core::Given{
      {.origin = core::Origin::user_seed}, base::sha256_hex("source 1"), "seed.cu", "the user"});
  add(core::Judged{1, verdict_of(1e-3), {}, {}});
  add(core::numbered(tree, {{.kind = core::Action::Kind::promote, .basis = 1}}));
  for (int i = 2; i <= nodes; ++i) {
    const auto key = static_cast<std::uint64_t>(i);
    core::NodeId basis = static_cast<core::NodeId>(1 + (i - 1) * search::uniform(1, 1, key));
    while (!tree.node(basis)->accepted()) basis = std::max(1, basis - 1);
    core::Experiment experiment{.description = "change " + std::to_string(i),
                                .rubric = "it is there",
                                .gain_low = 1,
                                .gain_high = 9,
                                .innovation = 100 * search::uniform(1, 2, key),
                                .advice = {"A" + std::to_string(i % 8)}};
    add(core::numbered(tree, {{.kind = core::Action::Kind::write,
                               .generation = i,
                               .basis = basis,
                               .experiment = experiment,
                               .place = {.generation = i, .index = 1},
                               .why = "score 0.93 at some node (value 0.91, 7 visits)"}}));
    add(core::Written{
        i, base::sha256_hex("source " + std::to_string(i)), "a.cu", "m", "What was done.", {}});
    if (search::uniform(1, 3, key) < 0.2)
      add(core::Judged{i, {.outcome = core::Outcome::wrong}, {}, {}});
    else
      add(core::Judged{
          i,
          verdict_of(tree.node(basis)->seconds() * std::exp(0.05 * search::normal(1, 4, key))),
          {},
          {}});
  }
  return records;
}

void measure(int nodes, const std::filesystem::path& file) {
  const auto records = random_run(nodes);
  core::Tree tree;
  for (const auto& record : records) core::update(tree, record);
  search::StrategySettings settings;
  settings.stop_after_flat = 0;
  settings.stop_at_ceiling = 0;
  for (const int slots : {1, 16}) {
    const double begun = milliseconds();
    const auto decision = search::Mcts(settings).next(tree, {.model = slots, .judge = 1});
    std::printf("a decision of mcts, %d slots: %.1f ms (%zu actions)\n", slots,
                milliseconds() - begun, decision.actions.size());
  }
  std::filesystem::remove(file);
  auto archive = store::Archive::open(file);
  const std::string task = base::sha256_hex("bench");
  store::record_task(archive, {task, "bench", ".", "hone = 1\n"});
  const std::string run = store::begin_run(archive, {.task = task, .settings = "{}"});
  for (int i = 1; i <= nodes; ++i) {
    const std::string source = "source " + std::to_string(i);
    store::record_candidate(
        archive,
        {{base::sha256_hex(source), core::Language::cuda, "a.cu", "bench", ""}, source, {}});
  }
  {
    run::SharedArchive shared(archive);
    run::Journal journal(shared, run);
    for (const auto& record : records) journal.append(record);
  }
  const double read_from = milliseconds();
  const auto read = run::records_of(archive, run);
  std::printf("its %zu records, read: %.1f ms\n", read.size(), milliseconds() - read_from);
  const double made_from = milliseconds();
  core::Tree again;
  for (const auto& record : read) core::update(again, record);
  std::printf("a tree of them: %.1f ms\n", milliseconds() - made_from);
  const double begun = milliseconds();
  const auto shown = app::shown_tree(archive, run);
  std::printf("the tree, read and laid out: %.1f ms (%zu nodes); run %s\n",
              milliseconds() - begun, shown.nodes.size(), run.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto file = std::filesystem::temp_directory_path() / "hone_bench_tree.db";
    measure(argc > 1 ? std::atoi(argv[1]) : 10000, argc > 2 ? argv[2] : file.string());
  } catch (const base::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
