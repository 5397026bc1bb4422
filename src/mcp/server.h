#pragma once
// A Model Context Protocol server for one client, on two streams. It speaks revision 2025-11-25
// (after `initialize`) and 2026-07-28 (each request says so in `_meta`), both at once. One thread
// reads; calls run in others. Nothing that comes in ends it but the end of the input.
#include <map>
#include <memory>
#include <set>
#include <string>

#include "mcp/calls.h"
#include "mcp/output.h"
#include "mcp/place.h"

namespace hone::mcp {

struct ServerOptions {
  Place place;
  int max_evals = 500;
  double max_minutes = 120;
};

inline constexpr std::size_t longest_message = std::size_t{4} << 20;  // a candidate has 1 MiB

class Server {
 public:
  Server(const ServerOptions& options, int out);
  ~Server();

  void take(std::string_view line);  // one message
  void refuse_long_line();

 private:
  void dispatch(std::shared_ptr<Request> request);
  bool answer_at_once(Request& request);
  void initialize(Request& request);
  void call_tool(const std::shared_ptr<Request>& request);
  void read_resource(const std::shared_ptr<Request>& request);
  void get_prompt(Request& request);
  void listen(const std::shared_ptr<Request>& request);
  void take_notification(const Message& message);

  const Place place_;
  Output output_;
  bool initialized_ = false;
  std::map<std::string, std::weak_ptr<Request>> in_flight_;  // by the id as it is written
  std::set<std::shared_ptr<Request>> listening_;
  Calls calls_;  // last: its threads use the others
};

// Until the input ends. The exit code.
int serve(const ServerOptions& options, int in, int out);

}  // namespace hone::mcp
