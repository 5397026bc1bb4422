#pragma once
// Which setting of the machine keeps Hone from making the namespaces of its sandbox, and how it is
// changed. The facts are read from /proc; the sentence is a pure function of them.
#include <string>

namespace hone::runner {

struct NamespaceFacts {
  // The first word of each file under /proc/sys; "" where there is none.
  std::string max_user_namespaces, unprivileged_userns_clone, apparmor_restrict_unprivileged_userns;
  bool in_container = false;
};
NamespaceFacts namespace_facts();
std::string isolation_advice(const NamespaceFacts& facts);  // a sentence without its full stop

}  // namespace hone::runner
