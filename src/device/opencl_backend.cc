#include "base/error.h"
#include "device/backend.h"

namespace hone::device {
namespace {

BackendReport discover_nothing() { return {.language = core::Language::opencl, .why = "not built yet", .fix = "wait"}; }

}  // namespace

const Backend opencl_backend = {core::Language::opencl, discover_nothing, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace hone::device
