#include "cli/set_up.h"

#include <cstdlib>

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

void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Print the result as JSON, for programs"); }

void add_common(CLI::App& app, Common& common, bool with_device) {
  add_json(app, common.json);
  app.add_option("--archive", common.archive, "The archive's file, instead of the one in the home folder");
  if (!with_device) return;
  app.add_option("--device", common.device,
                 "Where to run: cuda:0, opencl:0, ... (hone doctor lists them; without it the best one here)");
  app.add_flag("--unsafe", common.unsafe, "Run native code even where no sandbox can be had");
}

}  // namespace hone::cli
