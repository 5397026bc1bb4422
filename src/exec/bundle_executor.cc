#include "exec/bundle_executor.h"

#include <fmt/format.h>

#include "exec/bundle_folder.h"

namespace hone::exec {
namespace {

class BundleExecutor : public Executor {
 public:
  explicit BundleExecutor(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void submit(const PackedJob& job) override { folder_.put_job(job); }
  std::optional<PackedResult> wait_for(const std::string& name,
                                       const std::function<bool()>&) override {
    return folder_.result(name);
  }
  bool away() const override { return true; }
  std::string describe() const override {
    return fmt::format("bundles through {}", folder_.path().string());
  }

 private:
  BundleFolder folder_;
};

}  // namespace

std::unique_ptr<Executor> bundle_executor(const std::filesystem::path& folder) {
  return std::make_unique<BundleExecutor>(folder);
}

}  // namespace hone::exec
