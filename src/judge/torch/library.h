#pragma once
// Plans with library operations as the judge sees them: kernels that it built and operations of
// torch, launched in order by a worker in Python that runs no host code of the candidate's
// (resources/python/library.py). Pure.
#include <string>

#include "core/device_info.h"
#include "core/plan.h"

namespace hone::judge {

// Why a plan's operations cannot run on the device; "": they can, or there are none.
std::string no_library_here(const core::Plan& plan, const core::DeviceInfo& info);
// What the worker loads: a line of JSON with the operations, by which it says whether torch has
// them, and the kernels.
std::string library_image(const core::Plan& plan, const std::string& kernels);

}  // namespace hone::judge
