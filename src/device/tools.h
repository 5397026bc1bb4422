#pragma once
// Where the programs of a vendor's toolkit lie on this machine: profilers, checkers, disassemblers.
// Nothing is started here.
#include <string>

namespace hone::device {

// The path of a program ("ncu", "compute-sanitizer", "nvdisasm"), looked for in PATH, the CUDA
// toolkits, Nsight Compute's folders and Python wheels; "" if it is nowhere.
std::string find_tool(const std::string& name);

}  // namespace hone::device
