#pragma once
// Which baselines of a list are recorded already, so that a list that was stopped is continued and
// not begun again. Owns what it has read of the files, and appends to them; one thread.
#include <filesystem>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "tables/baselines.h"

namespace hone::tables {

// What of the recorded lines counts as done.
struct Reuse {
  bool again = false;     // nothing: everything is measured again
  bool retry = false;     // not what has failed
  bool by_model = false;  // also what another device of the same name did
};

class RecordedBaselines {
 public:
  // `home` has every line. `out`, where it is named, gets those of the list too, and its lines
  // count as well.
  RecordedBaselines(std::filesystem::path home, std::filesystem::path out);

  // A line for each class; none where one of them has to be measured.
  std::vector<BaselineLine> find(const std::string& reference, const core::DeviceInfo& info,
                                 const Reuse& reuse) const;
  // Writes lines that were found to `out`, where it does not have them.
  void copy_out(const std::vector<BaselineLine>& lines) const;
  void append(const BaselineLine& line) const;  // to both files

 private:
  const BaselineLine* of_the_same_model(const std::string& reference, const core::DeviceInfo& info,
                                        const std::string& class_name) const;

  std::filesystem::path home_, out_;
  std::vector<BaselineLine> lines_, in_out_;  // lines_: of both files
};

}  // namespace hone::tables
