// Candidates as nodes of a run, and what was found of them: see store/research.h.
#include "base/error.h"
#include "store/candidates.h"
#include "store/research.h"

namespace hone::store {
namespace {

template <typename... Values>
std::optional<int> one_number(Database& database, const std::string& name,
                              const Values&... values) {
  Query query = database.query(name, values...);
  if (!query.step()) return std::nullopt;
  int number = 0;
  query.read(number);
  return number;
}

}  // namespace

int record_node_row(Archive& archive, const std::string& run, const NodeRow& node) {
  Database& database = archive.database();
  const StoredText report = archive.objects().keep(node.report);
  // The lock of the transaction keeps two recorders from taking the same number.
  Transaction transaction(database);
  const std::int64_t row = row_of_research_run(archive, run);
  std::optional<int> number = one_number(database, "node_of_step", row, node.step);
  if (!number) {
    number = node.number > 0 ? std::optional(node.number) : one_number(database, "next_node", row);
    database.run("insert_node", row, *number, node.step, node.generation,
                 row_of_candidate(archive, node.candidate), node.basis, node.reference,
                 node.experiment, node.created == Time{} ? now() : node.created, report.text,
                 report.object);
  }
  transaction.commit();
  return *number;
}

std::vector<NodeRow> node_rows_of(Archive& archive, const std::string& run) {
  std::vector<NodeRow> nodes;
  Query query = archive.database().query("nodes_of_run", row_of_research_run(archive, run));
  for (StoredText report; query.step();) {
    NodeRow& m = nodes.emplace_back();
    query.read(m.number, m.step, m.generation, m.candidate, m.basis, m.reference, m.experiment,
               m.created, report.text, report.object);
    m.report = archive.objects().fetch(report);
  }
  return nodes;
}

void link_evaluation(Archive& archive, const std::string& run, int node,
                     const std::string& evaluation) {
  archive.database().run("link_evaluation", row_of_research_run(archive, run), node,
                         row_of_evaluation(archive, evaluation));
}

std::vector<NodeEvaluation> evaluations_of_run(Archive& archive, const std::string& run) {
  std::vector<NodeEvaluation> evaluations;
  Query query = archive.database().query("evaluations_of_run", row_of_research_run(archive, run));
  for (std::string id; query.step();) {
    NodeEvaluation& e = evaluations.emplace_back();
    query.read(e.node, id);
    e.record = get_evaluation(archive, id);
  }
  return evaluations;
}

void link_comparison(Archive& archive, const std::string& run, const std::string& comparison) {
  archive.database().run("link_comparison", row_of_research_run(archive, run),
                         row_of_comparison(archive, comparison));
}

std::vector<ComparisonRecord> comparisons_of_run(Archive& archive, const std::string& run) {
  return read_comparisons(
      archive, archive.database().query("comparisons_of_run", row_of_research_run(archive, run)));
}

}  // namespace hone::store
