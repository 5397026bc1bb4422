#include "task/gpumode_task.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  try {
    const auto body = nlohmann::json::parse(text);
    core::OwnCheck found;
    found.problem = text;
    found.unique = body.at("unique");
    found.in_double = body.at("double");
    found.ranking = body.at("ranking");
    found.seconds = body.at("seconds");
    found.notes = body.at("notes").get<std::vector<std::string>>();
    if (!body.at("files").contains("reference.py")) return refuse("it has no reference.py in it");
    for (const auto& which : body.at("cases"))
      (void)which.get_ref<const nlohmann::json::object_t&>();
    if (found.ranking != "last" && found.ranking != "mean" && found.ranking != "geom")
      return refuse("its ranking is none of last, mean and geom");
    set_gpumode(task, std::move(found));
  } catch (const nlohmann::json::exception& error) {
    return refuse(fmt::format("it cannot be read ({})", error.what()));
  }
  return {};
}

}  // namespace hone::task
