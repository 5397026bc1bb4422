#pragma once
// One holder per device at a time, across all `hone` processes on the machine. Held for verification and timing, never
// for a candidate's build. Given back with the object, or by the kernel when the process dies. The files lie in /tmp,
// or in $HONE_LEASES where /tmp is not the same for all who use the device.
#include <functional>
#include <string>

#include "base/fd.h"
#include "core/device_info.h"

namespace hone::judge {

class Lease {
 public:
  // Waits its turn; `waiting` is called once, with the holder in words, if there is somebody before us.
  Lease(const core::DeviceInfo& info, const std::function<void(const std::string&)>& waiting);

 private:
  base::Fd file_;
};

}  // namespace hone::judge
