#include "runner/fork_server.h"

#include <unistd.h>

#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/json.h"
#include "runner/messages.h"
#include "runner/runner_options.h"
#include "runner/system_call_filter.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::Fd;
using Arguments = std::vector<std::string>;

constexpr double import_seconds = 120, fork_seconds = 30;  // a cold disk; a loaded machine
constexpr int most_attempts =
    3;  // a server without compilers after one with them, and a new one after one that died

// A child lowers its own limits; anything else that differs from the usual sandbox needs a sandbox
// made for it.
bool can_be_forked(const SandboxSpec& spec) {
  return spec.isolation == Isolation::full && spec.shared_folder.empty() && spec.wrapper.empty() &&
         spec.environment.empty() && !spec.keep_rights;
}

struct ForkServer {
  Sandboxed process;
  bool failed = false;
};

// A process is killed when the thread that started it ends, and its children with it: this thread
// never ends.
Sandboxed start_on_lasting_thread(const Python& python, const SandboxSpec& spec,
                                  const Arguments& arguments) {
  std::promise<Sandboxed> promise;
  auto process = promise.get_future();
  std::thread([promise = std::move(promise), python, spec, arguments]() mutable {
    try {
      promise.set_value(start_python_alone(python, "fork_server.py", spec, arguments));
    } catch (...) {
      promise.set_exception(std::current_exception());
      return;
    }
    while (true) ::pause();
  }).detach();
  return process.get();
}

ForkServer start_server(const Python& python, const SandboxSpec& child, bool compiles) {
  SandboxSpec spec;
  spec.gpu = child.gpu;
  spec.network = child.network;
  spec.readable = child.readable;
  // Its children lower these limits.
  spec.memory_bytes = spec.file_bytes = ~std::uint64_t{0} >> 1;
  spec.processes = 4 * python_process_limit();
  spec.is_fork_server = true;
  ForkServer server{
      start_on_lasting_thread(python, spec, compiles ? Arguments{"compile"} : Arguments{}), false};
  const auto packet = wait_readable(server.process.socket(), import_seconds)
                          ? receive_packet(server.process.socket())
                          : std::nullopt;
  const auto head = packet ? head_of(packet->text) : std::nullopt;
  server.failed = !head || !head->ok;
  return server;
}

std::string key_of(const Python& python, const SandboxSpec& spec, bool compiles) {
  std::string key = (compiles ? "compile " : "") + python.program + (spec.gpu ? " gpu" : " cpu") +
                    (spec.network ? " network" : "");
  for (const auto& folder : spec.readable) key += " " + folder;
  return key;
}

// The handle of a child that was asked for; nothing: the server has died.
std::optional<Sandboxed> ask_for_child(ForkServer& server, const std::string& script,
                                       const SandboxSpec& spec, const Arguments& arguments) {
  const std::string order = base::json_line([&](base::Fields& f) {
    f("script", script)("words", arguments)("memory", spec.memory_bytes)("file", spec.file_bytes);
    f("scratch", spec.scratch_bytes)("processes", spec.processes)("network", spec.network);
    f("gpu_hidden", spec.gpu_hidden);
  });
  Sandboxed::ChildEnds ends;
  Sandboxed child = Sandboxed::with_channels(ends);
  const Fd filter = system_call_filter({!spec.gpu || spec.gpu_hidden, spec.network});
  if (!send_packet(server.process.socket(), order,
                   {ends.socket.get(), ends.log.get(), ends.status.get(), filter.get()}))
    return std::nullopt;
  return child;
}

}  // namespace

std::optional<Sandboxed> start_forked(const Python& python, const std::string& script,
                                      const SandboxSpec& spec, const Arguments& arguments) {
  if (!can_be_forked(spec) || !isolation_problem().empty()) return std::nullopt;
  static std::mutex mutex;
  static std::map<std::string, ForkServer> servers;
  const std::lock_guard lock(mutex);
  // Only baselines compile modules, and importing what that needs takes seconds more. A server that
  // has imported it serves other workers too.
  const bool is_baseline = !arguments.empty() && arguments.front() == "baseline";
  bool compiles = spec.gpu && (is_baseline || servers.contains(key_of(python, spec, true)));
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::string key = key_of(python, spec, compiles);
    auto found = servers.find(key);
    if (found == servers.end())
      found = servers.emplace(key, start_server(python, spec, compiles)).first;
    ForkServer& server = found->second;
    if (server.failed && compiles) {
      compiles = false;  // it may work with fewer imports
      continue;
    }
    if (server.failed) return std::nullopt;
    auto child = ask_for_child(server, script, spec, arguments);
    if (!child) {
      servers.erase(found);
      continue;
    }
    if (child->wait_until_ready(fork_seconds).empty()) return child;
    // A sandbox that failed once would fail again: later workers are processes of their own. Where
    // only hiding the GPU may have failed, others can still be forked.
    if (!spec.gpu_hidden) server.failed = true;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hone::runner
