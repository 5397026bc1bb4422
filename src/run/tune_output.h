#pragma once
// The file that a tuning run writes its result to. A result of an earlier run stays where it is at
// least as fast, and a file that is no such result (a person may have changed one) is never
// overwritten; --force does both.
#include <filesystem>
#include <optional>

#include "core/candidate.h"
#include "store/archive.h"

namespace hone::run {

constexpr const char* tuner_name = "hone tune";  // as the author of what it writes

// The earlier result that stands there; nothing where the file is free. Throws Error where
// something else stands there.
std::optional<core::Candidate> earlier_result(store::Archive& archive,
                                              const std::filesystem::path& file);
// A name like this one that no file has.
std::filesystem::path free_name_like(const std::filesystem::path& file);

}  // namespace hone::run
