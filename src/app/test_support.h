#pragma once
// What requests are tried on: a task for the fake device with candidates beside it, and a sink that
// records. The fake GPU's clock is its own, and a call takes a second of it: no delay of a busy
// machine comes near that.
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/files.h"
#include "run/job_test_task.h"
#include "store/archive.h"

namespace hone::app {

class RecordingSink : public Sink {
 public:
  void say(const std::string& sentence) override {
    said.push_back(sentence);
    if (after_say) after_say();
  }
  void step(const Step& step) override {
    steps.push_back(step);
    if (after_step) after_step();
  }
  const std::atomic<bool>& cancelled() const override { return cancelled_; }
  void cancel() { cancelled_ = true; }

  std::vector<std::string> said;
  std::vector<Step> steps;
  std::function<void()> after_say, after_step;  // a test may cancel here

 private:
  std::atomic<bool> cancelled_{false};
};

// A folder with the task, and an archive of its own.
class FakePlace : public run::FakeTask {
 public:
  std::string task_name() const { return task_folder().string(); }
  std::string archive_name() const { return path() / "archive.db"; }
  store::Archive archive() const { return store::Archive::open(archive_name()); }

  // A request for the fake GPU and that archive.
  template <typename Request>
  Request request() const {
    Request request;
    request.device = "fake:1";
    request.archive = archive_name();
    return request;
  }
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path() / name;
    base::write_file_atomically(file, text);
    return file;
  }
  // A candidate: "copy ns=1000000000".
  std::string candidate(const std::string& name, const std::string& behaviour) const {
    return write(name, run::fake_candidate(behaviour).source);
  }
  std::string good() const { return candidate("good.fake", "copy ns=1000000000"); }
  std::string wrong() const { return candidate("wrong.fake", "zeros ns=1000000000"); }
};

// The error's code, or ok where there is none.
template <typename Function>
base::ExitCode code_of(const Function& function) {
  try {
    function();
  } catch (const base::Error& error) {
    return error.code();
  }
  return base::ExitCode::ok;
}

}  // namespace hone::app
