#pragma once
// The checks of `hone doctor`. Each adds what it found to the result, with the fix where something
// is missing: doctor is run where things do not work, so what is missing is a value here.
#include "app/doctor.h"

namespace hone::app {

// ---- doctor_devices.cc: devices, their compilers, ceilings and sensors
void check_devices(DoctorResult& result, const DoctorRequest& request, Sink& sink);

// ---- doctor_machine.cc: everything else that judging needs
void check_references(DoctorResult& result);
void check_sandbox(DoctorResult& result, bool unsafe);
void check_profilers(DoctorResult& result);
void check_storage(DoctorResult& result);

inline void add_check(DoctorResult& result, const std::string& section, const std::string& name,
                      Check::State state, std::string text, std::string fix = "") {
  result.checks.push_back({state, section, name, std::move(text), std::move(fix)});
}

}  // namespace hone::app
