#include "run/tune_output.h"

#include "base/error.h"
#include "store/candidates.h"
#include "task/candidate_loader.h"

namespace hone::run {

std::optional<core::Candidate> earlier_result(store::Archive& archive,
                                              const std::filesystem::path& file) {
  if (std::error_code ec; !std::filesystem::exists(file, ec)) return std::nullopt;
  const auto candidate = task::load_candidate(file);
  const bool written_here = candidate && store::author_of(archive, candidate->hash) == tuner_name;
  if (!written_here)
    base::fail(
        base::ExitCode::bad_input,
        "{} is there already, and it is not what a tuning run of this archive wrote (it may have "
        "been changed since): give another file with --out, or overwrite it with --force",
        file.string());
  return *candidate;
}

std::filesystem::path free_name_like(const std::filesystem::path& file) {
  for (int number = 2;; ++number) {
    auto other = file.parent_path() /
                 fmt::format("{}.{}{}", file.stem().string(), number, file.extension().string());
    if (std::error_code ec; !std::filesystem::exists(other, ec)) return other;
  }
}

}  // namespace hone::run
