#include "base/error.h"
#include "device/backend.h"

namespace hone::device {
namespace {

BackendReport discover_nothing() { return {.language = core::Language::cuda, .why = "not built yet", .fix = "wait"}; }

}  // namespace

const Backend cuda_backend = {core::Language::cuda, discover_nothing, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace hone::device
