#pragma once
// `--executor bundle:DIR`: everything it is given is away. A person packs the folder's jobs,
// carries them to where the device is, and imports what comes back (docs/cluster.md).
#include <filesystem>
#include <memory>

#include "exec/executor.h"

namespace hone::exec {

std::unique_ptr<Executor> bundle_executor(const std::filesystem::path& folder);

}  // namespace hone::exec
