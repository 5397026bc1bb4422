#pragma once
// `hone export`: a candidate as files that work without Hone, written to a folder. What stands in
// the files is made by src/export; here the task and the candidate are found, and files that hold
// something else are kept.
#include <filesystem>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct ExportRequest : CommonOptions {  // the archive alone; no device is needed
  std::string task;  // its folder or kernelbench:LEVEL/NUMBER; "": only for some formats of Python
  std::string candidate;  // a file
  // "cuda", "opencl", "torch", "hf-kernels", "kernelbench", "gpumode"; "": C++ in the candidate's
  // own language
  std::string format;
  std::string out;               // the folder; "": one named after the task and the format, here
  std::vector<std::string> set;  // NAME=VALUE for tunables
  bool force = false;            // overwrite files that hold something else
};

struct ExportResult {
  struct File {
    std::filesystem::path path;
    std::string name;                // in the folder
    std::vector<std::string> notes;  // what its user should know, as sentences
  };
  std::vector<File> files;
  std::string warning;  // that the candidate was refused when it was judged last; "": it was not
};

ExportResult export_candidate(const ExportRequest& request, Sink& sink);

void describe(base::Fields& fields,
              const ExportResult& result);  // {"written": [...]}, and a "warning"

}  // namespace hone::app
