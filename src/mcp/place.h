#pragma once
// Where the tools of a server work, decided by the person who starts it and never by an agent: the
// one folder whose files may be read and written, the device, the archive, and the models of runs.
// Plain values; any thread. The current folder of the process is that folder.
#include <filesystem>
#include <map>
#include <string>

#include "app/common_options.h"
#include "base/fields_fwd.h"

namespace hone::mcp {

struct Place {
  std::filesystem::path folder;  // absolute, without links
  app::CommonOptions common;
  std::map<std::string, std::string> models, prices;  // of runs, by role; "" is for all
  double max_usd = 0;                                 // that runs may spend
};
void describe(base::Fields& fields, Place& place);  // for processes that hone starts

// Throws Error where there is no such folder.
Place place_at(const std::filesystem::path& folder);

// A path as an agent gives it (relative to the folder, or absolute), seen from the folder. Throws
// Error (bad_input) where it leads outside, also by a link; of a folder that is named, where
// anything below it is a link that does. What is to be written need not be there yet.
std::string inside(const Place& place, const std::string& path, const char* argument);
// A folder whose parts are only listed, without following links.
std::string listed_inside(const Place& place, const std::string& path, const char* argument);
// A task: a folder inside, or the name of a problem of KernelBench.
std::string task_inside(const Place& place, const std::string& task);
// A candidate's file, to be written: .cl, .cu or .py, and no task's reference.
std::string candidate_inside(const Place& place, const std::string& path, const char* argument);
// FILE.py:FUNCTION or a file.
std::string file_and_function_inside(const Place& place, const std::string& text,
                                     const char* argument);

}  // namespace hone::mcp
