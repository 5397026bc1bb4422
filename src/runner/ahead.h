#pragma once
// Candidates in Python compile what they need when they are loaded: NVRTC through the light loader, nvcc through
// torch's extensions. That can be done before their turn, beside the timing of others: their code runs once in a
// sandbox without a device (resources/python/ahead.py), and the files that compilers left are for its own worker.
#include <optional>

#include "core/device_info.h"
#include "runner/python.h"

namespace hone::runner {

// An archive for Runner::load; nothing where none was made. `image` is what the worker will load. Nothing that goes
// wrong here says anything of the candidate, errors that are thrown neither: it is loaded again in its turn, with a
// device.
std::optional<base::Fd> compile_ahead(const Python& python, const core::DeviceInfo& info, const std::string& image,
                                      double seconds);

}  // namespace hone::runner
