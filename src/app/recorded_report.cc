#include "app/recorded_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/files.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
using search::RecordedCandidate;
using search::RecordedRun;
using Kind = RecordedCandidate::Kind;

// "10.6 ms" as format_seconds() writes it.
std::optional<double> seconds_from(const std::string& text) {
  static const std::map<std::string, double> units{
      {"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}};
  std::istringstream words(text);
  double value = 0;
  std::string unit;
  if (!(words >> value >> unit) || !units.contains(unit)) return std::nullopt;
  return value * units.at(unit);
}

// | 00003 | 00002 + 00001 | 1 | experiment | accepted | 10.9 ms |
std::optional<RecordedCandidate> candidate_from(const std::string& line, std::string& experiment) {
  static const std::regex row(
      R"(\| (\d{5}) \| (?:(\d{5})[^|]*)? ?\| \d+ \| (.*) \| ([a-z_ ]+) \| ([^|]+) \|)");
  std::smatch match;
  if (!std::regex_match(line, match, row)) return std::nullopt;
  RecordedCandidate one{.number = std::stoi(match[1])};
  if (match[2].matched) one.basis = std::stoi(match[2]);
  experiment = match[3];
  one.kind = one.basis != 0                         ? Kind::experiment
             : experiment.starts_with("seed/given") ? Kind::given
                                                    : Kind::first;
  if (match[4] == "accepted") one.seconds = seconds_from(match[5]);
  return one;
}

// | 00003 | experiment | 60 to 75 % | saves 64.1 % | as predicted |
void read_prediction(const std::string& line, RecordedRun& run) {
  static const std::regex row(
      R"(\| (\d{5}) \| .* \| (-?[\d.]+) to (-?[\d.]+) % \| [^|]* \| [^|]* \|)");
  std::smatch match;
  if (!std::regex_match(line, match, row)) return;
  for (auto& one : run.candidates)
    if (one.number == std::stoi(match[1]))
      one.predicted = {std::stod(match[2]), std::stod(match[3])};
}

bool is_control(const std::string& stem, const std::string& of) {
  return stem.starts_with(of + ".") && stem != of;
}

}  // namespace

RecordedRun recorded_report(const std::string& markdown, const std::string& name) {
  RecordedRun run{.name = name};
  std::map<std::pair<core::NodeId, std::string>, bool> failed;  // by basis and experiment
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    std::string experiment;
    auto one = candidate_from(line, experiment);
    if (!one) continue;
    if (one->kind == Kind::experiment) {
      bool& failed_before = failed[{one->basis, experiment}];
      one->is_repair = failed_before;
      failed_before = !one->seconds;
    }
    run.candidates.push_back(*one);
  }
  if (run.candidates.empty())
    base::fail(
        base::ExitCode::bad_input,
        "{}: there is no table of all candidates in it; `hone report RUN -o FILE` writes one",
        name);
  std::istringstream again(markdown);
  for (std::string line; std::getline(again, line);) read_prediction(line, run);
  static const std::regex reached(R"(([\d.]+) % of this device's measured ceiling)");
  std::smatch match;
  if (std::regex_search(markdown, match, reached)) run.reached = std::stod(match[1]) / 100;
  return run;
}

std::vector<RecordedReports> recorded_reports(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, problem))
    if (entry.path().extension() == ".md" && entry.path().stem() != "README")
      files.push_back(entry.path());
  if (problem || files.empty())
    base::fail(base::ExitCode::bad_input,
               "--recorded {}: there are no reports (.md, by `hone report RUN -o FILE`) in it",
               folder.string());
  std::sort(files.begin(), files.end());
  std::vector<RecordedReports> reports;
  for (const auto& file : files) {
    auto run = recorded_report(base::read_file(file, base::largest_text_file), file.stem());
    const bool belongs = !reports.empty() && is_control(file.stem(), reports.back().run.name);
    if (belongs)
      reports.back().control.push_back(std::move(run));
    else
      reports.push_back({std::move(run), {}});
  }
  return reports;
}

}  // namespace hone::app
