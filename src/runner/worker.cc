#include "runner/worker.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/json.h"
#include "device/device.h"
#include "runner/inspect_child.h"
#include "runner/messages.h"
#include "runner/oracle_child.h"
#include "runner/python.h"
#include "runner/sandbox.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

constexpr std::uint64_t largest_payload = 256u << 20;

class Worker {
 public:
  explicit Worker(int socket) : socket_(socket) {}

  int run() {
    while (auto packet = receive_packet(socket_)) {
      if (packet->text == R"({"op":"end"})") return 0;
      packet_ = &*packet;
      reply_.clear();
      const std::string text = answered();
      std::vector<int> fds;
      for (const auto& fd : reply_) fds.push_back(fd.get());
      if (!send_packet(socket_, text, fds)) return 1;
    }
    return 0;
  }

 private:
  std::string answered() {
    try {
      // First, without reading: the time until the launch is measured.
      if (packet_->text == go_text) return to_text(device().go());
      return std::visit([this](const auto& order) { return answer(order); },
                        order_from(packet_->text));
    } catch (const std::exception& error) {
      return broken(error.what());
    }
  }

  device::Device& device() {
    if (!device_) base::fail(base::ExitCode::environment, "no device has been opened");
    return *device_;
  }

  base::Fd& descriptor() { return packet_->fds.at(0); }

  std::string answer(const GoOrder&) { return to_text(device().go()); }

  std::string answer(const OpenOrder& order) {
    device_ = device::open_device(order.device);
    return ok_answer;
  }

  std::string answer(const LoadOrder& order) {
    const auto kernels =
        device().load(read_memory_file(descriptor(), largest_payload), order.kernels);
    return kernels ? to_text(*kernels) : error_answer(kernels.error());
  }

  std::string answer(const BlockOrder& order) {
    return answer_with_id(device().import_block(std::move(descriptor()), order.bytes));
  }

  std::string answer(const DropOrder&) {
    device().drop_blocks();
    return ok_answer;
  }

  std::string answer(const PlanOrder&) {
    plans_.push_back(plan_from(read_memory_file(descriptor(), largest_payload)));
    return answer_with_id(static_cast<int>(plans_.size()) - 1);
  }

  std::string answer(const PrepareRequest& order) {
    const auto prepared =
        device().prepare({plans_.at(static_cast<std::size_t>(order.plan)), order.sets,
                          order.fresh_addresses, order.flush, order.private_memory,
                          order.skip_launch, order.marked, order.record, order.one_by_one});
    return prepared ? ok_answer : error_answer(prepared.error());
  }

  std::string answer(const ActivitiesOrder&) {
    const auto found = device().activities();
    if (!found) return error_answer(found.error());
    reply_.push_back(memory_file(to_text(*found), "activities"));  // more than a packet holds
    return ok_answer;
  }

  std::string answer(const BuildOrder& order) {
    device::BuildRequest request = order.request;
    request.source = read_memory_file(descriptor(), largest_payload);
    const device::BuildResult result = device::compile(request);
    reply_.push_back(memory_file(result.image, "image"));
    reply_.push_back(memory_file(result.log, "log"));
    return base::json_line([&](base::Fields& f) {
      f("built", result.ok)("forbidden", result.forbidden)("traits", result.traits);
    });
  }

  std::string answer(const InspectOrder& order) {
    return inspect_here(order, packet_->fds, reply_);
  }
  std::string answer(const ReferenceOrder& order) { return run_reference(order, packet_->fds); }
  std::string answer(const PythonOrder& order) { return become_python(order, packet_->fds); }
  std::string answer(const CompileReferenceOrder& order) {
    return compile_reference(order, packet_->fds, reply_);
  }

  static std::string answer_with_id(int id) { return fmt::format(R"({{"id":{}}})", id); }

  int socket_;
  Packet* packet_ = nullptr;     // the order at hand
  std::vector<base::Fd> reply_;  // what goes with its answer
  std::unique_ptr<device::Device> device_;
  std::vector<core::ResolvedPlan> plans_;
};

int work(int socket) { return Worker(socket).run(); }

}  // namespace

int worker_main() { return enter_sandbox(work); }

}  // namespace hone::runner
