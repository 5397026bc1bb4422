#include "runner/isolation_advice.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hone::runner {
namespace {

std::string first_word_of(const char* file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

}  // namespace

NamespaceFacts namespace_facts() {
  NamespaceFacts facts;
  facts.max_user_namespaces = first_word_of("/proc/sys/user/max_user_namespaces");
  facts.unprivileged_userns_clone = first_word_of("/proc/sys/kernel/unprivileged_userns_clone");
  facts.apparmor_restrict_unprivileged_userns =
      first_word_of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  std::error_code ec;
  // What Docker, Podman and systemd, and Kubernetes leave in a container.
  facts.in_container = std::filesystem::exists("/.dockerenv", ec) ||
                       std::filesystem::exists("/run/.containerenv", ec) ||
                       std::getenv("container") != nullptr ||
                       std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
  return facts;
}

std::string isolation_advice(const NamespaceFacts& facts) {
  if (facts.max_user_namespaces == "0")
    return "The machine allows no user namespaces (user.max_user_namespaces is 0): as root, sysctl "
           "-w user.max_user_namespaces=10000 allows them";
  if (facts.unprivileged_userns_clone == "0")
    return "Only root may make user namespaces (kernel.unprivileged_userns_clone is 0): as root, "
           "sysctl -w kernel.unprivileged_userns_clone=1 allows them, or run hone as root";
  if (facts.apparmor_restrict_unprivileged_userns == "1")
    return "AppArmor keeps programs from making user namespaces "
           "(kernel.apparmor_restrict_unprivileged_userns is 1): as root, sysctl -w "
           "kernel.apparmor_restrict_unprivileged_userns=0 allows them, or run hone as root";
  if (facts.in_container)
    return "The container forbids user namespaces: start it with --security-opt seccomp=unconfined "
           "(Docker, Podman) or as a privileged one";
  return "Something forbids user namespaces, which a chroot, a container's seccomp filter or an "
         "LSM can do: run hone where `unshare -Urmp --fork true` works, or as root";
}

}  // namespace hone::runner
