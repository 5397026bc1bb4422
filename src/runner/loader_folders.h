#pragma once
// Folders that environment variables name for loaders (libraries, OpenCL drivers, CUDA) and that
// lie outside the system folders. A worker must be able to read them, or it finds fewer devices and
// compilers than its parent did. Reads the environment and the disk; any thread.
#include <string>
#include <vector>

namespace hone::runner {

// Existing folders only, and none that contains what the sandbox hides: the user's home, Hone's own
// folder, /tmp.
std::vector<std::string> loader_folders();

}  // namespace hone::runner
