#pragma once
// What a person sets once instead of typing it each time: model, device, caps, Python and
// KernelBench folders, in
// ~/.config/hone/config.toml and in a hone.toml in the project's folder (the current one, or the
// nearest above it). An option wins over the environment, that over the project's file, and that
// over the person's.
#include <filesystem>
#include <string>
#include <vector>

namespace hone::app {

// One that can be set. `variable`: of the environment, "" for none; `commands`: whose option it is
// the default of, where there is no variable.
struct SettingKind {
  const char *key, *option, *variable, *what;
  std::vector<const char*> commands;
  bool is_path = false, is_number = false;
};
const std::vector<SettingKind>& setting_kinds();

struct Setting {
  std::string value;  // "": not set
  std::string from;   // "/home/me/.config/hone/config.toml:3", "$HONE_LLM"
};

// What the files say, by the order of setting_kinds(). `$HONE_CONFIG` names the person's file;
// empty, no file is read. Throws Error where a file cannot be read, belongs to another user, or has
// what is no setting.
std::vector<Setting> settings_in_files(const std::filesystem::path& current);
// The same, with the environment over it.
std::vector<Setting> settings_in_force(const std::filesystem::path& current);
// Puts those of the files that have a variable into the environment, where it says nothing.
void set_environment(const std::vector<Setting>& settings);

}  // namespace hone::app
