#pragma once
// CUDA as the runner uses it: a cubin, imported memory, one call at a time on one stream. Lives in
// the runner's process, on one thread.
#include <map>
#include <memory>

#include "device/cuda_before_launches.h"
#include "device/cuda_launch.h"
#include "device/cuda_memory.h"
#include "device/cuda_session.h"
#include "device/device.h"

namespace hone::device::cuda {

class CudaDevice : public Device {
 public:
  explicit CudaDevice(const core::DeviceInfo& info);  // throws Error
  ~CudaDevice() override;

  const core::DeviceInfo& info() const override { return info_; }
  base::Result<std::vector<KernelInfo>> load(const std::string& image,
                                             const std::vector<std::string>& kernels) override;
  int import_block(base::Fd fd, std::uint64_t bytes) override;
  void drop_blocks() override;
  base::Result<bool> prepare(const CallRequest& request) override;
  CallReport go() override;
  base::Result<std::vector<Activity>> activities() override;

 private:
  struct Kernel {
    Function function = nullptr;
    KernelInfo info;
    KernelLimits more;
  };
  struct Prepared {  // one launch, ready to go
    std::string name;
    std::size_t set = 0;  // the call it belongs to, of those that were prepared together
    int launch = 0;       // its [[launch]]
    bool marked = false;  // between the profiler's marks
    Function function = nullptr;
    LaunchConfig config{};
    std::array<LaunchAttribute, 2> attributes{};
    std::vector<ArgumentSlot> slots;
    std::vector<void*> pointers;
  };
  struct PrivateCopy {  // of one buffer, in memory of its own
    Address from = 0, copy = 0;
    std::uint64_t bytes = 0;
    bool starts_unset = false;  // scratch: a checker is to see what is read before it is written
  };

  // Each returns the failure's text, "" if there was none.
  std::string load_module();
  void unload_module();
  std::string describe(const std::string& name, Kernel& kernel);
  std::string kernels_in_module();
  std::string addresses_of(const CallRequest& request, const BindingSet& set,
                           std::vector<Address>& addresses);
  std::string encode_maps(const core::ResolvedPlan& plan, const std::vector<Address>& addresses,
                          std::vector<TensorMapBits>& maps);
  std::string prepare_launch(const core::ResolvedLaunch& launch,
                             const std::vector<Address>& addresses,
                             const std::vector<TensorMapBits>& maps);
  std::string allow(const core::ResolvedLaunch& launch, const Kernel& kernel);
  std::string prepare_set(const CallRequest& request, const BindingSet& set);

  // What is timed by a pair of events.
  struct Span {
    Event start = nullptr, stop = nullptr;
  };
  Span& span(std::size_t index);
  std::string launch_all(double& seen_start, Steps& step);
  void begin_call(std::size_t index, Steps& step);
  void end_call(std::size_t index, Steps& step);
  double timed_seconds(std::size_t spans, Steps& step) const;
  std::string launch_names() const;
  void drop_private();

  core::DeviceInfo info_;
  Session session_;
  const Driver& api_;
  LaunchLimits limits_;
  ImportedBlocks blocks_;
  BeforeLaunches before_launches_;
  std::vector<Span> spans_;  // made when they are first needed

  std::string image_;
  bool image_has_data_ = false;
  std::vector<std::string> kernel_names_;
  Module module_ = nullptr;
  std::map<std::string, Kernel> kernels_;
  std::map<std::string, std::int64_t>
      most_shared_;  // dynamic shared memory that each kernel was allowed
  std::int64_t most_local_ =
      0;  // local memory of a thread, of the kernel that has most; see load()

  std::vector<Prepared> prepared_;
  std::vector<PrivateCopy> private_;
  bool flush_ = true, ready_ = false, record_ = false, one_by_one_ = false;
  std::uint64_t record_begin_ = 0, record_queued_ = 0,
                record_end_ = 0;  // of the last call, by the records' clock
  std::string lost_;              // the error after which the context can do nothing more
};

}  // namespace hone::device::cuda
