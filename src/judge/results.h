#pragma once
// Compares the results of calls with the truth. A result that was found right on an input is
// recognised by its fingerprint, whose key is secret, and is not compared again: every byte still
// counts, at a third of the cost. One object per case and candidate, on the judge's thread.
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "judge/buffers.h"
#include "judge/finding.h"
#include "judge/pool.h"
#include "judge/precision/bounds.h"
#include "judge/precision/placing.h"

namespace hone::judge {

// The errors of one call, or the worst of several.
struct CallErrors {
  double max = 0, rms = 0, honest_rms = 0;  // the worst output's
  std::vector<ErrorPair> by_output;

  void add(const ErrorPair& error, double honest);
};

class ResultChecker {
 public:
  ResultChecker(const core::Task& task, device::TensorOps& ops, const GuardSet& guards)
      : task_(task), ops_(ops), guards_(guards) {}

  // Whether the outputs in `working` are right for the entry; `fingerprints` are theirs. The value:
  // whether any output was new and had to be compared with the truth.
  base::Result<bool, Finding> check(const Entry& entry, const BufferSet& working,
                                    std::span<const std::uint64_t> fingerprints,
                                    CallErrors& errors);
  // Before an entry goes away, or when its known result can no longer be trusted.
  void forget(const Entry& entry);
  // Whether outputs were filled with NaN before the call, so that evidence can say what a NaN may
  // mean.
  void outputs_held_nan(bool held) { outputs_held_nan_ = held; }
  void forget_all() { known_.clear(), asked_.clear(); }
  void forget_result(const Entry& entry) { known_.erase(&entry); }
  double worst_error() const { return worst_error_; }  // the largest scaled error over all calls
  // Over all calls: which output was computed in how narrow a precision, where the task takes any;
  // empty: none.
  const std::string& narrow_precision() const { return narrow_; }
  const ClassTally& classes() const { return classes_; }
  void restart_classes() { classes_ = {}; }  // only without the guard timed-class

 private:
  struct KnownResult {
    std::uint64_t fingerprint = 0;
    ErrorPair error;
    std::int64_t refused = 0;  // elements that the benchmark's own check would refuse
  };
  struct Measured;
  base::Result<KnownResult, Finding> check_output(std::size_t index, const Entry& entry,
                                                  const BufferSet& working);
  MaybeFinding check_error(const Measured& measured) const;
  std::string nan_hint(const Measured& measured) const;
  MaybeFinding check_by_problem(const Entry& entry, const BufferSet& working);
  void note_precision(const Measured& measured);
  void note_class(const Entry& entry, const std::vector<KnownResult>& results);
  bool only_the_problem_decides() const;

  const core::Task& task_;
  device::TensorOps& ops_;
  const GuardSet& guards_;
  std::map<const Entry*, std::vector<KnownResult>> known_;  // by output, the last that was compared
  std::set<const Entry*> asked_;  // entries on which the problem's own check was asked
  ClassTally classes_;
  bool outputs_held_nan_ = false;
  double worst_error_ = 0;
  std::string narrow_;
  double narrowest_ = 0;  // its rms error over an honest kernel's
};

}  // namespace hone::judge
