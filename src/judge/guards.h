#pragma once
// The guards by name: what each protects against, and at which depth. A guard can be switched off for the self-test
// only, to show that it, and nothing else, is what catches its specimen.
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/evaluation.h"

namespace hone::judge {

struct Guard {
  std::string_view name;
  std::string_view rows;  // of docs/trust.md
  core::Depth depth;
  std::string_view what;
};
std::span<const Guard> all_guards();

class GuardSet {
 public:
  // Throws Error for a name that no guard has.
  void switch_off(const std::string& name);
  bool on(std::string_view name) const { return !off_.contains(name); }
  bool complete() const { return off_.empty(); }

 private:
  std::set<std::string, std::less<>> off_;
};

}  // namespace hone::judge
