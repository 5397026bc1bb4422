#pragma once
// CUPTI's activity records: which kernels, copies and driver calls happened when. The library is
// opened at run time and its records are read by the few fields at their beginning, which have
// stood at the same place since CUDA 9. Lives in the runner's process; recording is switched on
// once and stays on.
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace hone::device::cuda {

// A record of CUPTI's, as far as it is read.
struct CuptiRecord {
  Activity::Kind kind = Activity::Kind::kernel;
  std::uint64_t start = 0, end = 0;  // ns
  std::uint32_t correlation = 0, stream = 0;
  std::string name;
};
// Appends what the record says; records of other kinds, and driver calls that launch nothing, are
// passed over.
void decode_record(const unsigned char* record, std::vector<CuptiRecord>& records);

// The call's own part of the records. It began at `begin`, its last launch was queued at `queued`
// and everything was done at `end`; `launches` are the [[launch]] indices in the order of the
// launch calls. The failure: the records do not fit.
base::Result<std::vector<Activity>> call_activities(const std::vector<CuptiRecord>& records,
                                                    std::uint64_t begin, std::uint64_t queued,
                                                    std::uint64_t end,
                                                    const std::vector<int>& launches);

// Switches recording on; "" or why it cannot be had, and how to fix it.
std::string start_recording();
std::uint64_t recording_time();  // ns, by the records' clock
// Everything recorded since the last time.
base::Result<std::vector<CuptiRecord>> take_records();

}  // namespace hone::device::cuda
