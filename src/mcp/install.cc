#include "mcp/install.h"

#include <filesystem>

#include "app/inputs.h"
#include "base/files.h"
#include "base/json.h"
#include "mcp/offers.h"

namespace hone::mcp {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "HONE.md";

// As the settings of many clients have it.
std::string server_settings(const fs::path& folder) {
  return base::json_text([&](base::Fields& f) {
    f.group("mcpServers", [&] {
      f.group("hone", [&] {
        f("command", "hone");
        f("args", std::vector<std::string>{"mcp", "--folder", fs::absolute(folder).string()});
      });
    });
  });
}

}  // namespace

InstallResult install(const InstallRequest& request) {
  const fs::path folder = request.folder, file = folder / file_name;
  const std::string text = guide();
  base::make_folder(folder);
  if (!request.force) app::refuse_to_overwrite({{file, text}}, "--install");
  base::write_file_atomically(file, text);
  return {file.string(), server_settings(folder)};
}

void describe(base::Fields& f, const InstallResult& result) {
  f("written", result.file)("server", base::RawJson{result.server});
}

}  // namespace hone::mcp
