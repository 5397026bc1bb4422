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
#include <set>

#include "base/command.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/toml_parser.h"
#include "store/profiles.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"
#include "text/table.h"

namespace {

using namespace hone;
using base::Fields;

struct Pair {
  std::string name, tool, task, which, defect, twin, bound;
  int64_t round = 0;
  bool held_out = false;  // of the newest round, which thresholds have not seen
};

// What `hone profile --json` says that the table needs or that shows why a tool was wrong.
struct Said {
  std::string tool, severity, evidence;
  core::Interval gain;
  std::vector<int> lines;
};
void describe(Fields& f, Said& said) {
  f("tool", said.tool)("severity", said.severity)("gain", said.gain);
  f.optional("lines", said.lines).optional("evidence", said.evidence);
}

struct Profiled {
  std::string id, outcome, failed;  // failed: why there is no diagnosis
  std::optional<core::Diagnosis> diagnosis;
  double seconds = 0;
  std::vector<Said> advice;
  base::RawJson evidence, left_out{"[]"}, notes{"[]"}, parts{"[]"};
};
void describe(Fields& f, Profiled& profile) {
  f.sparse("failed", profile.failed).sparse("outcome", profile.outcome);
  f.sparse("diagnosis", profile.diagnosis).optional("evidence", profile.evidence);
  f.optional("id", profile.id).optional("seconds", profile.seconds);
  f.optional("advice", profile.advice).optional("left_out", profile.left_out);
  f.optional("notes", profile.notes).optional("parts", profile.parts);
}

// What `hone compare --json` says.
struct Compared {
  std::optional<double> ratio, low, high;
  std::string word, failed;
};
void describe(Fields& f, Compared& compared) {
  f.sparse("ratio", compared.ratio).sparse("low", compared.low).sparse("high", compared.high);
  f.sparse("word", compared.word).sparse("failed", compared.failed);
}

struct Result {
  std::string pair;
  Profiled defect, twin;
  Compared compared;
};
void describe(Fields& f, Result& result) {
  f("pair", result.pair)("defect", result.defect)("twin", result.twin);
  f.optional("compared", result.compared);
}

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

// Reads the JSON that a command printed; its error message, where there is one.
template <typename T>
std::string answer_of(const Options& options, const std::vector<std::string>& arguments,
                      T& answer) {
  base::Command command;
  command.line = "exec " + quoted(options.hone);
  for (const auto& argument : arguments) command.line += " " + quoted(argument);
  if (!options.again) command.line += " --device " + quoted(options.device);
  command.line += " --json --archive " + quoted(archive_of(options));
  command.limit = std::chrono::minutes(5);
  command.most_output = 64 << 20;
  const std::atomic<bool> never = false;
  const auto end = base::run_command(command, never);
  std::string error;
  const auto read = [&](Fields& f) {
    const auto has = f.names();
    if (std::find(has.begin(), has.end(), "error") != has.end())
      f.group("error", [&] { f.optional("message", error); });
    f.value(answer);
  };
  try {
    base::read_json(end.output, read);
    return error;
  } catch (const base::Error&) {
    return fmt::format("exit {}: {}", end.code, end.error_tail);
  }
}

Profiled summary_of(const Options& options, const std::vector<std::string>& arguments) {
  Profiled profile;
  profile.failed = answer_of(options, arguments, profile);
  if (!profile.diagnosis && profile.failed.empty())
    profile.failed = profile.outcome.empty() ? "no profile" : profile.outcome;
  return profile;
}

Profiled profile_of(const Options& options, const Pair& pair, const std::string& candidate) {
  std::vector<std::string> arguments{"profile", pair.task, candidate, "--case", pair.which};
  if (options.no_source) arguments.push_back("--no-source");
  return summary_of(options, arguments);
}

Result run(const Options& options, const Pair& pair) {
  std::fprintf(stderr, "%s\n", pair.name.c_str());
  Result result{
      pair.name, profile_of(options, pair, pair.defect), profile_of(options, pair, pair.twin), {}};
  result.compared.failed =
      answer_of(options, {"compare", pair.task, pair.defect, pair.twin, "--case", pair.which},
                result.compared);
  return result;
}

// The newest profile of this file, explained by the current tools; the recorded result if there is
// no profile.
Profiled again(const Options& options, const std::string& candidate, const Profiled& recorded) {
  auto archive = store::Archive::open(archive_of(options));
  std::string id = recorded.id;
  if (const auto loaded = task::load_candidate(candidate); id.empty() && loaded)
    for (const auto& line : store::profiles_of(archive, loaded->hash, 1)) id = line.id;
  return id.empty() ? recorded : summary_of(options, {"profile", "--again", id});
}

// ---- the table

// A tool's strongest advice for a candidate. A note is information, not an alarm.
const Said* said_by(const Profiled& profile, const std::string& tool) {
  for (const auto& one : profile.advice)
    if (one.tool == tool && one.severity != "note") return &one;
  return nullptr;
}

struct Totals {
  int pairs = 0, found = 0, alarms = 0, classes = 0, covered = 0, compared = 0;
};

void print(const std::vector<Pair>& pairs, const std::map<std::string, Result>& results) {
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
    const auto& [name, defect, twin, compared] = at->second;
    auto& total = totals[pair.held_out];
    ++total.pairs;
    const Said *found = said_by(defect, pair.tool), *alarm = said_by(twin, pair.tool);
    total.found += found != nullptr ? 1 : 0;
    total.alarms += alarm != nullptr ? 1 : 0;
    const std::string bound =
        defect.diagnosis ? std::string(core::name_of(defect.diagnosis->bound)) : "failed";
    total.classes += bound == pair.bound ? 1 : 0;
    std::string gained = "-", predicted = "-";
    const double ratio = compared.ratio.value_or(0);
    if (ratio > 0) gained = fmt::format("{:.1f}", 100 * (1 - ratio));
    if (found != nullptr) {
      const auto [low, high] = found->gain;
      predicted = fmt::format("{:.0f} to {:.0f}", low, high);
      if (ratio > 0) {
        ++total.compared;
        total.covered += 100 * (1 - ratio) >= low && 100 * (1 - ratio) <= high ? 1 : 0;
      }
    }
    table.add({pair.name, pair.held_out ? "held out" : "tuned", pair.tool,
               found != nullptr ? found->severity : "no",
               !twin.failed.empty() ? "failed" : (alarm != nullptr ? "alarm" : "silent"),
               pair.bound, bound, predicted, gained,
               defect.advice.empty() ? "-" : defect.advice[0].tool});
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
std::map<std::string, Result> results_in(const std::string& path) {
  std::map<std::string, Result> results;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto one = base::from_json<Result>(line);
    if (one && one->defect.failed.empty() && one->twin.failed.empty()) results[one->pair] = *one;
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
          at->second.defect = again(options, pair.defect, at->second.defect);
          at->second.twin = again(options, pair.twin, at->second.twin);
        }
        continue;
      }
      if (results.contains(pair.name)) continue;
      results[pair.name] = run(options, pair);
      std::ofstream(options.results, std::ios::app) << base::json_line(results[pair.name]) << "\n";
    }
    print(pairs, results);
    return 0;
  } catch (const base::Error& error) {
    std::fprintf(stderr, "hone_bench_corpus: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
