#pragma once
// Candidates in Python compile what they need when they are loaded: NVRTC through the light loader,
// nvcc through torch's extensions. That can be done before their turn, while others are timed:
// their code runs once in a sandbox without a device (resources/python/ahead.py), and the files
// that compilers left are handed to the worker that is judged. A function without state; any
// thread.
#include <optional>

#include "core/device_info.h"
#include "runner/python.h"

namespace hone::runner {

// An archive for Runner::load; nothing where none was made. `image` is what the worker will load. A
// failure here, even an Error, says nothing about the candidate: it is loaded again in its turn,
// with a device.
std::optional<base::Fd> compile_ahead(const Python& python, const core::DeviceInfo& info,
                                      const std::string& image, double seconds);

}  // namespace hone::runner
