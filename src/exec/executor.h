#pragma once
// Moves jobs to where they are done and results back. A job is opaque here: a name that is unique
// for all time and a body of bytes. An executor may lose its process at any moment: what was
// submitted under a name stays submitted, and submitting it again, in a newer hone's words perhaps,
// asks for nothing more.
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hone::exec {

struct PackedJob {
  std::string name;  // letters, digits, '-' and '.'
  std::string body;
};

struct PackedResult {
  std::string name, body;
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual void submit(const PackedJob& job) = 0;  // any thread
  // What has come back for this job since it was submitted; waits as long as it may take, unless
  // that is for others to bring about (see away()). Any thread. Throws Error where the executor
  // itself is broken.
  virtual std::optional<PackedResult> wait_for(const std::string& name,
                                               const std::function<bool()>& cancelled) = 0;
  // Jobs leave this machine, and results come with a person: wait_for() returns nothing at once
  // where there is none.
  virtual bool away() const = 0;
  virtual std::string describe() const = 0;
};

}  // namespace hone::exec
