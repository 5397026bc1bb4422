#pragma once
// Whether files of the current folder and those above it change how hone works (.hone/resources,
// hone.toml). They do not where others may write there: in the folder that a server for agents
// names. Said by the environment, which the processes that hone starts have too.

namespace hone::base {

inline constexpr const char* project_files_variable = "HONE_PROJECT_FILES";  // "off"
bool project_files_count();

}  // namespace hone::base
