#pragma once
// A launch of a resolved plan as OpenCL takes it, its arguments checked against the kernel's own
// parameters. Made when a call is prepared, so that nothing is left to work out between "go" and
// "done".
#include <array>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/opencl_library.h"

namespace hone::device {

struct LoadedKernel {
  ClKernel kernel;
  KernelInfo info;
};

// An argument as clSetKernelArg takes it. Buffers are filled in for each binding set.
struct EncodedArg {
  core::ResolvedArg::Kind kind = core::ResolvedArg::Kind::integer;
  int buffer = 0;
  std::size_t size = 0;
  std::array<unsigned char, 8> bits{};
};

struct EncodedLaunch {
  const LoadedKernel* kernel = nullptr;
  std::string name;  // "launch 2 ('row_max')", for messages
  std::size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  std::vector<EncodedArg> args;
};

using LoadedKernels = std::map<std::string, LoadedKernel>;

// The failure names the launch and says what does not fit. The result points into `kernels`.
base::Result<EncodedLaunch> encode_launch(const core::ResolvedLaunch& launch,
                                          const LoadedKernels& kernels);
std::uint64_t local_bytes(const EncodedLaunch& launch);  // of its local buffers together

}  // namespace hone::device
