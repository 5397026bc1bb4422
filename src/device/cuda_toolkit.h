#pragma once
// Where a CUDA toolkit may lie on this machine: the usual folders, CUDA_HOME, and Python wheels.
// Nothing is opened here.
#include <string>
#include <vector>

namespace hone::device::cuda {

// Paths and bare names to try for libnvrtc, best first.
std::vector<std::string> nvrtc_places();

// Likewise for libcupti.
std::vector<std::string> cupti_places();

// The toolkit's header folders that exist (with cuda_fp16.h, and cccl beside it), best first;
// `library` is the NVRTC in use, whose own toolkit wins.
std::vector<std::string> header_folders(const std::string& library);

}  // namespace hone::device::cuda
