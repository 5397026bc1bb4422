#include "task/task_loader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "task/candidate_loader.h"
#include "task/external_task.h"
#include "task/gpumode_task.h"
#include "task/kernelbench_task.h"
#include "task/plan_parser.h"
#include "task/task_parser.h"

namespace hone::task {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t largest_task =
    256u << 10;  // bytes of a task.toml; real ones have a few thousand

void append(Diagnostics& all, const Diagnostics& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Names in a folder that a person may have meant; a folder of a million entries is looked at only
// so far.
std::vector<std::string> folders_in(const fs::path& parent, bool with_task) {
  constexpr int most_entries = 1000;
  std::vector<std::string> names;
  std::error_code ec;
  int seen = 0;
  for (fs::directory_iterator entry(parent.empty() ? "." : parent, ec), end;
       !ec && entry != end && seen < most_entries; entry.increment(ec), ++seen)
    if (std::error_code ignored; entry->is_directory(ignored) &&
                                 (!with_task || fs::exists(entry->path() / "task.toml", ignored)))
      names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Diagnostics no_such_task(const fs::path& folder) {
  const fs::path plain = folder.has_filename() ? folder : folder.parent_path();
  const auto names = folders_in(plain.parent_path(), true);
  std::string text = "there is no such task" + did_you_mean(plain.filename().string(), names);
  if (!text.ends_with("?") && !names.empty()) {
    constexpr std::size_t most_names = 12;
    text += fmt::format(" (here are: {})",
                        join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                 names.size(), most_names))},
                             "and"));
  }
  return {{folder.string(), {}, text}};
}

// A file that may be absent.
void read_optional(const fs::path& path, std::optional<std::string>& to, Diagnostics& wrong) {
  if (std::error_code ec; !fs::exists(fs::symlink_status(path, ec))) return;
  auto text = read_source(path);
  if (text)
    to = std::move(*text);
  else
    append(wrong, text.error());
}

// `hone task new --from` leaves this word where the computation has to be written.
void find_unfinished(const std::string& text, const std::string& file, Diagnostics& wrong) {
  const auto at = text.find("HONE_UNFINISHED");
  if (at == std::string::npos) return;
  const auto line =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  const auto start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);  // npos + 1 is 0
  wrong.push_back({file,
                   {static_cast<int>(line), static_cast<int>(at - (start + 1)) + 1},
                   "the reference is still to be written"});
}

void read_reference(const fs::path& path, core::Task& task, Diagnostics& wrong) {
  auto text = read_source(path);
  if (!text) {
    if (std::error_code ec; fs::exists(path, ec)) return append(wrong, text.error());
    wrong.push_back({path.string(),
                     {},
                     "the reference is missing: a task needs C++ that computes the truth (`hone "
                     "task new` writes an example)"});
    return;
  }
  task.reference_cc = std::move(*text);
  find_unfinished(task.reference_cc, path.string(), wrong);
  if (task.reference_cc.find("HONE_REFERENCE") == std::string::npos)
    wrong.push_back(
        {path.string(),
         {},
         "there is no HONE_REFERENCE(call) { ... } in it: that is the function Hone calls"});
}

std::string hash_of(const std::string& toml, const core::Task& task) {
  base::Hasher hasher;
  hasher.add("hone task 1").add(toml).add(task.reference_cc);
  if (task.reference_py) hasher.add("python").add(*task.reference_py);
  if (task.own_check) hasher.add("gpumode").add(task.own_check->problem);
  if (task.interface) hasher.add("interface").add(*task.interface);
  for (const auto* text : {&task.reference_cu, &task.reference_cl})
    hasher.add(*text ? "given" : "absent").add(text->value_or(""));
  return hasher.hex();
}

struct Loaded {
  core::Task task;
  Diagnostics wrong;
};

Loaded load(const fs::path& path) {
  Loaded out;
  std::error_code ec;
  const bool is_toml = path.filename() == "task.toml" && !fs::is_directory(path, ec);
  const fs::path folder = is_toml ? path.parent_path() : path;
  out.task.folder = folder.empty() ? fs::path(".") : folder;
  if (!fs::is_directory(out.task.folder, ec)) {
    out.wrong = no_such_task(folder);
    return out;
  }
  const fs::path file = folder / "task.toml";
  const auto toml = read_source(file, largest_task);
  if (!toml) {
    out.wrong = fs::exists(file, ec) ? toml.error()
                                     : Diagnostics{{file.string(),
                                                    {},
                                                    "the folder has no task.toml, so it is no task "
                                                    "(`hone task new NAME` writes one)"}};
    return out;
  }
  if (is_external(*toml)) {
    out.wrong = load_external(*toml, folder, out.task);
    return out;
  }
  read_optional(folder / "reference.py", out.task.reference_py, out.wrong);
  if (!out.task.reference_py) read_reference(folder / "reference.cc", out.task, out.wrong);
  if (out.task.reference_py) set_kernelbench(out.task);
  read_optional(folder / "interface.json", out.task.interface, out.wrong);
  std::optional<std::string> problem;
  read_optional(folder / "problem.json", problem, out.wrong);
  if (problem)
    append(out.wrong, read_gpumode(*problem, (folder / "problem.json").string(), out.task));
  read_optional(folder / "reference.cu", out.task.reference_cu, out.wrong);
  read_optional(folder / "reference.cl", out.task.reference_cl, out.wrong);
  read_optional(folder / "seed.cu", out.task.seed_cu, out.wrong);
  read_optional(folder / "seed.cl", out.task.seed_cl, out.wrong);
  read_optional(folder / "seed.py", out.task.seed_py, out.wrong);
  Diagnostics said = parse_task(*toml, file.string(), out.task);
  append(said, out.wrong);
  out.wrong = std::move(said);
  if (out.task.function) {
    out.task.reference_form = "function";
    out.task.benchmark.clear();
  }
  out.task.hash = hash_of(*toml, out.task);
  return out;
}

}  // namespace

base::Result<core::Task, Diagnostics> load_task(const fs::path& path) {
  auto loaded = load(path);
  if (!loaded.wrong.empty()) return base::Failure{std::move(loaded.wrong)};
  return std::move(loaded.task);
}

Diagnostics check_task(const fs::path& path) {
  auto loaded = load(path);
  const core::Task& task = loaded.task;
  Diagnostics& wrong = loaded.wrong;
  const bool sound = wrong.empty();
  const auto check = [&](const std::optional<std::string>& source, core::Language language,
                         const char* name) {
    if (!source) return;
    const std::string file = (task.folder / name).string();
    auto candidate = candidate_from(*source, language, file);
    if (!candidate) return append(wrong, candidate.error());
    if (sound)
      append(wrong, check_plan(candidate->plan, task,
                               file));  // against a broken task every name would seem wrong
  };
  check(task.reference_cu, core::Language::cuda, "reference.cu");
  check(task.reference_cl, core::Language::opencl, "reference.cl");
  check(task.seed_cu, core::Language::cuda, "seed.cu");
  check(task.seed_cl, core::Language::opencl, "seed.cl");
  return std::move(loaded.wrong);
}

}  // namespace hone::task
