#include "cli/set_up.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/inputs.h"
#include "runner/reference_limit.h"

namespace hone::cli {

// CLI11's own check lets "nan" through and names the largest double in full.
CLI::Validator positive() {
  return CLI::Validator(
      [](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return end != text.c_str() && *end == '\0' && value > 0 && value <= 1e9
                   ? ""
                   : "'" + text + "' is not a number greater than 0";
      },
      "");
}

void add_time_limit(CLI::App& app, double& seconds, bool& given) {
  app.add_option("--time-limit", seconds,
                 "Seconds that one call of the candidate may take; without it the first call of a "
                 "candidate in Python, which may compile, has 120")
      ->capture_default_str()
      ->check(positive())
      ->each([&given](const std::string&) { given = true; });
}

void add_depth(CLI::App& app, core::Depth& depth, const std::string& what) {
  app.add_option_function<std::string>(
         "--depth", [&depth](const std::string& name) { depth = app::depth_from(name); }, what)
      ->default_str("screen");
}

void add_no_record(CLI::App& app, bool& record, const std::string& what) {
  app.add_flag_function(
      "--no-record", [&record](std::int64_t) { record = false; }, what);
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the result as JSON, for programs");
}

void add_problems(CLI::App& app) {
  // Kept in the environment, which the processes that this one starts have too.
  app.add_option_function<std::string>(
      "--kernelbench",
      [](const std::string& folder) { ::setenv("HONE_KERNELBENCH", folder.c_str(), 1); },
      "A checkout of KernelBench, for tasks like kernelbench:level1/23 (default: "
      "$HONE_KERNELBENCH)");
  add_python(app);
}

void add_python(CLI::App& app) {
  app.add_option_function<std::string>(
      "--python", [](const std::string& program) { ::setenv("HONE_PYTHON", program.c_str(), 1); },
      "A Python with torch, for tasks whose reference is in Python (default: $HONE_PYTHON, or one "
      "that is found)");
}

void add_place(CLI::App& app, app::CommonOptions& place, bool& json, bool with_device) {
  add_json(app, json);
  app.add_option("--archive", place.archive,
                 "The archive's file, instead of the one in the home folder");
  if (!with_device) return;
  app.add_option("--device", place.device,
                 "Where to run: cuda:0, opencl:0, ... (hone doctor lists them; without it the "
                 "first one of the "
                 "candidate's language, and for Python the best one here)");
  app.add_flag("--unsafe", place.unsafe, "Run native code even where no sandbox can be had");
  app.add_option_function<double>(
         "--reference-limit",
         [](double seconds) {
           ::setenv(runner::reference_limit_variable, fmt::format("{}", seconds).c_str(), 1);
         },
         "Seconds that one call of the task's reference may take (default: $HONE_REFERENCE_LIMIT, "
         "or 120; for KernelBench and GPU MODE 600)")
      ->check(positive());
  add_problems(app);
}

}  // namespace hone::cli
