#pragma once
// The real binary as tests drive it: words in, exit code and both outputs out. Every test has a
// home folder of its own.
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"

namespace hone::end_to_end {

struct Finished {
  int code = -1;
  std::string out, err;
  int survivors = 0;  // processes that hone had started and that outlived it, after run_and_signal
};

class Hone {
 public:
  Hone();
  // Runs `hone WORDS...` with HONE_HOME in a temporary folder and waits for its end.
  Finished run(std::vector<std::string> words) const;
  Finished run_program(
      std::vector<std::string> words) const;  // any other program, found on the path
  // Like run(), but sends the signal as soon as `mark` has been printed on standard error `count`
  // times.
  Finished run_and_signal(std::vector<std::string> words, const std::string& mark, int count,
                          int signal) const;
  // Like run(), but killed outright after so many seconds, unless it has ended by then.
  Finished run_and_kill(std::vector<std::string> words, double seconds) const;
  std::filesystem::path home() const { return folder_.path() / "home"; }
  const std::filesystem::path& folder() const {
    return folder_.path();
  }  // for the test's own files
  void set(const std::string& variable, const std::string& value) {
    environment_.push_back(variable + "=" + value);
  }

  // Starts a program, one at a time; its outputs go to the files "out" and "err", or standard error
  // to the descriptor. `hone` is HONE_BINARY.
  int start(std::vector<std::string> words, int err_descriptor = -1) const;
  Finished finish(int pid) const;

 private:
  base::TemporaryFolder folder_;
  std::vector<std::string> environment_;
};

// Whether an OpenCL device is here. Tests that need one skip without it.
bool has_opencl();

}  // namespace hone::end_to_end
