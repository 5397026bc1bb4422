#pragma once
// Where the candidates of a run are judged: here, on a thread that owns the judge; elsewhere, through an executor that
// moves jobs as files; or by somebody else's evaluator. Asked from many threads at once.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/advice.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "store/comparisons.h"

namespace hone::run {

// One candidate to be judged.
struct JudgeRequest {
  std::string name;  // of the job, unique for all time
  core::Candidate candidate;
  core::Depth depth = core::Depth::screen;
  // The one to beat: compared with in interleaved blocks if the candidate is accepted and comes near it; and if it is
  // faster, it is certified at once, because it would become the incumbent.
  std::optional<core::Candidate> incumbent;
  double incumbent_seconds = 0;  // as screened
  std::string rivals;            // the run: of its candidates one at a time can take the incumbent's place
  bool explain = false;          // profiled too, if it is accepted: where asking later would be another journey
};

struct Judged {
  core::Evaluation evaluation;                // the certifying one, where there were two and it was not accepted
  std::optional<core::Evaluation> certified;  // in the same process: not yet the last word
  std::optional<store::ComparisonRecord> comparison;  // a: the incumbent, b: the candidate
  std::optional<core::Profile> profile;
  std::string device_name;  // where it was judged
};

struct ProbeRequest {
  std::string name, source;
};
struct Probed {
  std::vector<std::pair<std::string, double>> numbers;
  std::string failure;  // "": the numbers are there
};

// An accepted candidate whose time is to be explained.
struct ProfileRequest {
  std::string name;  // of the job
  core::Candidate candidate;
  core::Evaluation evaluation;        // as it was accepted
  std::vector<std::string> programs;  // tools of the user's; they do not leave this machine
};
struct Profiled {
  std::optional<core::Profile> profile;
  std::string failure;  // why there is none
  std::string device_name;
};

// Jobs whose judge could not tell are done once more, under this name.
inline std::string again(const std::string& job) { return job + "-again"; }

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Nothing: the job is away, or `give_up` said so.
  virtual std::optional<Judged> judge(const JudgeRequest& request, const std::function<bool()>& give_up) = 0;
  virtual std::optional<Probed> probe(const ProbeRequest& request, const std::function<bool()>& give_up) = 0;
  // What would be reported: certified with unseen seeds and compared with the seed, both in a process that has seen
  // nothing yet. Nothing: as above, or it has no such thing (an external evaluator).
  struct Final {
    core::Evaluation evaluation;
    std::optional<store::ComparisonRecord> comparison;  // a: the seed
    std::string device_name;
  };
  virtual std::optional<Final> certify(const std::string& name, const core::Candidate& best,
                                       const core::Candidate* seed, const std::function<bool()>& give_up) = 0;
  // Nothing: as for judge(). What goes wrong is told in the answer: an explanation that fails costs a run nothing.
  virtual std::optional<Profiled> profile(const ProfileRequest& request, const std::function<bool()>& give_up) = 0;
  virtual bool profiles() const = 0;   // profile() has a meaning
  virtual bool away() const = 0;       // jobs leave this machine, and results come with a person
  virtual bool certifies() const = 0;  // certify() has a meaning
  virtual std::string describe() const = 0;
};

}  // namespace hone::run
