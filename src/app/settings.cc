#include "app/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/project_files.h"
#include "base/toml_parser.h"
#include "task/complaints.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

constexpr std::uint64_t largest_settings = 64u << 10;  // bytes

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path home() { return variable("HOME"); }

// A file that was named must be there; the usual places may be empty.
fs::path own_file() {
  if (std::getenv("HONE_CONFIG") != nullptr) {
    const fs::path named = variable("HONE_CONFIG");
    if (std::error_code ec; !named.empty() && !fs::exists(named, ec))
      base::fail(ExitCode::bad_input, "HONE_CONFIG={}: there is no such file", named.string());
    return named;
  }
  if (const auto folder = variable("XDG_CONFIG_HOME"); !folder.empty())
    return fs::path(folder) / "hone/config.toml";
  return home().empty() ? fs::path() : home() / ".config/hone/config.toml";
}

fs::path project_file(fs::path folder) {
  if (!base::project_files_count()) return {};
  std::error_code ec;
  for (;; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / "hone.toml", ec)) return folder / "hone.toml";
    if (folder == folder.root_path() || folder.empty()) return {};
  }
}

bool is_positive_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && value > 0 && value < 1e9;
}

// A setting can name a program to start, so a file in a folder that others write to is not obeyed.
void require_own(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0 || facts.st_uid == 0 || facts.st_uid == ::geteuid()) return;
  base::fail(ExitCode::bad_input,
             "{}: these settings belong to another user, and are not taken: remove the file, or "
             "make it yours",
             file.string());
}

std::string path_from(const fs::path& file, const std::string& text) {
  if (text.starts_with("~/") && !home().empty()) return home() / text.substr(2);
  if (text.find('/') == std::string::npos) return text;  // a program that is looked for
  return (fs::path(text).is_absolute() ? fs::path(text) : file.parent_path() / text)
      .lexically_normal();
}

std::string text_of(const SettingKind& kind, const toml::node& node, const fs::path& file,
                    int line) {
  if (kind.is_number) {
    const auto number = node.value<double>();
    if (number && (node.is_integer() || node.is_floating_point()))
      return fmt::format("{}", *number);
  } else if (const auto text = node.value<std::string>(); text && node.is_string()) {
    return kind.is_path ? path_from(file, *text) : *text;
  }
  base::fail(ExitCode::bad_input, "{}:{}: {} is {}", file.string(), line, kind.key,
             kind.is_number ? "a number" : "a text in quotes");
}

std::size_t index_of(const std::string& key, const fs::path& file, int line) {
  std::vector<std::string> known;
  for (const auto& kind : setting_kinds()) {
    if (key == kind.key) return known.size();
    known.emplace_back(kind.key);
  }
  const std::string near = task::did_you_mean(key, known);
  base::fail(ExitCode::bad_input, "{}:{}: there is no setting {}{}", file.string(), line,
             task::quote(key), near.empty() ? "; there are " + task::join(known, "and") : near);
}

void read_settings(const fs::path& file, std::vector<Setting>& settings) {
  std::error_code ec;
  if (file.empty() || !fs::exists(file, ec)) return;
  require_own(file);
  const auto parsed = base::parse_toml(base::read_file(file, largest_settings));
  if (!parsed || !*parsed)
    base::fail(ExitCode::bad_input, "{}{}: this is no TOML{}", file.string(),
               parsed ? fmt::format(":{}", parsed->error().source().begin.line) : "",
               parsed ? ": " + std::string(parsed->error().description()) : "");
  for (const auto& [key, node] : parsed->table()) {
    const int line = static_cast<int>(node.source().begin.line);
    const std::size_t index = index_of(std::string(key.str()), file, line);
    settings[index] = {text_of(setting_kinds()[index], node, file, line),
                       fmt::format("{}:{}", file.string(), line)};
  }
}

}  // namespace

const std::vector<SettingKind>& setting_kinds() {
  static const std::vector<SettingKind> kinds = {
      {"model", "--llm", "HONE_LLM", "the model that writes", {}},
      {"price",
       "--price",
       "",
       "dollars per million tokens: IN,OUT[,CACHED]",
       {"run", "learn", "mcp"}},
      {"device",
       "--device",
       "",
       "where to run",
       {"eval", "compare", "tune", "profile", "run", "baseline", "task check", "mcp"}},
      {"max_usd", "--max-usd", "", "dollars for models", {"run", "learn", "mcp"}, false, true},
      {"max_calls", "--max-calls", "", "calls of models", {"run"}, false, true},
      {"max_candidates", "--max-candidates", "", "candidates of a run", {"run"}, false, true},
      {"max_minutes", "--max-minutes", "", "minutes of a run", {"run"}, false, true},
      {"python", "--python", "HONE_PYTHON", "a Python with torch", {}, true},
      {"kernelbench", "--kernelbench", "HONE_KERNELBENCH", "a checkout of KernelBench", {}, true},
      {"reference_limit",
       "--reference-limit",
       "HONE_REFERENCE_LIMIT",
       "seconds for one call of a reference",
       {},
       false,
       true},
  };
  return kinds;
}

std::vector<Setting> settings_in_files(const fs::path& current) {
  std::vector<Setting> settings(setting_kinds().size());
  const fs::path own = own_file();
  read_settings(own, settings);
  if (std::getenv("HONE_CONFIG") == nullptr || !own.empty())
    read_settings(project_file(current), settings);
  return settings;
}

std::vector<Setting> settings_in_force(const fs::path& current) {
  auto settings = settings_in_files(current);
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (const char* name = setting_kinds()[i].variable; *name != '\0')
      if (auto value = variable(name); !value.empty()) {
        if (setting_kinds()[i].is_number && !is_positive_number(value))
          base::fail(ExitCode::usage, "{}={}: that is no number greater than 0", name, value);
        settings[i] = {std::move(value), std::string("$") + name};
      }
  return settings;
}

void set_environment(const std::vector<Setting>& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (const char* name = setting_kinds()[i].variable; *name != '\0' && !settings[i].value.empty())
      if (variable(name).empty()) ::setenv(name, settings[i].value.c_str(), 1);
}

}  // namespace hone::app
