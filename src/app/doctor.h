#pragma once
// `hone doctor`: what is here, what is missing, and how to fix it. One check for each thing that
// judging needs; every check really tries what it speaks of, and nothing here throws for what is
// merely absent.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "judge/ceilings.h"

namespace hone::app {

struct DoctorRequest : CommonOptions {  // device: only this one; "": all
  enum class Measure { where_unknown, always, never } ceilings = Measure::where_unknown;
};

struct Check {
  enum class State { ok, degraded, missing, unneeded } state = State::ok;
  std::string section, name;
  std::string text;  // what is there, or why it is not
  std::string fix;   // "": nothing needs it
};
std::string_view name_of(Check::State state);

struct CheckedDevice {
  core::DeviceInfo info;
  std::optional<judge::CeilingRecord> ceilings;
  bool usable = true;
};

struct DoctorResult {
  std::vector<Check> checks;
  std::vector<CheckedDevice> devices;
  bool references = false;  // C++ references can be compiled and run

  bool can_judge() const;
  std::string conclusion() const;  // a sentence
};

DoctorResult doctor(const DoctorRequest& request, Sink& sink);
void describe(base::Fields& fields, const DoctorResult& result);

}  // namespace hone::app
