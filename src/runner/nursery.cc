#include "runner/nursery.h"

#include <fcntl.h>
#include <unistd.h>

#include <future>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "runner/runner.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::Fd;
using nlohmann::json;

constexpr double import_seconds = 120, spawn_seconds = 30;  // a cold disk; a loaded machine

// Limits are the child's own to lower; what else differs from the usual sandbox needs one made for it.
bool is_usual(const SandboxSpec& spec) {
  return spec.isolation == Isolation::full && spec.shared_folder.empty() && spec.wrapper.empty() &&
         spec.environment.empty() && !spec.keep_rights;
}

struct Nursery {
  Sandboxed process;
  bool failed = false;
};

// A process dies with the thread that started it, and its children with it: this one's thread stays as long as Hone
// does.
Sandboxed started_for_good(const Python& python, const SandboxSpec& spec, const std::vector<std::string>& words) {
  std::promise<Sandboxed> promise;
  auto process = promise.get_future();
  std::thread([promise = std::move(promise), python, spec, words]() mutable {
    try {
      promise.set_value(start_python_alone(python, "nursery.py", spec, words));
    } catch (...) {
      promise.set_exception(std::current_exception());
      return;
    }
    while (true) ::pause();
  }).detach();
  return process.get();
}

Nursery started(const Python& python, const SandboxSpec& like, bool compiles) {
  SandboxSpec spec;
  spec.gpu = like.gpu;
  spec.network = like.network;
  spec.readable = like.readable;
  spec.memory_bytes = spec.file_bytes = ~std::uint64_t{0} >> 1;  // its children lower theirs
  spec.processes = 4 * processes_of_pythons();                   // and its children lower that too
  spec.keeps_children = true;
  const std::vector<std::string> words = compiles ? std::vector<std::string>{"compile"} : std::vector<std::string>{};
  Nursery nursery{started_for_good(python, spec, words), false};
  const auto packet =
      wait_readable(nursery.process.socket(), import_seconds) ? receive_packet(nursery.process.socket()) : std::nullopt;
  const auto answer = packet ? json::parse(packet->text, nullptr, false) : json();
  nursery.failed = !answer.is_object() || !answer.contains("ok");
  return nursery;
}

std::string key_of(const Python& python, const SandboxSpec& spec, bool compiles) {
  std::string key =
      (compiles ? "compile " : "") + python.program + (spec.gpu ? " gpu" : " cpu") + (spec.network ? " network" : "");
  for (const auto& folder : spec.readable) key += " " + folder;
  return key;
}

}  // namespace

std::optional<Sandboxed> start_forked(const Python& python, const std::string& script, const SandboxSpec& spec,
                                      const std::vector<std::string>& words) {
  if (!is_usual(spec) || !isolation_problem().empty()) return std::nullopt;
  static std::mutex mutex;
  static std::map<std::string, Nursery> nurseries;
  const std::lock_guard lock(mutex);
  // Only baselines compile modules, and what that imports takes seconds more. Once it is there it serves others too.
  bool compiles =
      spec.gpu && ((!words.empty() && words.front() == "baseline") || nurseries.contains(key_of(python, spec, true)));
  for (int attempt = 0; attempt < 3; ++attempt) {
    const std::string key = key_of(python, spec, compiles);
    auto found = nurseries.find(key);
    if (found == nurseries.end()) found = nurseries.emplace(key, started(python, spec, compiles)).first;
    if (found->second.failed && compiles) {
      compiles = false;  // with fewer imports it may do
      continue;
    }
    if (found->second.failed) return std::nullopt;
    const json message = {{"script", script},
                          {"words", words},
                          {"memory", spec.memory_bytes},
                          {"file", spec.file_bytes},
                          {"scratch", spec.scratch_bytes},
                          {"processes", spec.processes},
                          {"network", spec.network},
                          {"gpu_hidden", spec.gpu_hidden}};
    Sandboxed::Ends ends;
    Sandboxed child = Sandboxed::announced(ends);
    const Fd filter = system_call_filter(!spec.gpu || spec.gpu_hidden);
    if (!send_packet(found->second.process.socket(), message.dump(),
                     {ends.socket.get(), ends.log.get(), ends.status.get(), filter.get()})) {
      nurseries.erase(found);  // it died
      continue;
    }
    ends = {};
    if (child.wait_ready(spawn_seconds).empty()) return child;
    // What does not work once does not work: later workers are processes of their own. Hiding the GPU is one's own
    // matter.
    if (!spec.gpu_hidden) found->second.failed = true;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hone::runner
