#pragma once
// `hone export`: a candidate as files that work without Hone, written to a folder.
#include <filesystem>
#include <string>
#include <vector>

#include "app/sink.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct ExportRequest {
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
};

ExportResult export_candidate(const ExportRequest& request, Sink& sink);

void describe(base::Fields& fields, const ExportResult& result);  // {"written": [...]}

}  // namespace hone::app
