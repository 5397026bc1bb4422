#pragma once
// The version that the server tells of itself. Set once by the program before it serves.
#include <string>

namespace hone::mcp {

std::string& server_version();

}  // namespace hone::mcp
