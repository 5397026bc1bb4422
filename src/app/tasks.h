#pragma once
// Which tasks there are in a folder, and what one of them asks for: all that the author of a
// candidate has to know. Nothing is compiled, run or judged here.
#include <filesystem>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct TasksRequest {
  std::string folder;  // tasks may lie some folders below it
};

struct ListedTask {
  std::string task;  // what requests name it by: its folder, seen from the current one
  std::string name, summary;
  std::vector<std::string> seeds;  // candidates that come with it: "seed.cl"
  std::string mistake;             // why it cannot be loaded; "": it can
};

struct TasksResult {
  std::vector<ListedTask> tasks;  // in the order of their folders
  bool complete = true;           // false: there are more than are looked for
};

TasksResult tasks(const TasksRequest& request);
void describe(base::Fields& fields, const TasksResult& result);

struct DescribeTaskRequest : CommonOptions {
  std::string task;    // its folder, or a problem of KernelBench or GPU MODE
  bool format = true;  // with the rules for candidates in the device's language
};

struct DescribedTask {
  std::string name, folder, device;
  std::string text;       // tensors, scalars, tolerance, work, cases, as the prompts of runs say it
  std::string reference;  // the source that says what is computed; "": none that could be shown
  struct Seed {
    std::string file, source;
  };
  std::vector<Seed> seeds;
  std::string format;  // how a candidate is written; "": not asked for
};

DescribedTask describe_task(const DescribeTaskRequest& request, Sink& sink);
void describe(base::Fields& fields, const DescribedTask& task);

}  // namespace hone::app
