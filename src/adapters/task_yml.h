#pragma once
// A problem of GPU MODE as its folder has it: task.yml, and the files that it names. Read here and
// nowhere else; the text is a stranger's, so everything that is wrong with it is an Error with file
// and line.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/fields.h"

namespace hone::adapters {

// Arguments of generate_input by name: numbers, words and lists, as the official parser has them.
using Arguments = std::map<std::string, base::RawJson>;

struct TaskYml {
  std::string name;     // of the folder
  std::string summary;  // the description's first line
  std::map<std::string, std::string>
      files;  // of the flat folder that its evaluator makes, without the submission
  std::vector<Arguments> tests, benchmarks;
  std::string ranking = "last";  // "last", "mean" or "geom"
  double test_timeout = 180;     // seconds
};

// `folder`, or the path of a task.yml.
TaskYml read_task_yml(const std::filesystem::path& folder);

}  // namespace hone::adapters
