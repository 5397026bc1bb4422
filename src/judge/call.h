#pragma once
// One judged call of a candidate: fresh contents at fresh addresses, poison, canaries, the launch
// under the clock, and then every check. Verifying calls and timed calls are this same call;
// nothing tells them apart from inside. A Caller serves one candidate on one case and lives no
// longer than its working buffers; on the judge's thread.
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "judge/arrival.h"
#include "judge/batch_call.h"
#include "judge/buffers.h"
#include "judge/finding.h"
#include "judge/results.h"
#include "judge/secrets.h"
#include "judge/since.h"
#include "runner/runner.h"

namespace hone::judge {

constexpr double shortest_seconds = 1e-7;  // of a call: logarithms and ratios of times are taken

struct CallResult {
  runner::Timed timed;  // of all calls of the batch
  CallErrors errors;
  std::uint64_t fingerprint = 0;  // of all outputs, where it is asked for
  // Seconds from the answer until the device did the judge's next work, where the candidate's may
  // go on after the answer: a device that is still busy with that makes them more.
  double settled = 0;
  double prepared = 0;  // seconds that preparing the call took
  std::size_t sets_before =
      0;  // calls of the request before it, whose memory is unmapped while this one is prepared
};

struct CallOptions {
  bool flush = true;            // drive the caches out first
  bool private_memory = false;  // exact-size allocations, for memory checkers
  int skip_launch = -1;
  double seconds = 10;      // limit for the launch itself
  bool verify = true;       // false only without the guard verify-timed, and in profiles
  std::vector<int> marked;  // for profilers; see device::CallRequest
  bool record = false;
  bool one_by_one = false;    // see device::CallRequest
  bool keep_scratch = false;  // leave scratch as the call before left it
  bool fingerprint = false;   // whether the result's fingerprint is wanted
  // Only for device code, which holds no state. in_place: memory stays mapped at the addresses it
  // has, and an input that still lies there from an earlier call is not written again; it is
  // checked after the call as always. With `elsewhere` it is mapped at new addresses for this call
  // and stays there for later ones.
  bool in_place = false, elsewhere = false;
};

class Caller {
 public:
  // `working` holds inputs, outputs, then scratch, in the order of the plan's buffers.
  Caller(const core::Task& task, const core::Case& which, device::TensorOps& ops,
         BufferSet& working, Secrets& secrets, const GuardSet& guards,
         const core::DeviceInfo& info);

  // Takes the fingerprints of an entry's inputs now; otherwise the first call on it does.
  void take_fingerprints(const Entry& entry);
  // Before an entry that was called goes away.
  void forget(const Entry& entry);
  void forget_all();
  base::Result<CallResult, Finding> call(const BoundCandidate& bound, const Entry& entry,
                                         const CallOptions& options);
  // Several calls issued in one request, each verified like one alone.
  base::Result<CallResult, Finding> call(const BoundCandidate& bound,
                                         const std::vector<BatchCall>& jobs,
                                         const CallOptions& options);
  // Whether the results that the last call left are right for this entry, whose expected values
  // were not known then.
  MaybeFinding check_afterwards(const BatchCall& job, const Entry& entry);
  const ResultChecker& results() const { return results_; }
  void restart_classes() { results_.restart_classes(); }  // only without the guard timed-class

 private:
  // The outputs as they were when the answer came, for what may still be at work then.
  struct FirstLook;
  base::Result<CallResult, Finding> run(const BoundCandidate& bound,
                                        const std::vector<BatchCall>& jobs,
                                        const CallOptions& options);
  base::Result<double, Finding> prepare(const BoundCandidate& bound,
                                        runner::PrepareRequest request) const;
  MaybeFinding write_inputs(const BoundCandidate& bound, const std::vector<BatchCall>& jobs,
                            const CallOptions& options, bool flush);
  void lay_out(const BatchCall& job, const Entry* entry, const CallOptions& options);
  void drive_caches_out(bool has_host_code);
  FirstLook look_at_once(const std::vector<BatchCall>& jobs, Clock::time_point answered);
  MaybeFinding check_late_work(const std::vector<BatchCall>& jobs, const FirstLook& look,
                               bool compared);
  base::Result<bool, Finding> check_results(const std::vector<BatchCall>& jobs,
                                            const std::vector<std::uint64_t>& fingerprints,
                                            CallErrors& errors);
  MaybeFinding check_canaries(const std::vector<BatchCall>& jobs);
  MaybeFinding check_inputs(const std::vector<BatchCall>& jobs);

  const core::Task& task_;
  const core::Case& case_;
  device::TensorOps& ops_;
  BufferSet& working_;
  Secrets& secrets_;
  const GuardSet& guards_;
  const core::DeviceInfo& info_;
  const core::Capabilities device_;
  std::map<const Entry*, std::vector<std::uint64_t>> input_fingerprints_;
  ResultChecker results_;
  Arrival arrival_;
  std::uint64_t key_;  // of all fingerprints
  CacheFlush flush_;
};

}  // namespace hone::judge
