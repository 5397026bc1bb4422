#include "tables/baselines.h"

#include <fcntl.h>
#include <unistd.h>

#include <sstream>

#include "base/error.h"
#include "base/fd.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"

namespace hone::tables {
std::optional<Best> best_of(const BaselineLine& line, bool python) {
  const bool eager = line.eager.median > 0,
             compiled = line.compiled.median > 0 && line.class_name != "protocol";
  if (!eager && !compiled) return std::nullopt;
  const bool batched = python && (!eager || line.eager.batch_seconds > 0) &&
                       (!compiled || line.compiled.batch_seconds > 0);
  const auto seconds = [&](const BaselineTime& time) {
    return batched ? time.batch_seconds : time.median;
  };
  if (compiled && (!eager || seconds(line.compiled) < seconds(line.eager)))
    return Best{"compile", seconds(line.compiled), batched};
  return Best{"eager", seconds(line.eager), batched};
}

std::string reference_hash(const core::Task& task) {
  return source_hash(task.reference_py.value_or(""));
}

std::string source_hash(const std::string& reference_py) {
  return base::Hasher().add(reference_py).hex().substr(0, 32);
}

namespace {

void describe_interval(base::Fields& f, BaselineTime& time) {
  core::Interval interval{time.low, time.high};
  f.optional("interval_s", interval);
  if (f.reading()) time.low = interval.low, time.high = interval.high;
}

}  // namespace

void describe(base::Fields& f, BaselineTime& time) {
  const bool measured = time.median > 0;
  if (f.reading() || !measured) f.optional("missing", time.missing);
  if (!f.reading() && !measured) return;
  f.optional("median_s", time.median);
  describe_interval(f, time);
  f.optional("wall_s", time.wall).optional("samples", time.samples);
  f.optional("error_max", time.error_max).optional("error_rms", time.error_rms);
  f.sparse("in_a_row_s", time.batch_seconds).sparse("calls_in_a_row", time.batch_calls);
  f.sparse("ceiling_fraction", time.ceiling_fraction);
  if (!f.reading() && !time.ceiling_fraction) return;
  f("ceiling_s", time.ceiling_fraction.value_or(0) * time.median);
  f.optional("ceiling", time.ceiling);
}

void describe(base::Fields& f, BaselineLine& line) {
  f("problem", line.problem);
  f.optional("reference", line.reference);
  f("class", line.class_name);
  f.optional("device", line.device).optional("device_name", line.device_name);
  f.optional("driver", line.driver).optional("python", line.python).optional("torch", line.torch);
  f.optional("when", line.when);
  f.sparse("weak", line.weak).sparse("failed", line.failed);
  if (f.reading() || !line.failed.empty()) f.sparse("passing", line.transient);
  if (!f.reading() && !line.failed.empty()) return;
  f.optional("eager", line.eager);
  if (f.reading() || line.compiled.median > 0 || !line.compiled.missing.empty())
    f.optional("compile", line.compiled);
  if (const auto best = best_of(line); best && !f.reading())
    f.group("best", [&] { f("mode", best->mode)("median_s", best->seconds); });
}

std::vector<BaselineLine> read_baselines(const std::filesystem::path& file) {
  std::vector<BaselineLine> lines;
  std::error_code ec;
  if (!std::filesystem::is_regular_file(file, ec)) return lines;
  std::istringstream text(base::read_file(file));
  for (std::string one; std::getline(text, one);) {
    if (!base::is_json_object(one)) continue;  // its writer was killed in the middle
    auto line = base::from_json<BaselineLine>(one);
    if (!line)
      base::fail(base::ExitCode::bad_input, "{}: this is no line of baselines ({}): {}",
                 file.string(), line.error(), one.substr(0, 200));
    lines.push_back(*std::move(line));
  }
  return lines;
}

void append_baseline(const std::filesystem::path& file, const BaselineLine& line) {
  if (file.has_parent_path()) base::make_folder(file.parent_path());
  const base::Fd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd)
    base::fail(base::ExitCode::environment, "{} cannot be written: {}", file.string(),
               base::errno_text());
  std::string text = base::json_line(line) + "\n";
  // A line whose writer was killed in the middle is ended first.
  char last = '\n';
  if (const off_t size = ::lseek(fd.get(), 0, SEEK_END);
      size > 0 && ::pread(fd.get(), &last, 1, size - 1) == 1)
    if (last != '\n') text.insert(0, "\n");
  const ssize_t written =
      ::write(fd.get(), text.data(), text.size());  // one call: lines of two writers do not mix
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(fd.get()) != 0)
    base::fail(base::ExitCode::environment, "{} cannot be written: {}", file.string(),
               base::errno_text());
}

std::filesystem::path home_baselines() { return base::home_folder() / "baselines.jsonl"; }

const BaselineLine* find_baseline(const std::vector<BaselineLine>& lines,
                                  const std::string& reference, const std::string& device,
                                  const std::string& class_name) {
  const BaselineLine* found = nullptr;
  for (const auto& line : lines)
    if (line.reference == reference && line.device == device && line.class_name == class_name &&
        (line.failed.empty() || found == nullptr || !found->failed.empty()))
      found = &line;
  return found;
}

}  // namespace hone::tables
