#pragma once
// What the admission of a task found, for a person: a row for each check, with the case that is
// nearest to going wrong; what to do about those that did; and whether the task is admitted.
#include <optional>
#include <string>

#include "core/device_info.h"
#include "judge/admission.h"
#include "text/format.h"

namespace hone::text {

// `device`: where it was checked; nothing: with the C++ reference alone.
std::string admission_text(const std::string& task, const judge::Admission& admission,
                           const std::optional<core::DeviceInfo>& device, const Screen& screen);

}  // namespace hone::text
