#include "task/gpumode_task.h"

#include <fmt/format.h>

#include "base/json.h"

namespace hone::task {

void set_gpumode(core::Task& task, core::OwnCheck check) {
  check.name = "gpumode";
  task.reference_form = "gpumode";  // of the forms that resources/python/oracle.py knows
  task.benchmark = "GPU MODE";
  task.own_check = std::move(check);
}

Diagnostics read_gpumode(const std::string& text, const std::string& file, core::Task& task) {
  const auto refuse = [&](const std::string& why) {
    return Diagnostics{
        {file,
         {},
         why + ": `hone eval gpumode:DIR` makes such a folder, and it is not for editing"}};
  };
  core::OwnCheck found;
  std::map<std::string, base::RawJson> files;
  std::map<std::string, std::map<std::string, base::RawJson>> cases;
  try {
    base::read_json(text, [&](base::Fields& f) {
      f("unique", found.unique)("double", found.in_double)("ranking", found.ranking);
      f("seconds", found.seconds)("notes", found.notes)("files", files)("cases", cases);
    });
  } catch (const base::Error& error) {
    return refuse(fmt::format("it cannot be read ({})", error.what()));
  }
  if (!files.contains("reference.py")) return refuse("it has no reference.py in it");
  if (found.ranking != "last" && found.ranking != "mean" && found.ranking != "geom")
    return refuse("its ranking is none of last, mean and geom");
  found.problem = text;
  set_gpumode(task, std::move(found));
  return {};
}

}  // namespace hone::task
