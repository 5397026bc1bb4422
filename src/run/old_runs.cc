#include "run/old_runs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <regex>
#include <set>

#include "agents/answers.h"
#include "base/error.h"
#include "base/json.h"
#include "store/candidates.h"
#include "store/research.h"

namespace hone::run {
namespace {

using core::Origin;

// What was recorded under the name of a step. Whatever is missing or of another type is left out.
struct Decision {
  bool there = false;  // something was, that can be read
  std::optional<int> basis, reference, node, best, seed;
  std::optional<std::string> by, evaluation, profile;
  std::string rationale, failure, why, because, comparison, conclusion;
  std::vector<std::string> avenues, notes, findings, disagreements;
  std::vector<base::RawJson> experiments;
  std::map<std::string, double> numbers;
};

void describe(base::Fields& f, Decision& d) {
  f.lenient("basis", d.basis).lenient("reference", d.reference).lenient("member", d.node);
  f.lenient("best", d.best).lenient("seed", d.seed).lenient("by", d.by);
  f.lenient("evaluation", d.evaluation).lenient("profile", d.profile);
  f.lenient("rationale", d.rationale).lenient("failure", d.failure).lenient("why", d.why);
  f.lenient("because", d.because).lenient("comparison", d.comparison);
  f.lenient("conclusion", d.conclusion).lenient("avenues", d.avenues).lenient("notes", d.notes);
  f.lenient("findings", d.findings).lenient("disagreements", d.disagreements);
  f.lenient("experiments", d.experiments).lenient("numbers", d.numbers);
}

Decision decision_from(const std::string& body) {
  auto decision = base::from_json<Decision>(body);
  if (!decision || !base::is_json_object(body)) return {};
  decision->there = true;
  return *std::move(decision);
}

int whole(const std::string& digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// What an old run has recorded, as it stands in the archive.
struct OldRun {
  std::vector<store::NodeRow> rows;
  std::vector<store::ExperimentRecord> experiments;
  std::map<std::string, Decision> decisions;
  std::vector<std::string> settings;  // resumed with, in order
  std::map<int, store::EvaluationRecord> screened, certified;
  std::vector<store::ComparisonRecord> comparisons;
  std::map<std::string, store::CandidateLine> candidates;  // by hash
  std::map<std::string, core::Cost> costs;                 // by step

  const Decision& decision(const std::string& name) const {
    static const Decision none;
    const auto found = decisions.find(name);
    return found == decisions.end() ? none : found->second;
  }
};

OldRun load(store::Archive& archive, const std::string& run) {
  OldRun old;
  old.rows = store::node_rows_of(archive, run);
  old.experiments = store::experiments_of(archive, run);
  for (const auto& [name, body] : store::decisions_of(archive, run)) {
    if (name.starts_with("settings/")) old.settings.push_back(body);
    old.decisions[name] = decision_from(body);
  }
  for (auto& [number, record] : store::evaluations_of_run(archive, run))
    (record.evaluation.key.depth == core::Depth::certify ? old.certified : old.screened)
        .try_emplace(number, std::move(record));
  old.comparisons = store::comparisons_of_run(archive, run);
  for (const auto& row : old.rows)
    old.candidates[row.candidate] = store::get_candidate(archive, row.candidate).line;
  for (const auto& call : store::calls_of(archive, run, false)) {
    core::Cost& cost = old.costs[call.start.step];
    ++cost.calls;
    if (!call.end) continue;
    cost.tokens_in += call.end->tokens_in;
    cost.tokens_out += call.end->tokens_out;
    cost.usd += call.end->usd;
    cost.seconds += call.end->seconds;
  }
  return old;
}

// Makes the records, generation by generation, and keeps the tree that they come to.
class Importer {
 public:
  Importer(store::Archive& archive, const OldRun& old) : archive_(archive), old_(old) {}

  std::vector<core::Record> records() {
    for (const auto& settings : old_.settings) add(core::Resumed{settings});
    const int last = last_generation();
    for (int generation = 0; generation <= last; ++generation) add_generation(generation);
    add_unusable_writers();
    add_end();
    return std::move(records_);
  }

 private:
  void add(core::Record record) {
    core::update(tree_, record);
    records_.push_back(std::move(record));
  }

  // The act's number.
  core::ActionId decide(core::Action action) {
    core::Decided decided = core::numbered(tree_, {std::move(action)});
    const auto number = decided.actions.front().number;
    add(std::move(decided));
    return number;
  }

  int last_generation() const {
    int last = 0;
    for (const auto& row : old_.rows) last = std::max(last, row.generation);
    for (const auto& [name, body] : old_.decisions)
      if (name.size() > 4 && name[0] == 'g' && name[4] == '/')
        last = std::max(last, whole(name.substr(1, 3)));
    return last;
  }

  static std::string prefix(int generation) { return fmt::format("g{:03}/", generation); }
  static std::string five_digits(int number) { return fmt::format("{:05}", number); }

  void add_generation(int generation) {
    if (generation > 0) {
      add_selection(generation);
      add_profile(generation);
      add_design(generation);
    }
    for (const auto& row : old_.rows)
      if (row.generation == generation) add_node(row);
    for (const auto& row : old_.rows)
      if (row.generation == generation) add_verdict(row);
    add_probes(generation);
    add_promotion(generation);
    add_lesson(generation);
  }

  void add_selection(int generation) {
    basis_ = reference_ = 0;
    const Decision& body = old_.decision(prefix(generation) + "selection");
    const auto basis = body.basis;
    if (!basis || tree_.node(*basis) == nullptr) return;
    basis_ = *basis;
    reference_ = body.reference.value_or(0);
    if (tree_.node(reference_) == nullptr) reference_ = 0;
    const std::string questions = prefix(generation) + "selector";
    const bool by_model = body.by == "model";
    if (!by_model && last_complaint(questions).empty()) return;
    const auto number = decide(
        {.kind = core::Action::Kind::ask, .role = core::Role::selector, .generation = generation});
    add_unusable(number, questions);
    if (!by_model) return add(core::Failed{number, last_complaint(questions)});
    add(core::Answered{number, core::Selection{basis_, reference_, body.rationale}, {}, {}});
  }

  void add_profile(int generation) {
    const Decision& body = old_.decision(prefix(generation) + "profile");
    const auto node = body.node;
    if (!node || tree_.node(*node) == nullptr) return;
    const auto number =
        decide({.kind = core::Action::Kind::explain, .generation = generation, .basis = *node});
    add(core::Profiled{
        number, *node, {body.profile.value_or(""), core::Bound::mixed, "", body.failure}});
  }

  void add_design(int generation) {
    const Decision& body = old_.decision(prefix(generation) + "design");
    if (!body.there || basis_ == 0) return;
    core::Design design{body.avenues, {}, body.notes};
    for (const auto& one : body.experiments)
      design.experiments.push_back(agents::recorded_experiment(one.text));
    const auto number = decide({.kind = core::Action::Kind::ask,
                                .role = core::Role::designer,
                                .generation = generation,
                                .basis = basis_,
                                .reference = reference_});
    add_unusable(number, prefix(generation) + "designer");
    add(core::Answered{number, {}, std::move(design), {}});
    const auto intents = tree_.actions.back().intents;
    std::set<core::IntentId> matched;
    for (const auto& record : old_.experiments) {
      if (record.generation != generation) continue;
      const auto experiment = agents::recorded_experiment(record.body);
      for (const auto intent : intents)
        if (!matched.contains(intent) &&
            tree_.intent(intent)->experiment.description == experiment.description) {
          matched.insert(intent);
          intent_of_[record.number] = intent;
          break;
        }
    }
  }

  std::string taken_as(std::int64_t experiment) const {
    for (const auto& record : old_.experiments)
      if (record.number == experiment) return base::text_field(record.body, "taken_as");
    return "";
  }

  void add_node(const store::NodeRow& row) {
    const auto place = place_of_step(row.step);
    if (!place || row.number != static_cast<int>(tree_.nodes.size()) + 1) return;
    const auto& line = old_.candidates.at(row.candidate);
    if (core::is_given(place->origin))
      return add(core::Given{*place, row.candidate, line.name, line.author});
    core::Action action{
        .kind = core::Action::Kind::write, .generation = row.generation, .place = *place};
    action.basis = row.basis.value_or(0);
    action.reference = row.reference.value_or(0);
    for (const auto& node : tree_.nodes)
      if (core::NodePosition before = node.place; ++before.attempt, before == *place)
        action.repairs = node.number;
    if (row.experiment && intent_of_.contains(*row.experiment)) {
      action.intent = intent_of_.at(*row.experiment);
      action.taken_as = action.why = taken_as(*row.experiment);
    }
    decide(std::move(action));
    const auto cost = old_.costs.find(row.step);
    add(core::Written{row.number, row.candidate, line.name, line.author, row.report,
                      cost == old_.costs.end() ? core::Cost{} : cost->second});
  }

  void add_verdict(const store::NodeRow& row) {
    const auto screened = old_.screened.find(row.number),
               certified = old_.certified.find(row.number);
    const bool has_screened = screened != old_.screened.end(),
               has_certified = certified != old_.certified.end();
    if (tree_.node(row.number) != nullptr && (has_screened || has_certified)) {
      const auto verdict = [](const auto& found) {
        return core::verdict_of(found->second.evaluation, found->second.id);
      };
      core::Judged judged{row.number,
                          has_screened ? verdict(screened) : verdict(certified),
                          {},
                          comparison_for(row)};
      if (has_screened && has_certified) judged.certified = verdict(certified);
      add(std::move(judged));
    }
    const Decision& profile = old_.decision("profile/" + five_digits(row.number));
    if (const auto& id = profile.profile; id && tree_.node(row.number) != nullptr)
      add(core::Profiled{0, row.number, {*id, core::Bound::mixed, "", ""}});
  }

  // With the incumbent of that time.
  std::optional<core::ComparedWith> comparison_for(const store::NodeRow& row) const {
    const core::Node* rival = tree_.node(tree_.node(row.number)->rival);
    for (const auto& record : old_.comparisons)
      if (rival != nullptr && record.b.candidate == row.candidate &&
          record.a.candidate == rival->candidate)
        return core::ComparedWith{rival->number, record.id, record.ratio, record.interval,
                                  record.word};
    return std::nullopt;
  }

  void add_probes(int generation) {
    for (const auto& record : old_.experiments) {
      if (record.generation != generation || record.kind != "probe" ||
          !intent_of_.contains(record.number))
        continue;
      core::Action action{
          .kind = core::Action::Kind::probe, .generation = generation, .basis = basis_};
      action.reference = reference_;
      action.intent = intent_of_.at(record.number);
      action.taken_as = action.why = taken_as(record.number);
      action.place = {
          .origin = Origin::experiment, .generation = generation, .index = record.index};
      const auto number = decide(std::move(action));
      const std::string writer = fmt::format("{}writer-{}", prefix(generation), record.index);
      add_unusable(number, writer);
      const Decision& body = old_.decision(writer + "/probe");
      if (!body.there) {
        if (const auto why = last_complaint(writer); !why.empty()) add(core::Failed{number, why});
        continue;
      }
      core::ProbeNumbers probed{{}, body.failure};
      for (const auto& [label, value] : body.numbers) probed.numbers.emplace_back(label, value);
      add(core::Probed{number, intent_of_.at(record.number), std::move(probed)});
    }
  }

  // Answers to the turns of a question that were of no use.
  void add_unusable(core::ActionId number, const std::string& question) {
    constexpr int most_turns = 10;
    for (int turn = 1; turn <= most_turns; ++turn)
      if (const Decision& body = old_.decision(fmt::format("{}/try-{}/unusable", question, turn));
          body.there)
        add(core::Unusable{number, turn, body.why});
  }

  std::string last_complaint(const std::string& question) const {
    std::string why;
    for (const auto& [name, body] : old_.decisions)
      if (name.starts_with(question + "/") && name.ends_with("/unusable")) why = body.why;
    return why;
  }

  void add_promotion(int generation) {
    const Decision& body = old_.decision(fmt::format("incumbent/{:03}", generation));
    const auto node = body.node;
    if (!node || tree_.node(*node) == nullptr) return;
    decide({.kind = core::Action::Kind::promote,
            .generation = generation,
            .basis = *node,
            .why = body.because});
  }

  void add_lesson(int generation) {
    const Decision& body = old_.decision(prefix(generation) + "lesson");
    if (!body.there) return;
    const auto number = decide(
        {.kind = core::Action::Kind::ask, .role = core::Role::learner, .generation = generation});
    add_unusable(number, prefix(generation) + "learner");
    add(core::Answered{number, {}, {}, core::Lesson{body.findings, body.disagreements}});
  }

  // Answers without a candidate had no number then; they get the last ones.
  void add_unusable_writers() {
    constexpr std::string_view suffix = "/unusable";
    for (const auto& [name, body] : old_.decisions) {
      if (!name.ends_with(suffix)) continue;
      const auto place = place_of_step(name.substr(0, name.size() - suffix.size()));
      if (!place || is_probe(*place)) continue;
      decide({.kind = core::Action::Kind::write, .generation = place->generation, .place = *place});
      add(core::NotWritten{static_cast<core::NodeId>(tree_.nodes.size()), true, body.why, {}});
    }
  }

  bool is_probe(const core::NodePosition& place) const {
    return std::any_of(old_.experiments.begin(), old_.experiments.end(), [&](const auto& record) {
      return place.origin == Origin::experiment && record.generation == place.generation &&
             record.index == place.index && record.kind == "probe";
    });
  }

  void add_end() {
    for (const auto& [name, body] : old_.decisions) {
      const auto id = name.starts_with("final/") ? body.evaluation : std::nullopt;
      const int number = id ? whole(name.substr(std::string_view("final/").size())) : 0;
      if (tree_.node(number) == nullptr) continue;
      const auto record = store::get_evaluation(archive_, *id);
      add(core::Certified{number, core::verdict_of(record.evaluation, record.id),
                          beside_seed(body.comparison)});
    }
    std::string newest;
    for (const auto& [name, body] : old_.decisions)
      if (name == "result" || name.starts_with("result/")) newest = name;
    const Decision& body = old_.decision(newest);
    if (!body.there) return;
    core::Conclusion conclusion{body.best.value_or(0), body.seed.value_or(0), 0, body.comparison,
                                body.conclusion};
    conclusion.certified = conclusion.best;
    add(core::Concluded{conclusion});
  }

  std::optional<core::ComparedWith> beside_seed(const std::string& id) const {
    const core::Node* seed = core::seed_of(tree_);
    for (const auto& record : old_.comparisons)
      if (seed != nullptr && record.id == id)
        return core::ComparedWith{seed->number, record.id, record.ratio, record.interval,
                                  record.word};
    return std::nullopt;
  }

  store::Archive& archive_;
  const OldRun& old_;
  core::Tree tree_;
  std::vector<core::Record> records_;
  core::NodeId basis_ = 0, reference_ = 0;            // of the generation at hand
  std::map<std::int64_t, core::IntentId> intent_of_;  // by the experiment's number in the archive
};

}  // namespace

bool is_old_run(store::Archive& archive, const std::string& run) {
  return !store::node_rows_of(archive, run).empty() || !store::decisions_of(archive, run).empty();
}

std::vector<core::Record> read_old_run(store::Archive& archive, const std::string& run) {
  const OldRun old = load(archive, run);
  return Importer(archive, old).records();
}

void refuse_to_continue(const std::string& run) {
  base::fail(base::ExitCode::bad_input,
             "run {0} was made by an earlier hone: this one can list, report, export and replay "
             "it, but not go on with it. Begin a new run from its best: hone best {0} -o best.cu, "
             "then hone run TASK --seed best.cu",
             run);
}

std::optional<core::NodePosition> place_of_step(const std::string& step) {
  static const std::regex written(
      R"((?:seed/(translation)|seed/(attempt|bootstrap)-(\d+)|g(\d+)/(oneshot|writer)-(\d+))/try-(\d+))");
  static const std::regex given(R"(seed/given-(.*))");
  std::smatch match;
  if (std::regex_match(step, match, given)) {
    const std::string name = match[1];
    const bool of_user = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    return core::NodePosition{of_user ? Origin::user_seed : Origin::task_seed, 0,
                              of_user ? whole(name) : 0, 1};
  }
  if (!std::regex_match(step, match, written)) return std::nullopt;
  const int attempt = whole(match[7]);
  if (match[1].matched) return core::NodePosition{Origin::translation, 0, 1, attempt};
  if (match[2].matched)
    return core::NodePosition{match[2] == "attempt" ? Origin::attempt : Origin::bootstrap, 0,
                              whole(match[3]), attempt};
  return core::NodePosition{match[5] == "oneshot" ? Origin::one_shot : Origin::experiment,
                            whole(match[4]), whole(match[6]), attempt};
}

}  // namespace hone::run
