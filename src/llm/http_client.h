#pragma once
// A model behind a network, in either wire format. Streams every answer; leaves out what the server
// does not take, once it has said so, and remembers that for the calls that follow. Asked from many
// threads at once.
#include <mutex>

#include "llm/client.h"
#include "llm/http_faults.h"
#include "llm/wire.h"

namespace hone::llm {

class HttpClient : public LlmClient {
 public:
  HttpClient(Endpoint endpoint, const Wire& wire) : endpoint_(std::move(endpoint)), wire_(wire) {}
  base::Result<Reply, Fault> ask(const Request& request, const Cancel& cancel) override;
  std::string name() const override { return endpoint_.name; }
  std::string price_name() const override { return endpoint_.host + "/" + endpoint_.model; }
  std::optional<std::int64_t> max_output() const override { return endpoint_.max_output; }

 private:
  Quirks quirks() const;
  // Whether a request without what the server complains about is worth a try.
  bool adapt(const ServerError& error, const std::string& body, std::int64_t& most_output,
             std::string& note);
  HttpEnd exchange(const std::string& body, Gathered& gathered, const Cancel& cancel) const;
  base::Result<Reply, Fault> concluded(Gathered gathered, const HttpEnd& end,
                                       std::int64_t most_output) const;

  Endpoint endpoint_;
  const Wire& wire_;
  mutable std::mutex mutex_;
  Quirks quirks_;  // under the mutex
};

}  // namespace hone::llm
