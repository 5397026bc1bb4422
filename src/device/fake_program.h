#pragma once
// The fake's language: kernels that say how they behave instead of computing, so that the judge can
// be tested against crashes, hangs and lies without a device. After the plan's comment each line is
//     kernel NAME(buffer, buffer, int) copy ns=2000000
//     global NAME                                        (something device code may not have)
// Behaviours are done in the order written; x and y are the first and second buffer argument.
//
// Results:   copy, zeros, nothing, scale=K (f32), half (only the first half is copied), noise=EPS
//            (f32, relative error), nan (one, in the middle of y), stale (replays the first call's
//            y), by_address and by_sample (replay what they gave for the same addresses, or for the
//            same first 16 bytes).
// Trespass:  overrun and underrun (8 bytes beside y), scribble (changes x), thread (stays and keeps
//            changing y), trespass (a thread that leaves y alone until another process writes
//            there, and then spoils it).
// Failures:  crash, abort, hang, exhaust (memory), fork (many), fail (a launch error).
// Time:      ns=N (device), wall=N, then drift=D (relative, for each call), jitter=J (relative) and
//            process=P (relative, at random for each process, for as long as it lives) and place=P
//            (relative, at random for each process and block of memory, while it stays mapped);
//            real (device time as it really passed), spin=N (really spends N ns), warm=N (N ns of
//            device time where the caches were not flushed), halves=N (device time halves with
//            every N ns that the process has lived: a device that grows faster).
// When:      after=N (what follows only from call N on), first=N (only in the first N calls),
//            every=N (only in each N-th).
//
// N is an integer expression without spaces over the macros of the build, so that tunables can
// decide it.
#include <string>
#include <vector>

#include "device/device.h"

namespace hone::device {

struct FakeBehaviour {
  std::string word;
  double value = 0;
};

struct FakeKernel {
  KernelInfo info;
  std::vector<FakeBehaviour> behaviours;
};

struct FakeProgram {
  std::vector<FakeKernel> kernels;
  std::vector<std::string> globals;
};

// The failure is a compiler's log: "name:LINE: message" for each error.
base::Result<FakeProgram> parse_fake(
    const std::string& source, const std::string& name,
    const std::vector<std::pair<std::string, std::string>>& defines);
// The kernels as source again, with every value worked out: the fake's image.
std::string write_fake(const FakeProgram& program);

}  // namespace hone::device
