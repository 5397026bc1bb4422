#pragma once
// Folders that the environment tells loaders of (libraries, OpenCL drivers, CUDA) and that lie outside the system's
// own. A worker must be able to read them, or it finds fewer devices and compilers than its parent did.
#include <string>
#include <vector>

namespace hone::runner {

// Existing folders only, and none that would uncover what the sandbox hides: the user's home, this program's, /tmp.
std::vector<std::string> loader_folders();

}  // namespace hone::runner
