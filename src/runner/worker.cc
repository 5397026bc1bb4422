#include "runner/worker.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "device/device.h"
#include "runner/inspect_child.h"
#include "runner/messages.h"
#include "runner/oracle_child.h"
#include "runner/python.h"
#include "runner/sandbox.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_payload = 256u << 20;

class Worker {
 public:
  explicit Worker(int socket) : socket_(socket) {}

  int run() {
    while (auto packet = receive_packet(socket_)) {
      if (packet->text == R"({"op":"end"})") return 0;
      std::vector<base::Fd> reply_fds;
      json reply;
      try {
        reply = answer(json::parse(packet->text), *packet, reply_fds);
      } catch (const std::exception& error) {
        reply = {{"broken", valid_utf8(error.what())}};
      }
      std::vector<int> fds;
      for (const auto& fd : reply_fds) fds.push_back(fd.get());
      if (!send_packet(socket_, reply.dump(), fds)) return 1;
    }
    return 0;
  }

 private:
  json answer(const json& message, Packet& packet, std::vector<base::Fd>& fds) {
    const std::string op = message.at("op");
    if (op == "go") return to_json(device().go());  // first: the time until the launch is measured
    if (op == "prepare") return prepare(message);
    if (op == "open") return open(message.at("device"));
    if (op == "load") return load(message, packet);
    if (op == "block")
      return {{"id", device().import_block(std::move(packet.fds.at(0)), message.at("bytes"))}};
    if (op == "drop") return device().drop_blocks(), json{{"ok", true}};
    if (op == "plan") return {{"id", keep_plan(packet)}};
    if (op == "activities") return activities(fds);
    if (op == "build") return build(message, packet, fds);
    if (op == "inspect") return inspect_here(message, packet.fds, fds);
    if (op == "reference") return run_reference(message, packet.fds);
    if (op == "python") return become_python(message, packet.fds);
    if (op == "compile_reference") return compile_reference(message, packet.fds, fds);
    return {{"broken", "unknown message " + op}};
  }

  device::Device& device() {
    if (!device_) base::fail(base::ExitCode::environment, "no device has been opened");
    return *device_;
  }

  json open(const std::string& id) {
    device_ = device::open_device(id);
    return {{"ok", true}};
  }

  json load(const json& message, const Packet& packet) {
    const auto kernels =
        device().load(read_memory_file(packet.fds.at(0), largest_payload), message.at("kernels"));
    if (!kernels) return {{"error", valid_utf8(kernels.error())}};
    json list = json::array();
    for (const auto& kernel : *kernels) list.push_back(to_json(kernel));
    return {{"kernels", list}};
  }

  int keep_plan(const Packet& packet) {
    plans_.push_back(plan_from(json::parse(read_memory_file(packet.fds.at(0), largest_payload))));
    return static_cast<int>(plans_.size()) - 1;
  }

  json prepare(const json& message) {
    device::CallRequest request;
    request.plan = plans_.at(message.at("plan").get<std::size_t>());
    for (const auto& set : message.at("sets")) {
      auto& bindings = request.sets.emplace_back();
      for (const auto& binding : set) bindings.push_back({binding.at(0), binding.at(1)});
    }
    const std::size_t times = message.at("times");
    request.sets.reserve(times);
    while (request.sets.size() < times) request.sets.push_back(request.sets.at(0));
    request.fresh_addresses = message.at("fresh");
    request.flush = message.at("flush");
    request.private_memory = message.at("private");
    request.skip_launch = message.at("skip");
    request.marked = message.at("marked").get<std::vector<int>>();
    request.record = message.at("record");
    request.one_by_one = message.at("one_by_one");
    const auto prepared = device().prepare(request);
    if (!prepared) return {{"error", valid_utf8(prepared.error())}};
    return {{"ok", true}};
  }

  json activities(std::vector<base::Fd>& fds) {
    const auto found = device().activities();
    if (!found) return {{"error", valid_utf8(found.error())}};
    fds.push_back(memory_file(to_json(*found).dump(), "activities"));  // more than a packet holds
    return {{"ok", true}};
  }

  static json build(const json& message, const Packet& packet, std::vector<base::Fd>& fds) {
    device::BuildRequest request = build_request_from(message.at("request"));
    request.source = read_memory_file(packet.fds.at(0), largest_payload);
    const device::BuildResult result = device::compile(request);
    fds.push_back(memory_file(result.image, "image"));
    fds.push_back(memory_file(result.log, "log"));
    json forbidden = json::array();
    for (const auto& text : result.forbidden) forbidden.push_back(valid_utf8(text));
    return {{"built", result.ok}, {"forbidden", forbidden}, {"traits", result.traits}};
  }

  int socket_;
  std::unique_ptr<device::Device> device_;
  std::vector<core::ResolvedPlan> plans_;
};

int work(int socket) { return Worker(socket).run(); }

}  // namespace

int worker_main() { return enter_sandbox(work); }

}  // namespace hone::runner
