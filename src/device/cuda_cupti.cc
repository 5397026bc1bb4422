#include "device/cuda_cupti.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "device/cuda_toolkit.h"

namespace hone::device::cuda {
namespace {

// Kinds of records, and where their fields stand. Each newer version of a record
// (CUpti_ActivityKernel3 to 13, Memcpy to 7, Memset to 5) has added fields behind these.
constexpr std::uint32_t kind_copy = 1, kind_fill = 2, kind_kernel = 3, kind_driver = 4,
                        kind_concurrent_kernel = 10, kind_synchronization = 38;
constexpr std::size_t device_start = 16, device_end = 24, kernel_stream = 48,
                      kernel_correlation = 92, kernel_name = 104, copy_stream = 40;
constexpr std::size_t call_id = 4, call_start = 8, call_end = 16, call_correlation = 32;
// cuLaunchKernel, cuLaunchCooperativeKernel and cuLaunchKernelEx, each also for streams of a
// thread.
constexpr std::uint32_t launch_calls[] = {307, 442, 477, 478, 652, 653};

constexpr int cupti_success = 0;
constexpr std::size_t buffer_bytes = 4 << 20, buffer_alignment = 8;
constexpr const char* cupti_fix =
    "install the CUDA toolkit's CUPTI (libcupti, in the toolkit's extras/CUPTI or the Python wheel "
    "nvidia-cuda-cupti) of the driver's CUDA version or older";

template <typename T>
T field(const unsigned char* record, std::size_t offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof value);
  return value;
}

struct Cupti {
  std::string missing;
  int (*version)(std::uint32_t*) = nullptr;
  int (*timestamp)(std::uint64_t*) = nullptr;
  int (*result_string)(int, const char**) = nullptr;
  int (*callbacks)(void (*)(std::uint8_t**, std::size_t*, std::size_t*),
                   void (*)(void*, std::uint32_t, std::uint8_t*, std::size_t,
                            std::size_t)) = nullptr;
  int (*enable)(std::uint32_t) = nullptr;
  int (*flush)(std::uint32_t) = nullptr;
  int (*next)(std::uint8_t*, std::size_t, std::uint8_t**) = nullptr;

  std::string words(int result) const {
    const char* text = nullptr;
    if (result_string != nullptr && result_string(result, &text) == cupti_success &&
        text != nullptr)
      return text;
    return fmt::format("error {}", result);
  }
};

template <typename F>
void look_up(void* library, F*& function, const char* symbol, std::string& missing) {
  function = reinterpret_cast<F*>(::dlsym(library, symbol));
  if (function == nullptr && missing.empty()) missing = symbol;
}

Cupti open_cupti() {
  Cupti table;
  void* library = nullptr;
  std::string path, reason;
  for (const auto& place : cupti_places()) {
    library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    path = place;
    if (library != nullptr) break;
    if (const char* text = ::dlerror(); text != nullptr && reason.empty()) reason = text;
  }
  if (library == nullptr) {
    table.missing = fmt::format("CUPTI cannot be opened ({}): {}", reason, cupti_fix);
    return table;
  }
  std::string symbol;
  look_up(library, table.version, "cuptiGetVersion", symbol);
  look_up(library, table.timestamp, "cuptiGetTimestamp", symbol);
  look_up(library, table.result_string, "cuptiGetResultString", symbol);
  look_up(library, table.callbacks, "cuptiActivityRegisterCallbacks", symbol);
  look_up(library, table.enable, "cuptiActivityEnable", symbol);
  look_up(library, table.flush, "cuptiActivityFlushAll", symbol);
  look_up(library, table.next, "cuptiActivityGetNextRecord", symbol);
  if (!symbol.empty())
    table.missing = fmt::format("{} has no symbol {}: {}", path, symbol, cupti_fix);
  return table;
}

const Cupti& cupti() {
  static const Cupti table = open_cupti();
  return table;
}

struct Store {
  std::mutex mutex;  // CUPTI may hand buffers over on a thread of its own
  std::vector<CuptiRecord> records;
};
Store& store() {
  static Store kept;
  return kept;
}

void give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;  // as many as fit
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(store().mutex);
  std::uint8_t* record = nullptr;
  while (valid > 0 && cupti().next(buffer, valid, &record) == cupti_success)
    decode_record(record, store().records);
  std::free(buffer);
}

}  // namespace

void decode_record(const unsigned char* record, std::vector<CuptiRecord>& records) {
  using Kind = Activity::Kind;
  CuptiRecord read;
  const auto kind = field<std::uint32_t>(record, 0);
  const bool on_device = kind == kind_kernel || kind == kind_concurrent_kernel ||
                         kind == kind_copy || kind == kind_fill;
  read.start = field<std::uint64_t>(record, on_device ? device_start : call_start);
  read.end = field<std::uint64_t>(record, on_device ? device_end : call_end);
  switch (kind) {
    case kind_kernel:
    case kind_concurrent_kernel: {
      read.stream = field<std::uint32_t>(record, kernel_stream);
      read.correlation = field<std::uint32_t>(record, kernel_correlation);
      if (const auto* name = field<const char*>(record, kernel_name); name != nullptr)
        read.name = name;
      break;
    }
    case kind_copy:
    case kind_fill:
      read.kind = kind == kind_copy ? Kind::copy : Kind::fill;
      read.stream = field<std::uint32_t>(record, copy_stream);
      break;
    case kind_driver:
      if (std::find(std::begin(launch_calls), std::end(launch_calls),
                    field<std::uint32_t>(record, call_id)) == std::end(launch_calls))
        return;
      read.kind = Kind::launch_call;
      read.correlation = field<std::uint32_t>(record, call_correlation);
      break;
    case kind_synchronization:
      read.kind = Kind::sync;
      break;
    default:
      return;
  }
  records.push_back(std::move(read));
}

base::Result<std::vector<Activity>> call_activities(const std::vector<CuptiRecord>& records,
                                                    std::uint64_t begin, std::uint64_t queued,
                                                    std::uint64_t end,
                                                    const std::vector<int>& launches) {
  using Kind = Activity::Kind;
  std::vector<CuptiRecord> calls;
  for (const auto& record : records)
    if (record.kind == Kind::launch_call && record.start >= begin && record.start <= queued)
      calls.push_back(record);
  std::sort(calls.begin(), calls.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
  if (calls.size() != launches.size())
    return base::Failure{fmt::format(
        "CUPTI recorded {} launch calls where there were {}: its records cannot be used",
        calls.size(), launches.size())};
  std::map<std::uint32_t, int> launch_of;
  for (std::size_t i = 0; i < calls.size(); ++i) launch_of[calls[i].correlation] = launches[i];

  std::vector<Activity> found;
  std::size_t kernels = 0;
  const auto add = [&](const CuptiRecord& record, int launch) {
    if (record.end < record.start || record.start < begin) return false;
    const auto seconds = [&](std::uint64_t time) {
      return 1e-9 * static_cast<double>(time - begin);
    };
    found.push_back({record.kind, seconds(record.start), seconds(record.end), launch,
                     static_cast<int>(record.stream), record.name});
    return true;
  };
  for (const auto& record : records) {
    const auto launch = launch_of.find(record.correlation);
    if (record.kind == Kind::kernel && launch != launch_of.end())
      kernels += add(record, launch->second) ? 1 : 0;
    else if (record.kind == Kind::launch_call && launch != launch_of.end())
      add(record, launch->second);
    else if ((record.kind == Kind::copy || record.kind == Kind::fill) && record.start <= end)
      add(record, -1);
    else if (record.kind == Kind::sync &&
             record.start <= queued)  // the wait for the end is the runner's own
      add(record, -1);
  }
  if (kernels != launches.size())
    return base::Failure{
        fmt::format("CUPTI recorded {} kernels with usable times where {} were launched: its "
                    "records cannot be used",
                    kernels, launches.size())};
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  return found;
}

std::string start_recording() {
  static const std::string problem = [] {
    const Cupti& api = cupti();
    if (!api.missing.empty()) return api.missing;
    if (const int result = api.callbacks(give_buffer, take_buffer); result != cupti_success)
      return fmt::format("CUPTI does not record: {}: {}", api.words(result), cupti_fix);
    for (const auto kind :
         {kind_concurrent_kernel, kind_copy, kind_fill, kind_driver, kind_synchronization})
      if (const int result = api.enable(kind); result != cupti_success)
        return fmt::format("CUPTI does not record activities of kind {}: {}: {}", kind,
                           api.words(result), cupti_fix);
    return std::string();
  }();
  return problem;
}

std::uint64_t recording_time() {
  std::uint64_t time = 0;
  if (cupti().timestamp != nullptr) (void)cupti().timestamp(&time);
  return time;
}

base::Result<std::vector<CuptiRecord>> take_records() {
  if (const auto problem = start_recording(); !problem.empty()) return base::Failure{problem};
  if (const int result = cupti().flush(0); result != cupti_success)
    return base::Failure{
        fmt::format("CUPTI does not hand its records over: {}", cupti().words(result))};
  const std::lock_guard lock(store().mutex);
  return std::exchange(store().records, {});
}

}  // namespace hone::device::cuda
