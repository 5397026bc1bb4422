// Tools for tasks: list, describe, check, make one; and saving a candidate's source, for agents
// that have no other way to write a file.
#include <fmt/format.h>

#include <filesystem>

#include "app/inputs.h"
#include "app/task_check.h"
#include "app/task_new.h"
#include "app/tasks.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "mcp/tool.h"
#include "task/candidate_loader.h"
#include "text/admission_text.h"

namespace hone::mcp {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

// ---- list_tasks

struct ListTasks : app::TasksRequest {};
void describe(base::Fields& f, ListTasks& a) {
  f.optional("folder", a.folder, "Only tasks below this folder.");
}
app::TasksResult list_tasks(ListTasks& a, Call& call) {
  a.folder = listed_inside(call.place, a.folder.empty() ? "." : a.folder, "folder");
  return app::tasks(a);
}

// ---- describe_task

struct DescribeTask : app::DescribeTaskRequest {};
void describe(base::Fields& f, DescribeTask& a) {
  f("task", a.task, "The task's folder, or a problem such as kernelbench:level1/23.");
  f.optional("format", a.format, "With the rules for writing a candidate (default: true).");
}
app::DescribedTask describe_task(DescribeTask& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  return app::describe_task(a, call.sink);
}
std::string described_text(const DescribeTask&, const app::DescribedTask& task) {
  std::string text = fmt::format("# Task {} ({}), for {}\n\n{}\n\n{}\n", task.name, task.folder,
                                 task.device, task.text, task.reference);
  for (const auto& seed : task.seeds)
    text +=
        fmt::format("\n# {}, a candidate to begin with\n\n```\n{}\n```\n", seed.file, seed.source);
  if (!task.format.empty()) text += "\n# How a candidate is written\n\n" + task.format + "\n";
  return text;
}

// ---- check_task

struct CheckTask : app::TaskCheckRequest {};
void describe(base::Fields& f, CheckTask& a) {
  f("task", a.task, "The task's folder.");
  f.optional("max_seconds", a.max_seconds, "For everything (default: ten minutes).");
}
app::TaskCheckResult check_task(CheckTask& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  if (a.max_seconds != 0) require_range("max_seconds", a.max_seconds, 1, 3600);
  call.evals = 1;
  return app::check_task(a, call.sink);
}
std::string checked_text(const CheckTask&, const app::TaskCheckResult& result) {
  if (!result.malformed.empty())
    return task::render_with_sources(result.malformed) + "\nThe task is not admitted.\n";
  if (result.task.external)
    return "The task is well formed, and external: only its own evaluator can judge by it.\n";
  return text::admission_text(result.task.name, result.admission, result.device, {});
}

// ---- new_task

struct NewTask : app::TaskNewRequest {};
void describe(base::Fields& f, NewTask& a) {
  f("folder", a.folder, "The new task's folder; its last part is the task's name.");
  f.optional("from", a.from,
             "The kernel: a .cl or .cu file, or a .py file with a function (FILE.py:FUNCTION). "
             "Without it a working example is written, to be changed.");
  f.optional("reference", a.reference,
             "What is computed, as a function of torch or NumPy in a .py file (FILE.py:FUNCTION).");
  f.optional("example", a.example, "Example inputs as Python, such as 'torch.randn(4096, 1000)'.");
  f.optional("seconds", a.seconds, "That a reference in Python may take (default: 120).");
}
app::TaskNewResult new_task(NewTask& a, Call& call) {
  a.folder = inside(call.place, a.folder, "folder");
  if (!a.from.empty()) a.from = file_and_function_inside(call.place, a.from, "from");
  if (!a.reference.empty())
    a.reference = file_and_function_inside(call.place, a.reference, "reference");
  require_range("seconds", a.seconds, 1, 3600);
  return app::new_task(a, call.sink);
}
std::string new_task_text(const NewTask& a, const app::TaskNewResult& result) {
  std::string text;
  for (const auto& file : result.files) text += fmt::format("wrote {}\n", file.string());
  for (const auto& note : result.notes) text += fmt::format("note: {}\n", note);
  return text + fmt::format("Look at {}/task.toml, then check the task.\n", a.folder);
}

// ---- save_candidate

struct SaveCandidate {
  std::string file, source;
  bool overwrite = false;
};
void describe(base::Fields& f, SaveCandidate& a) {
  f("file", a.file, "A .cl, .cu or .py file, which need not be there yet.");
  f("source", a.source, "All of its text.");
  f.optional("overwrite", a.overwrite, "Replace a file that holds another text.");
}
struct Saved {
  std::string file;
  std::size_t bytes = 0;
};
void describe(base::Fields& f, const Saved& saved) {
  f("written", saved.file)("bytes", saved.bytes);
}

Saved save_candidate(SaveCandidate& a, Call& call) {
  const fs::path file = candidate_inside(call.place, a.file, "file");
  if (a.source.size() > task::largest_source)
    base::fail(ExitCode::bad_input, "\"source\" has {} bytes, and a candidate may have {}",
               a.source.size(), task::largest_source);
  std::error_code ec;
  if (fs::is_directory(file, ec))
    base::fail(ExitCode::bad_input, "\"file\": {} is a folder", file.string());
  if (!a.overwrite && fs::exists(file, ec) && base::read_file(file) != a.source)
    base::fail(ExitCode::bad_input,
               "{} is there already and holds another text: choose another name, or say "
               "\"overwrite\": true",
               file.string());
  if (file.has_parent_path()) base::make_folder(file.parent_path());
  base::write_file_atomically(file, a.source);
  return {file.string(), a.source.size()};
}
std::string saved_text(const SaveCandidate&, const Saved& saved) {
  return fmt::format("wrote {} ({} bytes)\n", saved.file, saved.bytes);
}

int one_eval(const CheckTask&) { return 1; }

}  // namespace

std::vector<Tool> task_tools() {
  using enum Tool::Runs;
  return {
      make_tool({"list_tasks", "List tasks",
                 "Lists the tasks in the server's folder: what a candidate can be judged by.", here,
                 true},
                list_tasks),
      make_tool(
          {"describe_task", "Describe a task",
           "Says what a task asks for: tensors, cases, tolerance, the reference's source, the "
           "seeds that come with it, and how a candidate is written. Read this before you "
           "write a candidate.",
           apart, true},
          describe_task, described_text),
      judging(
          make_tool(
              {"check_task", "Check a task",
               "Says everything that is wrong with a task, and whether candidates can be judged "
               "by it: runs its reference and known wrong answers. Do this once for a new task.",
               apart},
              check_task, checked_text),
          one_eval),
      make_tool(
          {"new_task", "Make a task from a kernel",
           "Writes the folder of a new task, made from a kernel (.cl, .cu) or from a function "
           "of torch or NumPy (.py).",
           apart},
          new_task, new_task_text),
      make_tool({"save_candidate", "Save a candidate",
                 "Writes a candidate's source to a file in the server's folder, so that it can be "
                 "judged. Not needed where you can write files yourself.",
                 here},
                save_candidate, saved_text),
  };
}

}  // namespace hone::mcp
