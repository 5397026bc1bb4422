#pragma once
// A kernel with its schedule disturbed: the same PTX with delays before what its warps wait for one
// another by (barriers, copies, fences, accesses of shared memory). Which warp waits how long at
// which place comes from a hash of the warp, the block, the place, a seed and the time at which the
// block began, so that every call is another schedule. A thread's delays are few and end after some
// hundred microseconds. A program without races computes the same. Pure.
#include <cstdint>
#include <string>
#include <string_view>

namespace hone::device {

struct DisturbedPtx {
  std::string ptx;
  int places = 0;  // with a delay, in all kernels
};
// In a seed: the same code with no delay taken, which tells what the delays do from what the code
// around them does (it takes registers, so fewer blocks may be resident).
constexpr std::uint32_t without_delays = 0x8000'0000;
DisturbedPtx disturb_ptx(std::string_view ptx, std::uint32_t seed);

}  // namespace hone::device
