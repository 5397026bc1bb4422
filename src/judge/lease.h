#pragma once
// Exclusive use of a device across all `hone` processes on the machine, by a lock on a file. A
// lease is held for verification and timing, never while a candidate is built. It ends with the
// object, or with the process, since the kernel drops its locks. The lock files are in /tmp, or in
// $HONE_LEASES where users of the device have different /tmp.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/fd.h"
#include "core/device_info.h"
#include "judge/since.h"

namespace hone::judge {

class Lease {
 public:
  // Blocks until the device is free. If another process holds it, `waiting` is called once with a
  // text that says which, what it does and since when. Throws Error where the deadline passes
  // first.
  Lease(const core::DeviceInfo& info, const std::function<void(const std::string&)>& waiting,
        std::optional<Clock::time_point> deadline = std::nullopt);

 private:
  base::Fd file_;
};

// What the lock's file says of the process that holds it, and the sentence for those that wait. The
// file may be from anyone, and is read as text.
struct LeaseHolder {
  std::string pid, command;
  std::int64_t since = 0;  // seconds since 1970; 0: not known
};
std::string to_text(const LeaseHolder& holder);
LeaseHolder holder_from(const std::string& text);
std::string waiting_text(const std::string& device, const LeaseHolder& holder, std::int64_t now);

}  // namespace hone::judge
