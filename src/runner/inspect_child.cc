#include "runner/inspect_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "runner/wire.h"

extern char** environ;

namespace hone::runner {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_contents = 256u << 20;
constexpr std::uint64_t largest_complaint = 1u << 20;
constexpr int killed = 128;  // added to the signal, as shells do

struct End {
  int code = 0;
  std::string trouble;  // it could not be started
};

End run(std::vector<std::string> words, const std::string& out, const std::string& err) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {0, std::strerror(error)};
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : killed + WTERMSIG(status), ""};
}

}  // namespace

json inspect_here(const json& message, const std::vector<base::Fd>& fds, std::vector<base::Fd>& reply) {
  const base::TemporaryFolder folder("hone-inspect");
  const std::string contents = folder.path() / "contents", out = folder.path() / "out", err = folder.path() / "err";
  base::write_file_atomically(contents, read_memory_file(fds.at(0), largest_contents));
  auto words = message.at("words").get<std::vector<std::string>>();
  for (auto& word : words)
    if (word == "{}") word = contents;
  const End end = run(words, out, err);
  if (!end.trouble.empty()) return {{"broken", end.trouble}};
  reply.push_back(memory_file(base::read_file(out), "out"));
  reply.push_back(memory_file(base::read_file(err).substr(0, largest_complaint), "err"));
  return {{"code", end.code}};
}

}  // namespace hone::runner
