#pragma once
// The light loader (resources/python/hone_light.py) as it is pasted into a file that has to work
// without Hone. Pure functions.
#include <string>

#include "export/export.h"

namespace hone::exports {

// The loader as `NAME = ...`, indented by `indent`: the whole file inside a function, so that none
// of its names meet those of the file it is pasted into.
std::string pasted_loader(ExportFormat format, const std::string& indent,
                          const std::string& assignments);

// A text with the loader in place of its imports of it.
std::string python_with_loader(const std::string& text, ExportFormat format);

}  // namespace hone::exports
