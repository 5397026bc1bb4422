#include "slurm_cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/fd.h"
#include "cluster_parts.h"

extern char** environ;

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;

// Ports that nothing uses now, all different.
std::vector<int> free_ports(std::size_t count) {
  std::vector<base::Fd> open;
  std::vector<int> ports;
  for (std::size_t i = 0; i < count; ++i) {
    open.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(open.back().get(), plain, size) == 0 &&
        ::getsockname(open.back().get(), plain, &size) == 0)
      ports.push_back(ntohs(address.sin_port));
  }
  return ports;
}

std::string host_name() {
  char name[65] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

bool is_here(const std::string& program) {
  for (const char* folder : {"/usr/sbin", "/usr/bin", "/sbin", "/bin"})
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

SlurmCluster::SlurmCluster() {
  for (const char* program : {"slurmctld", "slurmd", "sbatch", "squeue", "scancel", "unshare"})
    if (!is_here(program))
      missing_ = fmt::format("there is no {}: apt install slurmctld slurmd slurm-client", program);
  if (missing_.empty() &&
      place_.run_program({"unshare", "--pid", "--fork", "--mount-proc", "true"}).code != 0)
    missing_ = "no pid namespaces can be made here: that takes root's rights";
  if (!missing_.empty()) return;
  const std::string path = std::string(std::getenv("PATH")) + ":/usr/sbin:/sbin";
  ::setenv("PATH", path.c_str(), 1);
  ::setenv("SLURM_CONF", (folder() / "slurm.conf").c_str(), 1);
  for (const char* name : {"state", "n1", "n2"}) base::make_folder(folder() / name);
  write_configuration();
  controller_ = start({"slurmctld", "-D"}, "controller");
  for (const char* name : {"n1", "n2"}) start_node(name);
}

SlurmCluster::~SlurmCluster() {
  const auto nodes = nodes_;
  for (const auto& [name, pid] : nodes) kill_node(name);
  if (controller_ < 0) return;
  ::kill(controller_, SIGKILL);
  ::waitpid(controller_, nullptr, 0);
}

void SlurmCluster::write_configuration() const {
  const auto ports = free_ports(3);
  if (ports.size() < 3) base::fail(base::ExitCode::environment, "there are no free ports");
  base::write_file_atomically(
      folder() / "slurm.conf",
      fmt::format(R"(ClusterName=hone
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
SlurmdTimeout=300
KillWait=60
ReturnToService=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 State=UNKNOWN
PartitionName=work Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
)",
                  fmt::arg("host", host_name()), fmt::arg("folder", folder().string()),
                  fmt::arg("controller", ports[0]), fmt::arg("first", ports[1]),
                  fmt::arg("second", ports[2])));
}

int SlurmCluster::start(const std::vector<std::string>& words, const std::string& log) const {
  std::vector<std::string> own = words;
  std::vector<char*> argv;
  for (auto& word : own) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = (folder() / (log + ".out")).string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  int pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) base::fail(base::ExitCode::environment, "{} cannot be started", words[0]);
  return pid;
}

void SlurmCluster::start_node(const std::string& name) {
  nodes_[name] = start(
      {"unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "slurmd", "-D", "-N", name},
      name);
}

void SlurmCluster::kill_node(const std::string& name) {
  const auto node = nodes_.find(name);
  if (node == nodes_.end()) return;
  ::kill(node->second, SIGKILL);
  ::waitpid(node->second, nullptr, 0);
  nodes_.erase(node);
}

bool SlurmCluster::wait_for_nodes(std::size_t idle) const {
  return until([&] {
    const std::string states = run({"sinfo", "--noheader", "--Node", "--format=%t"}).out;
    std::size_t count = 0;
    for (std::size_t at = 0; (at = states.find("idle\n", at)) != std::string::npos; ++at) ++count;
    return count >= idle;
  });
}

std::string SlurmCluster::squeue(const std::string& format) const {
  return run({"squeue", "--array", "--noheader", "--format=" + format}).out;
}

Finished SlurmCluster::run(const std::vector<std::string>& words) const {
  return place_.run_program(words);
}

std::string SlurmCluster::logs() const {
  std::string text;
  for (const char* name : {"controller", "n1", "n2"})
    for (const char* end : {".log", ".out"})
      if (std::error_code ec; fs::exists(folder() / (std::string(name) + end), ec))
        text += std::string(name) + end + ":\n" +
                base::read_file(folder() / (std::string(name) + end)) + "\n";
  return text;
}

}  // namespace hone::end_to_end
