#pragma once
// An archive that several threads of a run use, one at a time: a connection to SQLite belongs to
// one thread. The thread that has it may ask for it again.
#include <mutex>

#include "store/archive.h"

namespace hone::run {

class SharedArchive {
 public:
  explicit SharedArchive(store::Archive& archive) : archive_(archive) {}
  SharedArchive(const SharedArchive&) = delete;
  SharedArchive& operator=(const SharedArchive&) = delete;

  template <typename Function>
  auto with(Function&& function) {
    const std::lock_guard lock(mutex_);
    return function(archive_);
  }

 private:
  store::Archive& archive_;
  std::recursive_mutex mutex_;
};

}  // namespace hone::run
