#pragma once
// Which hone this is. The values are in a file that the build writes (cmake/version.cmake), so that
// a new commit compiles that file again and nothing else.

namespace hone::cli {

extern const char* const version;  // "0.1.0"
extern const char* const
    commit;  // "73301112ab", ", changed" where files were edited since; "unknown" outside of git
extern const char* const build_kind;  // the preset: "release", "portable", ...

}  // namespace hone::cli
