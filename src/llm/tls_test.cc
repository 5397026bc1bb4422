#include <fstream>
#include <regex>

#include "base/command.h"
#include "base/files.h"
#include "llm/http_test_support.h"

namespace hone::llm {
namespace {

using ::testing::HasSubstr;

// A server with a certificate that it has signed itself, by the openssl program.
struct Tls : ::testing::Test {
  base::TemporaryFolder folder{"hone-tls-test"};
  std::string file(const char* name) const { return (folder.path() / name).string(); }
  Cancel stop{false};
  std::future<base::CommandEnd> server;
  std::string port;

  static base::Command command(const std::string& line) {
    return {line, "", {}, std::chrono::minutes(5), 1 << 20};
  }
  void SetUp() override {
    const auto made =
        base::run_command(command("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "
                                  "/CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
                                  file("key.pem") + " -out " + file("cert.pem")),
                          stop);
    if (made.code != 0) GTEST_SKIP() << "the openssl program is not here: " << made.error_tail;
    server = std::async(std::launch::async, [this] {
      return base::run_command(
          command("exec openssl s_server -accept 127.0.0.1:0 -rev -cert " + file("cert.pem") +
                  " -key " + file("key.pem") + " > " + file("log")),
          stop);
    });
    while (port.empty()) {
      if (server.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready)
        GTEST_SKIP() << "openssl s_server does not run: " << server.get().error_tail;
      std::ifstream in(file("log"));
      const std::string log(std::istreambuf_iterator<char>(in), {});
      std::smatch found;
      if (std::regex_search(log, found, std::regex("ACCEPT .*:([0-9]+)\n"))) port = found[1];
    }
    ::setenv("OPENAI_API_KEY", secret, 1);
    ::unsetenv("SSL_CERT_FILE");
  }
  void TearDown() override {
    ::unsetenv("SSL_CERT_FILE");
    stop = true;
    if (server.valid()) server.wait();
  }
  Fault fault() const {
    const auto result =
        make_client("openai:m@https://localhost:" + port)->ask(question(), Cancel(false));
    EXPECT_FALSE(result.ok());
    return result.ok() ? Fault{} : result.error();
  }
};

TEST_F(Tls, RefusesACertificateThatNobodyVouchesFor) {
  const auto found = fault();
  EXPECT_EQ(found.kind, FaultKind::rejected);
  EXPECT_THAT(found.text, HasSubstr("certificate"));
}

TEST_F(Tls, TrustsACertificateThatTheUserNames) {
  ::setenv("SSL_CERT_FILE", file("cert.pem").c_str(), 1);
  // It says everything backwards, but it is the server it claims to be.
  const auto found = fault();
  EXPECT_EQ(found.kind, FaultKind::malformed) << found.text;
}

}  // namespace
}  // namespace hone::llm
