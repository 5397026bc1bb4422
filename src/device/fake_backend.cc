#include "base/error.h"
#include "device/backend.h"

namespace hone::device {
namespace {

BackendReport discover_nothing() { return {.language = core::Language::fake, .why = "not built yet", .fix = "wait"}; }

}  // namespace

const Backend fake_backend = {core::Language::fake, discover_nothing, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace hone::device
