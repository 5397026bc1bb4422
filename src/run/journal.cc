#include "run/journal.h"

#include <algorithm>
#include <future>
#include <thread>

#include "base/error.h"
#include "base/json.h"
#include "run/names.h"
#include "run/old_runs.h"
#include "store/advice_ledger.h"
#include "store/journal.h"

namespace hone::run {
namespace {

// A record that this version cannot read is an error and never passed over: the tree would be
// another one.
core::Record record_of(const store::JournalLine& line, const std::string& run) {
  auto record = base::from_json<core::Record>(line.body);
  if (!record)
    base::fail(base::ExitCode::archive, "record {} of run {} cannot be read: {}", line.number, run,
               record.error());
  return *std::move(record);
}

store::NodeRow row_of(const core::Node& node, std::optional<std::int64_t> experiment) {
  const auto or_none = [](core::NodeId number) {
    return number == 0 ? std::nullopt : std::optional(number);
  };
  return {.number = node.number,
          .step = name_of_place(node.place),
          .generation = node.place.generation,
          .candidate = node.candidate,
          .basis = or_none(node.basis),
          .reference = or_none(node.reference),
          .experiment = experiment,
          .report = node.report};
}

// Rows beside the journal by which other statements find what belongs to a run: the candidate as a
// node, experiments that may cite advice, evaluations and comparisons.
struct Rows {
  store::Archive& archive;
  const std::string& run;
  const core::Tree& tree;  // with the record in it

  void add_row(core::NodeId number) const {
    const core::Node& node = *tree.node(number);
    store::record_node_row(
        archive, run,
        row_of(node, node.intent == 0
                         ? std::nullopt
                         : std::optional(experiment_row(archive, run, *tree.intent(node.intent)))));
  }
  void link(core::NodeId node, const core::Verdict& verdict) const {
    if (!verdict.evaluation.empty()) store::link_evaluation(archive, run, node, verdict.evaluation);
  }
  void link(const std::optional<core::ComparedWith>& compared) const {
    if (compared && !compared->comparison.empty())
      store::link_comparison(archive, run, compared->comparison);
  }

  // Experiments that are taken rest on the advice of the profile that their designer saw.
  void operator()(const core::Decided& decided) const {
    for (const core::DecidedAction& act : decided.actions) {
      const core::Intent* intent = tree.intent(act.action.intent);
      const core::Node* basis = tree.node(act.action.basis);
      if (intent == nullptr || basis == nullptr || intent->experiment.advice.empty()) continue;
      if (!basis->profile || basis->profile->profile.empty()) continue;
      store::record_cited(archive, experiment_row(archive, run, *intent), basis->profile->profile,
                          intent->experiment.advice);
    }
  }
  void operator()(const core::Given&) const {
    add_row(static_cast<core::NodeId>(tree.nodes.size()));
  }
  void operator()(const core::Written& written) const { add_row(written.node); }
  void operator()(const core::Judged& judged) const {
    link(judged.node, judged.verdict);
    if (judged.certified) link(judged.node, *judged.certified);
    link(judged.compared);
    if (judged.tuning && !judged.tuning->comparison.empty())
      store::link_comparison(archive, run, judged.tuning->comparison);
  }
  void operator()(const core::Certified& certified) const {
    link(certified.node, certified.verdict);
    link(certified.compared);
  }
  template <typename Other>
  void operator()(const Other&) const {}
};

}  // namespace

std::int64_t experiment_row(store::Archive& archive, const std::string& run,
                            const core::Intent& intent) {
  return store::record_experiment(archive, run,
                                  {.generation = intent.generation,
                                   .index = intent.number,
                                   .kind = std::string(core::name_of(intent.experiment.kind)),
                                   .body = base::json_line(intent.experiment)});
}

Journal::Journal(SharedArchive& archive, std::string run)
    : archive_(archive), run_(std::move(run)) {
  archive_.with([&](store::Archive& opened) {
    // Runs from before the journal can be read, and not continued.
    if (!has_journal(opened, run_) && is_old_run(opened, run_)) refuse_to_continue(run_);
    tree_ = tree_of(opened, run_);
  });
}

void Journal::append(const std::function<core::Record(store::Archive&)>& make) {
  archive_.with([&](store::Archive& archive) {
    store::ArchiveTransaction batch(archive);
    const core::Record record = make(archive);
    store::append_journal(archive, run_, core::name_of(record), base::json_line(record));
    core::update(tree_, record);  // what throws from here on ends the run, so the tree is never
                                  // ahead of its journal
    std::visit(Rows{archive, run_, tree_}, record);
    batch.commit();
  });
}

void Journal::append(core::Record record) {
  append([&](store::Archive&) { return std::move(record); });
}

namespace {

// Lines of a journal from which on several threads read faster than one, and how many at most.
constexpr std::size_t worth_threads = 2000, most_threads = 8;

}  // namespace

std::vector<core::Record> records_of(store::Archive& archive, const std::string& run) {
  const auto lines = store::journal_of(archive, run);
  if (lines.empty() && is_old_run(archive, run)) return read_old_run(archive, run);
  std::vector<core::Record> records(lines.size());
  const auto read = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) records[i] = record_of(lines[i], run);
  };
  // Nearly all of the time is that of reading JSON, which many threads can do at once.
  const std::size_t parts =
      lines.size() < worth_threads
          ? 1
          : std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
  std::vector<std::future<void>> others;
  for (std::size_t part = 1; part < parts; ++part)
    others.push_back(std::async(std::launch::async, read, lines.size() * part / parts,
                                lines.size() * (part + 1) / parts));
  read(0, lines.size() / parts);
  for (auto& other : others) other.get();  // throws what it threw
  return records;
}

core::Tree tree_of(store::Archive& archive, const std::string& run) {
  core::Tree tree;
  for (const auto& record : records_of(archive, run)) core::update(tree, record);
  return tree;
}

bool has_journal(store::Archive& archive, const std::string& run) {
  return !store::journal_of(archive, run).empty();
}

}  // namespace hone::run
