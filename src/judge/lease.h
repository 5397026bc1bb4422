#pragma once
// Exclusive use of a device across all `hone` processes on the machine, by a lock on a file. A lease is held for
// verification and timing, never while a candidate is built. It ends with the object, or with the process, since the
// kernel drops its locks. The lock files are in /tmp, or in $HONE_LEASES where users of the device have different /tmp.
#include <functional>
#include <string>

#include "base/fd.h"
#include "core/device_info.h"

namespace hone::judge {

class Lease {
 public:
  // Blocks until the device is free. If another process holds it, `waiting` is called once with a text that says which.
  Lease(const core::DeviceInfo& info, const std::function<void(const std::string&)>& waiting);

 private:
  base::Fd file_;
};

}  // namespace hone::judge
