#include "base/error.h"
#include "run/export_python.h"
namespace hone::run {
std::vector<ExportedFile> export_gpumode(const Exporting& exporting) {
  base::fail(base::ExitCode::bad_input, "task {} is no problem of GPU MODE", exporting.task.name);
}
}  // namespace hone::run
