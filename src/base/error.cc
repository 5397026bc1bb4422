#include "base/error.h"

#include <cerrno>
#include <cstring>

namespace hone::base {

std::string errno_text() { return std::strerror(errno); }

}  // namespace hone::base
