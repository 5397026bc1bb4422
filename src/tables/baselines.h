#pragma once
// What torch itself was measured to take on KernelBench problems, kept as lines of JSON: one for
// each problem, class of precision and device. Each line is written at once, so that a list can be
// stopped and continued, and in one call, so that a reader sees whole lines while another process
// writes. A later line replaces an earlier one of the same problem, class and device. Functions
// without state; any thread.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "core/task.h"

namespace hone::tables {

struct BaselineTime {
  double median = 0, low = 0, high = 0, wall = 0;  // seconds; 0: not measured
  int samples = 0;
  double error_max = 0, error_rms = 0;
  std::optional<double> ceiling_fraction;
  std::string ceiling;
  std::string missing;  // why it was not measured
  // Of one call in a batch of calls timed together by the judge's clock, as candidates in Python
  // are timed; 0: not measured.
  double batch_seconds = 0;
  int batch_calls = 0;  // in such a batch
};

struct BaselineLine {
  std::string problem;     // the task's name: "level1_23"
  std::string reference;   // hash of its reference.py: the same problem on any machine
  std::string class_name;  // "fp32", "tf32", "protocol"
  std::string device, device_name, driver;
  std::string python, torch;  // the program, and what it is: "Python 3.12.3, torch 2.11.0"
  std::string when;
  BaselineTime eager, compiled;
  std::string failed;  // why there is nothing at all
  bool transient =
      false;  // the failure is the machine's, not the problem's: it is tried again next time
  std::vector<std::string> weak;  // see core::Task
};

// What a candidate is compared with in that class: the faster of eager and compiled; in
// KernelBench's own class eager. Candidates in Python are compared with times of calls in batches,
// where those were measured; all others with the device's.
struct Best {
  std::string mode;
  double seconds = 0;
  bool batched = false;
};
std::optional<Best> best_of(const BaselineLine& line, bool python = false);

std::string reference_hash(const core::Task& task);
std::string source_hash(const std::string& reference_py);  // the same, of the file's text

void describe(base::Fields& fields, BaselineLine& line);  // in JSON: see base/fields.h
std::vector<BaselineLine> read_baselines(
    const std::filesystem::path& file);  // none where there is no file
void append_baseline(const std::filesystem::path& file, const BaselineLine& line);

// The one of the home folder, which every command reads.
std::filesystem::path home_baselines();
// The last that was measured; a failure only where nothing was.
const BaselineLine* find_baseline(const std::vector<BaselineLine>& lines,
                                  const std::string& reference, const std::string& device,
                                  const std::string& class_name);

}  // namespace hone::tables
