#pragma once
// `hone bundle`: jobs that are done on another machine. `run` watches over processes that do the
// work: one that crashes is started again and loses nothing but its job; a job that wants a process
// of its own gets one.
#include <string>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "run/bundle.h"

namespace hone::app {

struct BundlePackRequest {
  std::string folder, out;  // the DIR of --executor bundle:DIR; the file to write
};
struct BundlePackResult {
  run::Packed packed;
  std::string file;
  std::string run_there, import_here;  // the commands that come next
};
BundlePackResult pack_bundle(const BundlePackRequest& request);
void describe(base::Fields& fields, const BundlePackResult& result);

struct BundleRunRequest : CommonOptions {
  std::string file, out;   // the bundle; the file of results, which is added to
  double max_minutes = 0;  // 0: no limit
  // Set by hone itself for the processes that do the work, so that one that crashes costs only its
  // job.
  bool inner = false;
  std::string only;
};
struct BundleRunResult {
  std::string bundle, results;
  std::size_t done = 0, open = 0;  // jobs
};
BundleRunResult run_bundle(const BundleRunRequest& request, Sink& sink);
void describe(base::Fields& fields, const BundleRunResult& result);

struct BundleDeviceRequest : CommonOptions {
  std::string out;
};
struct BundleDeviceResult {
  std::string name;                  // the device's
  std::vector<std::string> written;  // the file
};
BundleDeviceResult describe_device(const BundleDeviceRequest& request, Sink& sink);
void describe(base::Fields& fields, const BundleDeviceResult& result);

struct BundleImportRequest {
  std::string folder, file;
};
run::Imported import_bundle(const BundleImportRequest& request);

// One job in this process, from its text to its result's: for hone's own processes.
std::string do_job(const CommonOptions& place, const std::string& job);

}  // namespace hone::app
