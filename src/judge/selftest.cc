#include "judge/selftest.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "device/device.h"
#include "judge/compare.h"
#include "judge/judge.h"
#include "judge/since.h"
#include "judge/specimens.h"
#include "runner/python.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::judge {
namespace {

using core::Outcome;
using State = SelftestLine::State;

// Few samples: it is the verdict that is tried here, not the time. The seconds matter to one
// specimen, which wastes more than that. Replays are looked for from the sixth sample on.
const SamplingRule quick{.fewest = 5, .most = 5, .width = 0, .seconds = 0.1},
    long_enough_for_replays{.fewest = 6, .most = 8, .width = 0, .seconds = 0.1};
// Without its guard a specimen of most kinds only has to be accepted: no number of samples shows
// more.
const SamplingRule to_be_accepted{.fewest = 2, .most = 2, .width = 0, .seconds = 0.1};
const SamplingRule& rule_of(const Specimen& specimen, bool guard_off) {
  if (specimen.guard == Guard::replay || specimen.guard == Guard::never_used)
    return long_enough_for_replays;
  return guard_off && specimen.sign == Sign::conviction ? to_be_accepted : quick;
}
// A margin that no jitter crosses, and rounds enough for the fake's speed to change a lot
// meanwhile.
const CompareRule comparing{
    .margin = 0.3, .resolution = 0, .fewest_rounds = 24, .most_rounds = 24, .seconds = 60};
// The size of batches does not go by what a call takes, so that what is seen does not depend on the
// machine's speed.
constexpr std::size_t batch_size = 4;
// No honest kernel of the self-test needs a second, on a machine that runs sixteen other programs
// either.
constexpr double usual_limit = 120, python_import_limit = 1.5;
constexpr int more_tries =
    2;  // a machine that is busy elsewhere may give an honest twin a label, but not every time

double limit_of(const Specimen& specimen) {
  return specimen.sign == Sign::conviction && specimen.figure > 0 ? specimen.figure : usual_limit;
}

// Specimens of a group are judged by the same judge.
auto group_of(const Specimen& specimen) {
  return std::tuple(specimen.task, specimen.place == SpecimenDevice::fake_cpu,
                    is_python(specimen.place), rule_of(specimen, false).fewest, limit_of(specimen));
}

core::DeviceInfo device_for(const Specimen& specimen, const core::DeviceInfo& at_hand) {
  if (specimen.place == SpecimenDevice::fake_cpu) return device::find_device("fake:0");
  if (specimen.place == SpecimenDevice::fake_gpu) return device::find_device("fake:2");
  return at_hand;
}

bool is_on_fake(const Specimen& specimen) {
  return specimen.place == SpecimenDevice::fake_cpu || specimen.place == SpecimenDevice::fake_gpu;
}

// The shipped files as a folder, since a task is one.
void unpack(const base::TemporaryFolder& folder) {
  for (const auto& name : base::resource_names("selftest/")) {
    base::make_folder((folder.path() / name).parent_path());
    base::write_file_atomically(folder.path() / name, base::resource(name));
  }
}

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

const core::Evidence* label_of(const core::Evaluation& evaluation, std::string_view guard) {
  for (const auto& evidence : evaluation.evidence)
    if (!evidence.convicts && evidence.guard == guard) return &evidence;
  return nullptr;
}

const core::CaseResult* timed_case(const core::Evaluation& evaluation) {
  for (const auto& result : evaluation.cases)
    if (result.timed) return &result;
  return nullptr;
}

std::string evidence_of(const core::Evaluation& evaluation) {
  for (const auto& evidence : evaluation.evidence)
    if (evidence.convicts)
      return evidence.guard.empty() ? evidence.text
                                    : fmt::format("[{}] {}", evidence.guard, evidence.text);
  return "";
}

// A verdict with its evidence, and how busy the machine was meanwhile.
struct Judged {
  core::Evaluation evaluation;
  runner::Contention contention;

  Tried tried() const { return {evaluation.outcome, contention}; }
};

class Selftest {
 public:
  Selftest(const core::DeviceInfo& info, const SelftestOptions& options)
      : info_(info), options_(options), folder_("hone-selftest") {
    unpack(folder_);
    try {
      if (options_.kind != "device" && core::can_run(core::Language::python, info_))
        runner::find_python();
    } catch (const base::Error& error) {
      no_python_ = error.what();
    }
    if (options_.no_clock) guards_ = without_clock();
    if (!options_.without.empty()) guards_.switch_off(guard_named(options_.without));
  }

  std::vector<SelftestLine> run() {
    std::vector<std::pair<std::size_t, SelftestLine>> lines;
    // One task after the other, so that its judge, with its reference and its pool of inputs,
    // serves all the specimens it has.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < all_specimens().size(); ++i)
      if (wanted(all_specimens()[i])) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
      return group_of(all_specimens()[a]) < group_of(all_specimens()[b]);
    });
    const auto start = Clock::now();
    for (const std::size_t i : order) {
      if (options_.cancelled != nullptr && *options_.cancelled) return {};
      progress_ = {lines.size() + 1, order.size(), "", {}};
      if (const auto done = static_cast<double>(lines.size()); done > 0)
        progress_.seconds_left = since(start) / done * (static_cast<double>(order.size()) - done);
      lines.emplace_back(i, line_for(all_specimens()[i]));
    }
    std::sort(lines.begin(), lines.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });

    std::vector<SelftestLine> result;
    if (!options_.without.empty()) {
      for (auto& [index, line] : lines) result.push_back(std::move(line));
      if (result.empty()) result.push_back(unshown());
      return result;
    }
    for (const Row& row : all_rows()) {  // all of them in order, those without a specimen too
      if (!options_.only_row.empty() && row.number != options_.only_row) continue;
      bool any = false;
      for (auto& [index, line] : lines)
        if (line.row == row.number) {
          result.push_back(line);
          any = true;
        }
      if (any) continue;
      SelftestLine line;
      line.row = row.number;
      line.title = row.title;
      line.text = info_.is_cpu ? row.not_on_cpu : row.not_on_gpu;
      if (line.text.empty()) line.text = why_not_tried(row);
      result.push_back(line);
    }
    return result;
  }

 private:
  bool wanted(const Specimen& specimen) const {
    if (!options_.without.empty() && specimen.guard != guard_named(options_.without)) return false;
    if (!options_.only_row.empty() && specimen.row != options_.only_row) return false;
    if (!options_.kind.empty() && is_python(specimen.place) != (options_.kind == "python"))
      return false;
    if (options_.no_clock && needs_the_clock(specimen.guard)) return false;
    return can_be_tried(specimen, info_) && (!is_python(specimen.place) || no_python_.empty());
  }

  SelftestLine unshown() const {
    SelftestLine line;
    line.guard = options_.without;
    if (options_.no_clock && needs_the_clock(guard_named(options_.without)))
      line.text = "it goes by the clock, which was not asked for";
    else
      for (const auto& guard : guard_lines(info_))
        if (guard.name == options_.without) line.text = guard.reason;
    if (line.text.empty()) line.text = "not asked for";
    return line;
  }

  std::string why_not_tried(const Row& row) const {
    const auto& all = all_specimens();
    if (options_.no_clock && std::any_of(all.begin(), all.end(), [&](const Specimen& specimen) {
          return specimen.row == row.number && needs_the_clock(specimen.guard);
        }))
      return "only the clock can show it, which was not asked for";
    return no_python_.empty() ? "not asked for" : "its specimens are in Python: " + no_python_;
  }

  core::Candidate candidate(const Specimen& specimen, std::string_view name,
                            core::Language language) const {
    const std::string_view task = specimen.task;
    const char* ending = is_python(specimen.place)            ? ".py"
                         : language == core::Language::cuda   ? ".cu"
                         : language == core::Language::opencl ? ".cl"
                                                              : ".fake";
    auto loaded =
        task::load_candidate(folder_.path() / "selftest" / task / (std::string(name) + ending));
    if (!loaded)
      base::fail(base::ExitCode::environment, "a specimen of the self-test cannot be read: {}",
                 task::render_with_sources(loaded.error()));
    return *std::move(loaded);
  }

  // One judge at a time: they come in the order of tasks, and each holds memory on the device.
  Judge& judge_for(const core::DeviceInfo& info, const Specimen& specimen, double limit) {
    const bool python = is_python(specimen.place);
    // A queue on a GPU goes on when its process is stopped. On the fake CPU a thread stands for it,
    // which must.
    const bool freeze = specimen.sign != Sign::interference;
    const std::string key =
        fmt::format("{} {} {} {} {} {}", info.id, specimen.task, limit,
                    rule_of(specimen, !options_.without.empty()).fewest, python, freeze);
    if (key == judge_key_) return *judge_;
    judge_.reset();
    auto loaded = task::load_task(folder_.path() / "selftest" / "tasks" / specimen.task);
    if (!loaded)
      base::fail(base::ExitCode::environment, "a task of the self-test cannot be read: {}",
                 task::render_with_sources(loaded.error()));
    JudgeOptions options;
    options.guards = guards_;
    if (!freeze) options.guards.switch_off(Guard::freeze);
    options.unsafe = options_.unsafe;
    options.call_seconds = limit;
    options.sampling = rule_of(specimen, !options_.without.empty());
    options.calls_per_batch = batch_size;
    options.diagnose = false;  // what was caught needs no explanation here
    if (python && limit < usual_limit) options.build_seconds = python_import_limit;
    if (python && options_.without == "limits") options.build_seconds = usual_limit;
    judge_ = std::make_unique<Judge>(*loaded, info, options);
    judge_key_ = key;
    return *judge_;
  }

  Judged evaluate(const core::DeviceInfo& info, const Specimen& specimen, std::string_view name,
                  double limit) {
    EvaluateOptions options;
    options.depth = specimen.depth;
    Judge& judge = judge_for(info, specimen, limit);
    const runner::ContentionMeter meter;
    auto evaluation = judge.evaluate(candidate(specimen, name, info.language), options);
    return {std::move(evaluation), meter.so_far()};
  }

  // What the twin got, once for each device, task and depth.
  const Judged& twin_of(const core::DeviceInfo& info, const Specimen& specimen) {
    auto& slot = twins_[fmt::format(
        "{} {} {} {} {}", info.id, specimen.task, core::name_of(specimen.depth),
        rule_of(specimen, !options_.without.empty()).fewest, is_python(specimen.place))];
    const auto doubtful = [&] {
      return slot->evaluation.outcome == Outcome::undecided ||
             (specimen.sign == Sign::label &&
              label_of(slot->evaluation, name_of(specimen.guard)) != nullptr);
    };
    if (!slot) slot = evaluate(info, specimen, "honest", usual_limit);
    for (int again = 0; again < more_tries && doubtful(); ++again)
      slot = evaluate(info, specimen, "honest", usual_limit);
    return *slot;
  }

  SelftestLine line_for(const Specimen& specimen) {
    const core::DeviceInfo info = device_for(specimen, info_);
    progress_.specimen = fmt::format("row {}: {} on {}", specimen.row, specimen.name, info.id);
    options_.progress(progress_);
    SelftestLine line{State::missed,
                      std::string(specimen.row),
                      std::string(specimen.what),
                      std::string(specimen.name) + (is_python(specimen.place) ? ".py" : ""),
                      std::string(name_of(specimen.guard)),
                      info.id,
                      "",
                      "",
                      "",
                      "",
                      false};
    const bool off = !options_.without.empty();
    Tried tried;
    const bool shows =
        specimen.sign == Sign::comparison     ? compared(info, specimen, line, off, tried)
        : specimen.sign == Sign::interference ? interferes(info, specimen, line, off)
                                              : judged(info, specimen, line, off, tried);
    line.state = off     ? (shows ? State::through : State::held_back)
                 : shows ? State::caught
                         : State::missed;
    // The fake GPU's clock is its own; only the judge's clock is real there.
    const bool real_clock =
        specimen.place != SpecimenDevice::fake_gpu || specimen.guard == Guard::judge_clock;
    const Guard guard = real_clock ? specimen.guard : Guard::none;
    if (off) {
      decide_if_busy(line, guard, tried, {});
      return line;
    }
    const Judged& honest = twin_of(info, specimen);
    const core::Evaluation& twin = honest.evaluation;
    line.twin = core::name_of(twin.outcome);
    line.twin_text = evidence_of(twin);
    const auto* label =
        specimen.sign == Sign::label ? label_of(twin, name_of(specimen.guard)) : nullptr;
    line.false_alarm = twin.outcome != Outcome::accepted || label != nullptr;
    if (label != nullptr) {
      line.twin += ", labelled";
      line.twin_text = label->text;
    }
    decide_if_busy(line, guard, tried, honest.tried());
    return line;
  }

  // Whether the specimen was caught; or, with its guard off, whether it came through.
  bool judged(const core::DeviceInfo& info, const Specimen& specimen, SelftestLine& line, bool off,
              Tried& tried) {
    const double limit = limit_of(specimen);
    if (!specimen.accomplice.empty())
      if (const auto before = evaluate(info, specimen, specimen.accomplice, limit).evaluation;
          before.outcome != Outcome::accepted)
        return line.verdict = "its accomplice failed", line.text = evidence_of(before), false;
    const Judged found = evaluate(info, specimen, specimen.name, limit);
    const auto& evaluation = found.evaluation;
    tried = found.tried();
    line.verdict = core::name_of(evaluation.outcome);
    line.text = evidence_of(evaluation);
    const bool accepted = evaluation.outcome == Outcome::accepted;
    const auto* timed = timed_case(evaluation);
    switch (specimen.sign) {
      case Sign::conviction:
        return off ? accepted : has_word(specimen.outcomes, core::name_of(evaluation.outcome));
      case Sign::label: {
        const auto* label = label_of(evaluation, name_of(specimen.guard));
        if (accepted) line.verdict += label != nullptr ? ", labelled" : ", no label";
        if (label != nullptr) line.text = label->text;
        if (!accepted)
          return !off && has_word(specimen.outcomes, core::name_of(evaluation.outcome));
        return (label == nullptr) == off;
      }
      case Sign::samples:
        if (timed != nullptr) line.verdict += fmt::format(", {} samples", timed->samples.size());
        return accepted && timed != nullptr && (timed->samples.size() < quick.fewest) == off;
      case Sign::time:
        if (timed != nullptr) line.verdict += fmt::format(", {:.3g} ms", 1e3 * timed->median);
        return accepted && timed != nullptr && (timed->median < specimen.figure) == off;
      default:
        return false;
    }
  }

  bool compared(const core::DeviceInfo& info, const Specimen& specimen, SelftestLine& line,
                bool off, Tried& tried) {
    const auto same = candidate(specimen, specimen.name, info.language);
    const runner::ContentionMeter meter;
    const auto result =
        compare(judge_for(info, specimen, usual_limit), same, same, {}, {}, comparing);
    tried.contention = meter.so_far();
    line.verdict = result.compared ? std::string(core::name_of(result.word)) : "not compared";
    line.text =
        result.compared
            ? fmt::format(
                  "a kernel compared with itself: {:.3f} of its own time ({:.3f} to {:.3f})",
                  result.ratio_estimate, result.ratio.low, result.ratio.high)
            : evidence_of(result.a) + evidence_of(result.b);
    return result.compared && (result.word == core::Comparison::faster) == off;
  }

  bool interferes(const core::DeviceInfo& info, const Specimen& specimen, SelftestLine& line,
                  bool off) {
    const auto twin = candidate(specimen, "honest", info.language),
               other = candidate(specimen, specimen.name, info.language);
    const auto result =
        compare(judge_for(info, specimen, usual_limit), twin, other, {}, {}, comparing);
    const bool harmed = result.a.outcome != Outcome::accepted;
    line.verdict = harmed ? fmt::format("its twin is {}", core::name_of(result.a.outcome))
                   : result.compared ? "compared"
                                     : std::string(core::name_of(result.b.outcome));
    line.text = evidence_of(harmed ? result.a : result.b);
    return harmed == off;
  }

  SelftestProgress progress_;
  core::DeviceInfo info_;
  const SelftestOptions& options_;
  base::TemporaryFolder folder_;
  GuardSet guards_;
  std::string no_python_;  // why none can be had
  std::string judge_key_;
  std::unique_ptr<Judge> judge_;
  std::map<std::string, std::optional<Judged>> twins_;
};

}  // namespace

std::string_view name_of(State state) {
  switch (state) {
    case State::caught:
      return "caught";
    case State::missed:
      return "MISSED";
    case State::through:
      return "came through";
    case State::held_back:
      return "HELD BACK";
    case State::undecided:
      return "undecided";
    default:
      return "not here";
  }
}

GuardSet without_clock(GuardSet guards) {
  for (const GuardInfo& info : all_guards())
    if (needs_the_clock(info.guard)) guards.switch_off(info.guard);
  return guards;
}

void decide_if_busy(SelftestLine& line, Guard guard, const Tried& specimen, const Tried& twin) {
  const auto waited = [&](const runner::Contention& contention) {
    line.outside_delay = std::max(line.outside_delay, runner::outside_share(contention));
  };
  // A busy machine can hide from a clock what a specimen gains, so that it is accepted. It explains
  // no other verdict.
  const bool not_shown = line.state == State::missed || line.state == State::held_back;
  const bool hidden = not_shown && specimen.outcome == Outcome::accepted &&
                      by_clock(guard) != ByClock::no && runner::is_busy(specimen.contention);
  if (specimen.outcome == Outcome::undecided || hidden) {
    line.state = State::undecided;
    waited(specimen.contention);
  }
  if (twin.outcome == Outcome::undecided) {
    line.false_alarm = false;
    line.twin_undecided = true;
    waited(twin.contention);
  }
}

std::vector<SelftestLine> selftest(const core::DeviceInfo& info, const SelftestOptions& options) {
  const bool known = options.only_row.empty() ||
                     std::any_of(all_rows().begin(), all_rows().end(),
                                 [&](const Row& row) { return row.number == options.only_row; });
  if (!known)
    base::fail(base::ExitCode::usage,
               "--only {}: rows are numbered 1 to 48, and there is 25b (docs/trust.md lists them)",
               options.only_row);
  return Selftest(info, options).run();
}

std::vector<GuardLine> guard_lines(const core::DeviceInfo& info) {
  std::vector<GuardLine> lines;
  for (const GuardInfo& guard : all_guards()) {
    GuardLine line{std::string(guard.name),
                   std::string(guard.rows),
                   std::string(core::name_of(guard.depth)),
                   std::string(guard.what),
                   "",
                   ""};
    for (const Specimen& specimen : all_specimens())
      if (specimen.guard == guard.guard && can_be_tried(specimen, info))
        line.specimens += fmt::format("{}{}{}", line.specimens.empty() ? "" : ", ", specimen.name,
                                      is_on_fake(specimen)        ? " (fake)"
                                      : is_python(specimen.place) ? " (Python)"
                                                                  : "");
    for (const Unshown& reason : unshown_guards())
      if (reason.guard == guard.guard && line.specimens.empty())
        line.reason = info.is_cpu ? reason.on_cpu : reason.on_gpu;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace hone::judge
