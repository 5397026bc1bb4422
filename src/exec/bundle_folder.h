#pragma once
// The folder behind `--executor bundle:DIR`: jobs that wait to be packed, results that came back,
// and which jobs each bundle took along. Every file is written aside and renamed into place, so a
// process may be killed at any point and the next one finds a folder that makes sense.
//     DIR/jobs/NAME  DIR/results/NAME  DIR/packed/BUNDLE
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exec/executor.h"

namespace hone::exec {

// Letters, digits, '-', '_' and '.', not '.' first, at most 128: fit to be a file's name anywhere.
bool is_job_name(std::string_view name);

class BundleFolder {
 public:
  explicit BundleFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& path() const { return folder_; }

  // The same job again changes nothing; another one under the same name is an Error.
  void put_job(const PackedJob& job) const;
  bool has_job(const std::string& name) const;
  std::vector<PackedJob> pending() const;  // without results, by name

  bool put_result(const PackedResult& result) const;  // false: there was one, which stays
  std::optional<PackedResult> result(const std::string& name) const;

  void note_packed(const std::string& bundle, const std::vector<std::string>& jobs) const;
  std::optional<std::set<std::string>> packed(
      const std::string& bundle) const;  // nothing: not packed from here

 private:
  std::filesystem::path folder_;
};

}  // namespace hone::exec
