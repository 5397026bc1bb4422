// Runs the corpus of planted defects (bench/corpus) through `hone profile` and `hone compare`. For
// each pair it reports whether the expected tool found the defect, whether the tool was silent on
// the twin, and how much faster the twin is.
//   hone_bench_corpus HONE --device cuda:0 --results FILE [--part tuned|held-out|all]
//                     [--only NAME]... [--no-source] [--again]
// It appends one line of JSON for each pair to FILE and skips pairs that are in FILE already. With
// --again nothing is run: the profiles in FILE.archive are explained by the current tools.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/command.h"
#include "base/error.h"
#include "base/files.h"
#include "base/toml_parser.h"
#include "store/profiles.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"
#include "text/table.h"

namespace {

using namespace hone;
using nlohmann::json;

struct Pair {
  std::string name, tool, task, which, defect, twin, bound;
  int64_t round = 0;
  bool held_out = false;  // of the newest round, which thresholds have not seen
};

struct Options {
  std::string hone, device = "cuda:0", results, part = "all";
  std::set<std::string> only;
  bool no_source = false, again = false;
};

[[noreturn]] void usage(const std::string& what) {
  base::fail(
      base::ExitCode::usage,
      "{}: hone_bench_corpus HONE --device cuda:0 --results FILE [--part tuned|held-out|all] "
      "[--only NAME]... [--no-source] [--again], at the top of the repository",
      what);
}

// The rule of bench/corpus/README.md: the newest round is held out.
void hold_out_newest(std::vector<Pair>& pairs) {
  int64_t newest = 0;
  for (const auto& pair : pairs) newest = std::max(newest, pair.round);
  for (auto& pair : pairs) pair.held_out = pair.round == newest;
}

void check_case(const Pair& pair) {
  const auto task = task::load_task(pair.task);
  if (!task)
    base::fail(base::ExitCode::bad_input, "{}: {}", pair.task,
               task::render_with_sources(task.error()));
  for (const auto& which : task->cases)
    if (which.name == pair.which) return;
  base::fail(base::ExitCode::bad_input, "{}: task {} has no case '{}'", pair.name, pair.task,
             pair.which);
}

std::vector<Pair> pairs_of(const std::string& path) {
  const auto parsed = base::parse_toml(base::read_file(path));
  if (!parsed || !*parsed) base::fail(base::ExitCode::bad_input, "{}: not readable as TOML", path);
  std::vector<Pair> pairs;
  const auto* list = parsed->table()["pair"].as_array();
  if (list == nullptr) base::fail(base::ExitCode::bad_input, "{}: has no [[pair]]", path);
  for (const auto& node : *list) {
    const toml::table& entry = *node.as_table();
    const auto text = [&](std::string_view key) { return entry[key].value_or(std::string()); };
    Pair pair{text("name"),   text("tool"), text("task"),  text("case"),
              text("defect"), text("twin"), text("class"), entry["round"].value_or(int64_t{0})};
    check_case(pair);
    if (pair.round < 1)
      base::fail(base::ExitCode::bad_input, "{}: {} needs a round, 1 or later", path, pair.name);
    pairs.push_back(pair);
  }
  hold_out_newest(pairs);
  return pairs;
}

// Devices run CUDA or OpenCL, and a pair is written in one of them.
bool fits(const Pair& pair, const Options& options) {
  const bool cuda = pair.defect.ends_with(".cu");
  if (cuda != options.device.starts_with("cuda")) return false;
  if (!options.only.empty() && !options.only.contains(pair.name)) return false;
  return options.part == "all" || (options.part == "held-out") == pair.held_out;
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string archive_of(const Options& options) { return options.results + ".archive"; }

// The JSON that a command printed, or its error message when it printed none.
json answer_of(const Options& options, const std::vector<std::string>& arguments) {
  base::Command command;
  command.line = "exec " + quoted(options.hone);
  for (const auto& argument : arguments) command.line += " " + quoted(argument);
  if (!options.again) command.line += " --device " + quoted(options.device);
  command.line += " --json --archive " + quoted(archive_of(options));
  command.limit = std::chrono::minutes(5);
  command.most_output = 64 << 20;
  const std::atomic<bool> never = false;
  const auto end = base::run_command(command, never);
  json answer = json::parse(end.output, nullptr, false);
  if (answer.is_object() && end.code != 0) answer["stderr"] = end.error_tail;
  if (answer.is_discarded())
    answer = {{"failed", fmt::format("exit {}: {}", end.code, end.error_tail)}};
  return answer;
}

json profile_of(const Options& options, const Pair& pair, const std::string& candidate) {
  std::vector<std::string> arguments{"profile", pair.task, candidate, "--case", pair.which};
  if (options.no_source) arguments.push_back("--no-source");
  return answer_of(options, arguments);
}

// The parts of a profile that the table needs or that show why a tool was wrong.
json summary_of(const json& profile) {
  if (!profile.contains("diagnosis")) {
    json why = profile.value("outcome", "no profile");
    if (profile.contains("failed")) why = profile["failed"];
    if (profile.contains("error")) why = profile["error"].value("message", "no profile");
    return {{"failed", why},
            {"evidence", profile.value("evidence", json())},
            {"stderr", profile.value("stderr", "")}};
  }
  json advice = json::array();
  for (const auto& one : profile.value("advice", json::array()))
    advice.push_back({{"tool", one.at("tool")},
                      {"severity", one.at("severity")},
                      {"gain", one.at("gain")},
                      {"lines", one.value("lines", json::array())},
                      {"evidence", one.value("evidence", "")}});
  return {{"id", profile.value("id", "")},
          {"diagnosis", profile["diagnosis"]},
          {"seconds", profile.value("seconds", 0.0)},
          {"advice", advice},
          {"left_out", profile.value("left_out", json::array())},
          {"notes", profile.value("notes", json::array())},
          {"parts", profile.value("parts", json::array())}};
}

json run(const Options& options, const Pair& pair) {
  std::fprintf(stderr, "%s\n", pair.name.c_str());
  json line{{"pair", pair.name}};
  line["defect"] = summary_of(profile_of(options, pair, pair.defect));
  line["twin"] = summary_of(profile_of(options, pair, pair.twin));
  const json compared =
      answer_of(options, {"compare", pair.task, pair.defect, pair.twin, "--case", pair.which});
  if (compared.contains("error"))
    line["compared"]["failed"] = compared["error"].value("message", "");
  for (const char* key : {"ratio", "low", "high", "word", "failed"})
    if (compared.contains(key)) line["compared"][key] = compared[key];
  return line;
}

// The newest profile of this file, explained by the current tools; the recorded result if there is
// no profile.
json again(const Options& options, const std::string& candidate, const json& recorded) {
  auto archive = store::Archive::open(archive_of(options));
  std::string id = recorded.value("id", "");
  if (const auto loaded = task::load_candidate(candidate); id.empty() && loaded)
    for (const auto& line : store::profiles_of(archive, loaded->hash, 1)) id = line.id;
  return id.empty() ? recorded : summary_of(answer_of(options, {"profile", "--again", id}));
}

// ---- the table

// A tool's strongest advice for a candidate. A note is information, not an alarm.
const json* said_by(const json& summary, const std::string& tool) {
  if (!summary.contains("advice")) return nullptr;
  for (const auto& one : summary["advice"])
    if (one.at("tool") == tool && one.at("severity") != "note") return &one;
  return nullptr;
}

struct Totals {
  int pairs = 0, found = 0, alarms = 0, classes = 0, covered = 0, compared = 0;
};

void print(const std::vector<Pair>& pairs, const std::map<std::string, json>& results) {
  using Align = text::Column::Align;
  text::Table table({{"pair"},
                     {"part"},
                     {"tool"},
                     {"found"},
                     {"on twin"},
                     {"class"},
                     {"said"},
                     {"predicted, %", Align::right},
                     {"gained, %", Align::right},
                     {"first advice"}});
  std::map<bool, Totals> totals;
  for (const auto& pair : pairs) {
    const auto at = results.find(pair.name);
    if (at == results.end()) continue;
    const json &defect = at->second.at("defect"), &twin = at->second.at("twin");
    auto& total = totals[pair.held_out];
    ++total.pairs;
    const json *found = said_by(defect, pair.tool), *alarm = said_by(twin, pair.tool);
    total.found += found != nullptr ? 1 : 0;
    total.alarms += alarm != nullptr ? 1 : 0;
    const std::string bound =
        defect.contains("diagnosis") ? defect["diagnosis"].value("bound", "?") : "failed";
    total.classes += bound == pair.bound ? 1 : 0;
    const json compared = at->second.value("compared", json::object());
    std::string gained = "-", predicted = "-";
    const double ratio = compared.contains("ratio") && compared["ratio"].is_number()
                             ? compared["ratio"].get<double>()
                             : 0;
    if (ratio > 0) gained = fmt::format("{:.1f}", 100 * (1 - ratio));
    if (found != nullptr && (*found)["gain"].is_array()) {
      const double low = (*found)["gain"][0], high = (*found)["gain"][1];
      predicted = fmt::format("{:.0f} to {:.0f}", low, high);
      if (ratio > 0) {
        ++total.compared;
        total.covered += 100 * (1 - ratio) >= low && 100 * (1 - ratio) <= high ? 1 : 0;
      }
    }
    const json advice = defect.value("advice", json::array());
    table.add({pair.name, pair.held_out ? "held out" : "tuned", pair.tool,
               found != nullptr ? (*found)["severity"].get<std::string>() : "no",
               twin.contains("failed") ? "failed" : (alarm != nullptr ? "alarm" : "silent"),
               pair.bound, bound, predicted, gained,
               advice.empty() ? "-" : advice[0].at("tool").get<std::string>()});
  }
  std::fputs(table.text().c_str(), stdout);
  for (const auto& [held_out, total] : totals)
    fmt::print(
        "{}: {} pairs; found {}, alarms on twins {}, class right {}; the twin's gain within the "
        "predicted interval {} of {}\n",
        held_out ? "held out" : "tuned", total.pairs, total.found, total.alarms, total.classes,
        total.covered, total.compared);
}

Options options_from(int argc, char** argv) {
  Options options;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) usage(words[i] + " needs a value");
      return words[++i];
    };
    if (words[i] == "--device")
      options.device = value();
    else if (words[i] == "--results")
      options.results = value();
    else if (words[i] == "--part")
      options.part = value();
    else if (words[i] == "--only")
      options.only.insert(value());
    else if (words[i] == "--again")
      options.again = true;
    else if (words[i] == "--no-source")
      options.no_source = true;
    else if (options.hone.empty() && !words[i].starts_with("--"))
      options.hone = words[i];
    else
      usage(words[i] + " is not known");
  }
  if (options.hone.empty() || options.results.empty()) usage("HONE and --results are needed");
  if (options.part != "all" && options.part != "tuned" && options.part != "held-out")
    usage("--part " + options.part);
  return options;
}

// The last line of each pair. A pair whose line was cut off or whose profiles failed is run again.
std::map<std::string, json> results_in(const std::string& path) {
  std::map<std::string, json> results;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    json one = json::parse(line, nullptr, false);
    if (one.is_discarded() || !one.contains("pair")) continue;
    if (one["defect"].contains("failed") || one["twin"].contains("failed")) continue;
    const std::string name = one["pair"];
    results[name] = std::move(one);
  }
  return results;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = options_from(argc, argv);
    auto pairs = pairs_of("bench/corpus/pairs.toml");
    std::erase_if(pairs, [&](const Pair& pair) { return !fits(pair, options); });
    auto results = results_in(options.results);
    for (const auto& pair : pairs) {
      if (options.again) {
        if (const auto at = results.find(pair.name); at != results.end()) {
          at->second["defect"] = again(options, pair.defect, at->second["defect"]);
          at->second["twin"] = again(options, pair.twin, at->second["twin"]);
        }
        continue;
      }
      if (results.contains(pair.name)) continue;
      results[pair.name] = run(options, pair);
      std::ofstream(options.results, std::ios::app) << results[pair.name].dump() << "\n";
    }
    print(pairs, results);
    return 0;
  } catch (const base::Error& error) {
    std::fprintf(stderr, "hone_bench_corpus: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
