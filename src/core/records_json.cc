#include "core/records_json.h"

#include <nlohmann/json.hpp>

#include "core/evaluation_json.h"
#include "core/json.h"
#include "core/or_null.h"

namespace hone::core {

using nlohmann::json;

namespace {

template <typename T>
void put(json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = to_json(*value);
}

// What is usual is left out: a journal has thousands of these.
template <typename T>
void put_unless(json& object, const char* name, const T& value, const T& usual) {
  if (value != usual) object[name] = value;
}

std::string word_in(const json& v, const char* name) { return v.at(name).get<std::string>(); }

// ---- places, actions, actions

json place_json(const NodePosition& place) {
  return {{"origin", name_of(place.origin)},
          {"generation", place.generation},
          {"index", place.index},
          {"attempt", place.attempt}};
}

NodePosition place_from(const json& v) {
  const auto origin = word_in(v, "origin");
  return {known(origin_from(origin), origin, "origin"), v.at("generation"), v.at("index"),
          v.at("attempt")};
}

json action_json_of(const DecidedAction& act) {
  const Action& action = act.action;
  json object = {
      {"action", act.number}, {"kind", name_of(action.kind)}, {"generation", action.generation}};
  if (action.kind == Action::Kind::ask) object["role"] = name_of(action.role);
  put_unless(object, "node", act.node, 0);
  put_unless(object, "basis", action.basis, 0);
  put_unless(object, "reference", action.reference, 0);
  put_unless(object, "repairs", action.repairs, 0);
  put_unless(object, "intent", action.intent, 0);
  put(object, "experiment", action.experiment);
  if (action.kind == Action::Kind::write || action.kind == Action::Kind::probe)
    object["place"] = place_json(action.place);
  put_unless(object, "about", action.about, {});
  put_unless(object, "taken_as", action.taken_as, std::string());
  put_unless(object, "why", action.why, std::string());
  return object;
}

DecidedAction decided_action_from(const json& v) {
  DecidedAction act;
  act.number = v.at("action");
  act.node = v.value("node", 0);
  Action& action = act.action;
  const auto kind = word_in(v, "kind");
  action.kind = known(action_kind_from(kind), kind, "kind of action");
  action.generation = v.at("generation");
  if (v.contains("role"))
    action.role = known(role_from(word_in(v, "role")), word_in(v, "role"), "role");
  action.basis = v.value("basis", 0);
  action.reference = v.value("reference", 0);
  action.repairs = v.value("repairs", 0);
  action.intent = v.value("intent", 0);
  if (v.contains("experiment")) action.experiment = experiment_from(v.at("experiment"));
  if (v.contains("place")) action.place = place_from(v.at("place"));
  action.about = v.value("about", action.about);
  action.taken_as = v.value("taken_as", "");
  action.why = v.value("why", "");
  return act;
}

// ---- answers

json selection_json(const Selection& s) {
  return {{"basis", s.basis}, {"reference", s.reference}, {"rationale", s.rationale}};
}

json design_json(const Design& design) {
  json experiments = json::array();
  for (const auto& one : design.experiments) experiments.push_back(to_json(one));
  return {{"avenues", design.avenues}, {"experiments", experiments}, {"notes", design.notes}};
}

Design design_from(const json& v) {
  Design design{v.at("avenues").get<std::vector<std::string>>(),
                {},
                v.at("notes").get<std::vector<std::string>>()};
  for (const auto& one : v.at("experiments")) design.experiments.push_back(experiment_from(one));
  return design;
}

json lesson_json(const Lesson& lesson) {
  return {{"findings", lesson.findings}, {"disagreements", lesson.disagreements}};
}

// ---- what was measured

json cost_json(const Cost& cost) {
  return {{"calls", cost.calls},
          {"tokens_in", cost.tokens_in},
          {"tokens_out", cost.tokens_out},
          {"usd", cost.usd},
          {"seconds", cost.seconds}};
}

Cost cost_from(const json& v) {
  return {v.at("calls"), v.at("tokens_in"), v.at("tokens_out"), v.at("usd"), v.at("seconds")};
}

json case_time_json(const CaseTime& c) {
  json object = {{"name", c.name},
                 {"timed", c.timed},
                 {"median_s", number(c.median)},
                 {"interval_s", to_json(c.interval)},
                 {"error_max", number(c.error_max)},
                 {"error_rms", number(c.error_rms)},
                 {"ceiling_fraction", or_null(c.ceiling_fraction)},
                 {"ceiling", c.ceiling}};
  put_unless(object, "other_units", c.other_units, false);
  return object;
}

CaseTime case_time_from(const json& v) {
  CaseTime c{v.at("name"),
             v.at("timed"),
             number_from(v.at("median_s")),
             interval_from(v.at("interval_s")),
             number_from(v.at("error_max")),
             number_from(v.at("error_rms")),
             {},
             v.at("ceiling"),
             v.value("other_units", false)};
  if (!v.at("ceiling_fraction").is_null())
    c.ceiling_fraction = number_from(v.at("ceiling_fraction"));
  return c;
}

json compared_json(const ComparedWith& c) {
  return {{"other", c.other},
          {"comparison", c.comparison},
          {"ratio", number(c.ratio)},
          {"interval", to_json(c.interval)},
          {"word", name_of(c.word)}};
}

ComparedWith compared_from(const json& v) {
  const auto word = word_in(v, "word");
  return {v.at("other"), v.at("comparison"), number_from(v.at("ratio")),
          interval_from(v.at("interval")),
          known(comparison_from(word), word, "answer of a comparison")};
}

json note_json(const ProfileNote& note) {
  return {{"profile", note.profile},
          {"bound", name_of(note.bound)},
          {"case", note.case_name},
          {"failure", note.failure}};
}

ProfileNote note_from(const json& v) {
  const auto bound = word_in(v, "bound");
  return {v.at("profile"), known(bound_from(bound), bound, "class"), v.at("case"), v.at("failure")};
}

json probe_json(const ProbeNumbers& probed) {
  json numbers = json::array();
  for (const auto& [label, value] : probed.numbers) numbers.push_back({label, number(value)});
  return {{"numbers", numbers}, {"failure", probed.failure}};
}

ProbeNumbers probe_from(const json& v) {
  ProbeNumbers probed{{}, v.at("failure")};
  for (const auto& one : v.at("numbers"))
    probed.numbers.emplace_back(one.at(0), number_from(one.at(1)));
  return probed;
}

json conclusion_json(const Conclusion& c) {
  return {{"best", c.best},
          {"seed", c.seed},
          {"certified", c.certified},
          {"comparison", c.comparison},
          {"text", c.text}};
}

// ---- records: their bodies, and how each is read

json body(const Given& r) {
  return {{"place", place_json(r.place)},
          {"candidate", r.candidate},
          {"name", r.name},
          {"author", r.author}};
}
json body(const Decided& r) {
  json actions = json::array();
  for (const auto& act : r.actions) actions.push_back(action_json_of(act));
  return {{"actions", actions}};
}
json body(const Answered& r) {
  json object = {{"action", r.action}};
  if (r.selection) object["selection"] = selection_json(*r.selection);
  if (r.design) object["design"] = design_json(*r.design);
  if (r.lesson) object["lesson"] = lesson_json(*r.lesson);
  return object;
}
json body(const Unusable& r) { return {{"action", r.action}, {"turn", r.turn}, {"why", r.why}}; }
json body(const Failed& r) { return {{"action", r.action}, {"why", r.why}}; }
json body(const Written& r) {
  return {{"node", r.node},     {"candidate", r.candidate}, {"name", r.name},
          {"author", r.author}, {"report", r.report},       {"cost", cost_json(r.cost)}};
}
json body(const NotWritten& r) {
  return {{"node", r.node}, {"answered", r.answered}, {"why", r.why}, {"cost", cost_json(r.cost)}};
}
json body(const Judged& r) {
  json object = {{"node", r.node}, {"verdict", to_json(r.verdict)}};
  put(object, "certified", r.certified);
  if (r.compared) object["compared"] = compared_json(*r.compared);
  return object;
}
json body(const Profiled& r) {
  return {{"action", r.action}, {"node", r.node}, {"profile", note_json(r.note)}};
}
json body(const Probed& r) {
  return {{"action", r.action}, {"intent", r.intent}, {"probe", probe_json(r.probed)}};
}
json body(const Certified& r) {
  json object = {{"node", r.node}, {"verdict", to_json(r.verdict)}};
  if (r.compared) object["compared"] = compared_json(*r.compared);
  return object;
}
json body(const Concluded& r) { return conclusion_json(r.conclusion); }
json body(const Resumed& r) { return {{"settings", r.settings}}; }

Record answered_from(const json& v) {
  Answered r{v.at("action"), {}, {}, {}};
  if (v.contains("selection")) {
    const json& s = v.at("selection");
    r.selection = Selection{s.at("basis"), s.at("reference"), s.at("rationale")};
  }
  if (v.contains("design")) r.design = design_from(v.at("design"));
  if (v.contains("lesson"))
    r.lesson = Lesson{v.at("lesson").at("findings").get<std::vector<std::string>>(),
                      v.at("lesson").at("disagreements").get<std::vector<std::string>>()};
  return r;
}

std::optional<ComparedWith> compared_in(const json& v) {
  return v.contains("compared") ? std::optional(compared_from(v.at("compared"))) : std::nullopt;
}

Record judged_from(const json& v) {
  Judged r{v.at("node"), verdict_from(v.at("verdict")), {}, compared_in(v)};
  if (v.contains("certified")) r.certified = verdict_from(v.at("certified"));
  return r;
}

Record decided_from(const json& v) {
  Decided r;
  for (const auto& one : v.at("actions")) r.actions.push_back(decided_action_from(one));
  return r;
}

struct Kind {
  std::string_view name;
  Record (*read)(const json& v);
};

// In the order of the variant's alternatives.
constexpr Kind kinds[] = {
    {"given",
     [](const json& v) -> Record {
       return Given{place_from(v.at("place")), v.at("candidate"), v.at("name"), v.at("author")};
     }},
    {"decided", decided_from},
    {"answered", answered_from},
    {"unusable",
     [](const json& v) -> Record {
       return Unusable{v.at("action"), v.at("turn"), v.at("why")};
     }},
    {"failed",
     [](const json& v) -> Record {
       return Failed{v.at("action"), v.at("why")};
     }},
    {"written",
     [](const json& v) -> Record {
       return Written{v.at("node"),   v.at("candidate"), v.at("name"),
                      v.at("author"), v.at("report"),    cost_from(v.at("cost"))};
     }},
    {"not written",
     [](const json& v) -> Record {
       return NotWritten{v.at("node"), v.at("answered"), v.at("why"), cost_from(v.at("cost"))};
     }},
    {"judged", judged_from},
    {"profiled",
     [](const json& v) -> Record {
       return Profiled{v.at("action"), v.at("node"), note_from(v.at("profile"))};
     }},
    {"probed",
     [](const json& v) -> Record {
       return Probed{v.at("action"), v.at("intent"), probe_from(v.at("probe"))};
     }},
    {"certified",
     [](const json& v) -> Record {
       return Certified{v.at("node"), verdict_from(v.at("verdict")), compared_in(v)};
     }},
    {"concluded",
     [](const json& v) -> Record {
       return Concluded{
           {v.at("best"), v.at("seed"), v.at("certified"), v.at("comparison"), v.at("text")}};
     }},
    {"resumed", [](const json& v) -> Record { return Resumed{v.at("settings")}; }},
};
static_assert(std::size(kinds) == std::variant_size_v<Record>);

}  // namespace

json to_json(const Experiment& e) {
  return {{"kind", name_of(e.kind)},
          {"description", e.description},
          {"rubric", e.rubric},
          {"performance", {e.gain_low, e.gain_high}},
          {"innovation", e.innovation},
          {"advice", e.advice}};
}

Experiment experiment_from(const json& v) {
  Experiment e;
  for (const auto kind : {Experiment::Kind::probe, Experiment::Kind::combination})
    if (v.at("kind") == name_of(kind)) e.kind = kind;
  e.description = v.at("description");
  e.rubric = v.at("rubric");
  e.gain_low = v.at("performance").at(0);
  e.gain_high = v.at("performance").at(1);
  e.innovation = v.at("innovation");
  e.advice = v.at("advice").get<std::vector<std::string>>();
  return e;
}

json to_json(const Verdict& verdict) {
  json cases = json::array();
  for (const auto& one : verdict.cases) cases.push_back(case_time_json(one));
  json object = {{"evaluation", verdict.evaluation},
                 {"outcome", name_of(verdict.outcome)},
                 {"geomean_s", or_null(verdict.geomean)},
                 {"cases", cases}};
  put_unless(object, "classes", verdict.classes, {});
  put_unless(object, "guard", verdict.guard, std::string());
  put_unless(object, "reason", verdict.reason, std::string());
  return object;
}

Verdict verdict_from(const json& v) {
  Verdict verdict{.evaluation = v.at("evaluation")};
  const auto outcome = word_in(v, "outcome");
  verdict.outcome = known(outcome_from(outcome), outcome, "outcome");
  if (!v.at("geomean_s").is_null()) verdict.geomean = number_from(v.at("geomean_s"));
  for (const auto& one : v.at("cases")) verdict.cases.push_back(case_time_from(one));
  verdict.classes = v.value("classes", std::vector<std::string>());
  verdict.guard = v.value("guard", "");
  verdict.reason = v.value("reason", "");
  return verdict;
}

std::string_view name_of(const Record& record) { return kinds[record.index()].name; }

json to_json(const Record& record) {
  json object = std::visit([](const auto& one) { return body(one); }, record);
  object["record"] = name_of(record);
  return object;
}

Record record_from(const json& v) {
  const auto name = word_in(v, "record");
  for (const auto& kind : kinds)
    if (kind.name == name) return kind.read(v);
  base::fail(base::ExitCode::archive,
             "the run's journal has a record '{}', which this hone does not know", name);
}

}  // namespace hone::core
