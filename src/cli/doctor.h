#pragma once
// What `hone doctor` finds: one check for each thing that judging needs, with its state, what was seen, and how to mend
// it. Every check really tries what it speaks of. Nothing here throws for what is merely absent.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "core/device_info.h"
#include "judge/ceilings.h"
#include "text/format.h"

namespace hone::cli {

struct Check {
  enum class State { ok, degraded, missing, unneeded } state = State::ok;
  std::string section, name;
  std::string text;  // what is there, or why it is not
  std::string fix;   // how to mend it; "" where nothing needs it
};
std::string_view name_of(Check::State state);

struct CheckedDevice {
  core::DeviceInfo info;
  std::optional<judge::CeilingRecord> ceilings;
  bool usable = true;
};

struct Findings {
  std::vector<Check> checks;
  std::vector<CheckedDevice> devices;
  bool references = false;  // C++ references can be compiled and run

  bool can_judge() const;
  bool has_cuda() const;
  void add(const std::string& section, const std::string& name, Check::State state, std::string text,
           std::string fix = "");
};

using Say = std::function<void(const std::string&)>;
void check_sandbox(Findings& findings, bool unsafe);
void check_devices(Findings& findings, const DoctorOptions& options, const Say& say);
void check_references(Findings& findings);
void check_profilers(Findings& findings);
void check_storage(Findings& findings);

std::string doctor_text(const Findings& findings, const text::Screen& screen);

}  // namespace hone::cli
