#include "runner/inspect_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstring>

#include "base/files.h"
#include "runner/wire.h"

extern char** environ;

namespace hone::runner {
namespace {

constexpr std::uint64_t largest_contents = 256u << 20;
constexpr std::uint64_t largest_error_text = 1u << 20;
constexpr int killed_by_signal = 128;  // added to the signal's number, as shells do

struct End {
  int code = 0;
  std::string problem;  // why it could not be started
};

End run_program(std::vector<std::string> command, const std::string& out, const std::string& err) {
  std::vector<char*> argv;
  for (auto& argument : command) argv.push_back(argument.data());
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
  return {WIFEXITED(status) ? WEXITSTATUS(status) : killed_by_signal + WTERMSIG(status), ""};
}

}  // namespace

std::string inspect_here(const InspectOrder& order, const std::vector<base::Fd>& fds,
                         std::vector<base::Fd>& reply) {
  const base::TemporaryFolder folder("hone-inspect");
  const std::string contents = folder.path() / "contents", out = folder.path() / "out",
                    err = folder.path() / "err";
  base::write_file_atomically(contents, read_memory_file(fds.at(0), largest_contents));
  auto command = order.words;
  for (auto& argument : command)
    if (const auto at = argument.find("{}"); at != std::string::npos)
      argument.replace(at, 2, contents);
  const End end = run_program(command, out, err);
  if (!end.problem.empty()) return broken(end.problem);
  reply.push_back(memory_file(base::read_file(out), "out"));
  reply.push_back(memory_file(base::read_file(err).substr(0, largest_error_text), "err"));
  return fmt::format(R"({{"code":{}}})", end.code);
}

}  // namespace hone::runner
