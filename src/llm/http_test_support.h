#pragma once
// What the tests of both wire formats share: a server, a key in the environment, a question.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>

#include "llm/client.h"
#include "llm/test_server.h"

namespace hone::llm {

constexpr const char* secret = "sk-test-0123456789-secret";

inline Request question() {
  Request request;
  request.role = "writer";
  request.step = "g001/writer-1/try-1";
  request.prompt.system = "You write kernels.";
  request.prompt.sections = {{"Task", "Add two vectors.", 0}};
  request.max_output_tokens = 4000;
  return request;
}
inline Request shaped_question() {
  auto request = question();
  request.tool = ToolDefinition{"select", "Choose a basis.",
                                R"({"type":"object","properties":{"basis":{"type":"integer"}}})"};
  return request;
}

inline std::string error_json(const std::string& message,
                              const std::string& type = "invalid_request_error",
                              const std::string& code = "", const std::string& param = "") {
  return base::json_line([&](base::Fields& f) {
    f("type", "error");
    f.group("error", [&] {
      f("message", message)("type", type);
      f.sparse("code", code).sparse("param", param);
    });
  });
}

// {"name": "text"}
inline std::string field(const char* name, const std::string& text) {
  return base::json_line([&](base::Fields& f) { f(name, text); });
}

struct WithServer : ::testing::Test {
  TestServer server;
  void SetUp() override {
    ::setenv("OPENAI_API_KEY", secret, 1);
    ::setenv("ANTHROPIC_API_KEY", secret, 1);
    ::unsetenv("OPENAI_BASE_URL");
    ::unsetenv("ANTHROPIC_BASE_URL");
  }
  virtual std::string scheme() const = 0;
  std::shared_ptr<LlmClient> client(const std::string& options = "") const {
    return make_client(scheme() + ":some-model@" + server.url() + options);
  }
  static Reply reply_of(LlmClient& asked, const Request& request = question()) {
    auto result = asked.ask(request, Cancel(false));
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text);
    return result.ok() ? *result : Reply{};
  }
  static Fault fault_of(LlmClient& asked, const Request& request = question()) {
    auto result = asked.ask(request, Cancel(false));
    EXPECT_FALSE(result.ok());
    return result.ok() ? Fault{FaultKind::over_budget, "", {}, {}} : result.error();
  }
  Fault fault_after(int status, const std::string& body, const std::string& headers = "") {
    server.then([=](const Connection& connection, const Received&) {
      connection.status(status, body, headers);
    });
    return fault_of(*client());
  }
};

}  // namespace hone::llm
