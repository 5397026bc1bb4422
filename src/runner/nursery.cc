#include "runner/nursery.h"

#include <fcntl.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/error.h"
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

Nursery started(const Python& python, const SandboxSpec& like) {
  SandboxSpec spec;
  spec.gpu = like.gpu;
  spec.network = like.network;
  spec.readable = like.readable;
  spec.memory_bytes = spec.file_bytes = ~std::uint64_t{0} >> 1;  // its children lower theirs
  spec.processes = 4096;
  spec.keeps_children = true;
  Nursery nursery{start_python_alone(python, "nursery.py", spec, {}), false};
  const auto packet =
      wait_readable(nursery.process.socket(), import_seconds) ? receive_packet(nursery.process.socket()) : std::nullopt;
  const auto answer = packet ? json::parse(packet->text, nullptr, false) : json();
  nursery.failed = !answer.is_object() || !answer.contains("ok");
  return nursery;
}

std::string key_of(const Python& python, const SandboxSpec& spec) {
  std::string key = python.program + (spec.gpu ? " gpu" : " cpu") + (spec.network ? " network" : "");
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
  const std::string key = key_of(python, spec);
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto found = nurseries.find(key);
    if (found == nurseries.end()) found = nurseries.emplace(key, started(python, spec)).first;
    if (found->second.failed) return std::nullopt;
    const json message = {{"script", script},
                          {"words", words},
                          {"memory", spec.memory_bytes},
                          {"file", spec.file_bytes},
                          {"scratch", spec.scratch_bytes},
                          {"processes", spec.processes},
                          {"network", spec.network}};
    Sandboxed::Ends ends;
    Sandboxed child = Sandboxed::announced(ends);
    const Fd filter = system_call_filter(!spec.gpu);
    if (!send_packet(found->second.process.socket(), message.dump(),
                     {ends.socket.get(), ends.log.get(), ends.status.get(), filter.get()})) {
      nurseries.erase(found);  // it died with the thread that had started it, say
      continue;
    }
    ends = {};
    if (child.wait_ready(spawn_seconds).empty()) return child;
    found->second.failed = true;  // what does not work once does not work: later workers are processes of their own
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hone::runner
