// Jobs and results as text: see run/job.h.
#include "base/error.h"
#include "base/json.h"
#include "run/job.h"
#include "task/candidate_loader.h"

namespace hone::run {
namespace {

using base::Fields;

// A candidate as it travels.
struct SourceText {
  std::string source, name;
  core::Language language = core::Language::opencl;
};

void describe(Fields& f, SourceText& text) {
  f("source", text.source)("language", text.language)("name", text.name);
}

core::Candidate candidate_of(const SourceText& text) {
  auto candidate = task::candidate_from(text.source, text.language, text.name);
  if (!candidate)
    base::fail(base::ExitCode::bad_input, "its candidate cannot be read: {}",
               base::render(candidate.error(), text.source));
  return *std::move(candidate);
}

void describe_candidate(Fields& f, const char* name, std::optional<core::Candidate>& candidate) {
  std::optional<SourceText> text;
  if (candidate) text = {candidate->source, candidate->name, candidate->language};
  f.sparse(name, text);
  if (f.reading() && text) candidate = candidate_of(*text);
}

void describe_comparison(Fields& f, Job& job) {
  f("compare_point", job.compare_point)("compare_under", job.compare_under);
  f("certify_if_faster", job.certify_if_faster);
  f.optional("rivals", job.rivals);
}

// Reads what describes itself and its format; what is wrong becomes a sentence.
template <typename T>
base::Result<T> read_text(const std::string& text, const char* what) {
  T value;
  const auto described = [&](Fields& f) {
    base::RawJson format;
    f("format", format);
    if (format.text != std::to_string(job_format))
      base::fail(base::ExitCode::bad_input, "its format is {}, and this hone knows {}", format.text,
                 job_format);
    describe(f, value);
  };
  try {
    base::read_json(text, described);
    return value;
  } catch (const base::Error& error) {
    return base::Failure{
        fmt::format("this is no {} of a format this hone knows: {}", what, error.what())};
  }
}

template <typename T>
std::string written_text(const T& value) {
  return base::json_line([&](Fields& f) {
    f("format", job_format);
    f.value(value);
  });
}

}  // namespace

void describe(Fields& f, ProfileJob& profile) {
  f("evaluation", profile.evaluation);
  f.optional("under", profile.under);
}

void describe(Fields& f, TuneJob& tune) {
  f("most", tune.most).optional("under", tune.under).optional("beats", tune.beats);
}

void describe(Fields& f, Job& job) {
  core::Language language = language_of(job);
  f("name", job.name)("task_folder", job.task_folder)("task", job.task)("language", language);
  if (f.reading()) job.probe_language = language;
  f("depth", job.depth);
  f("case", job.case_name)("fresh", job.fresh)("call_seconds", job.call_seconds);
  describe_candidate(f, "candidate", job.candidate);
  if (job.candidate) f("point", job.point);
  describe_candidate(f, "compare_with", job.compare_with);
  if (job.compare_with) describe_comparison(f, job);
  describe_candidate(f, "seed", job.seed);
  f.sparse("probe", job.probe).sparse("profile", job.profile).sparse("tune", job.tune);
}

void describe(Fields& f, JobResult& result) {
  f("name", result.name);
  f.optional("content", result.content);
  f("device", result.device)("ceilings", result.ceilings)("seconds", result.seconds);
  f.sparse("evaluation", result.evaluation).sparse("comparison", result.comparison);
  f.sparse("certified", result.certified).sparse("certified_afresh", result.certified_afresh);
  f.sparse("beside_seed", result.beside_seed).sparse("not_compared", result.not_compared);
  f.sparse("profile", result.profile).sparse("not_profiled", result.not_profiled);
  f.sparse("tuning", result.tuning).sparse("as_written", result.as_written);
  f.sparse("beside_default", result.beside_default);
  f.sparse("probe", result.probe).sparse("probe_failure", result.probe_failure);
  f.sparse("error", result.error);
}

std::string to_text(const Job& job) { return written_text(job); }
std::string to_text(const JobResult& result) { return written_text(result); }
base::Result<Job> job_from(const std::string& text) { return read_text<Job>(text, "job"); }
base::Result<JobResult> result_from(const std::string& text) {
  return read_text<JobResult>(text, "result");
}

}  // namespace hone::run
