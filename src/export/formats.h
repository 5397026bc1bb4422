#pragma once
// One function for each format, in the file of its name. export.cc chooses between them, and has
// checked that the candidate is in a language that the format is for.
#include <vector>

#include "export/export.h"
#include "export/exporting.h"

namespace hone::exports {

std::vector<ExportedFile> export_cuda(const Exporting& exporting);
std::vector<ExportedFile> export_opencl(const Exporting& exporting);
std::vector<ExportedFile> export_kernelbench(const Exporting& exporting);
std::vector<ExportedFile> export_gpumode(const Exporting& exporting);
std::vector<ExportedFile> export_torch(const Exporting& exporting);
std::vector<ExportedFile> export_hub(const Exporting& exporting);

}  // namespace hone::exports
