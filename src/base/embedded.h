#pragma once
// The files of resources/ as the build put them in the binary. Use base/resources.h to read them:
// it knows the overrides.
namespace hone::base {

struct EmbeddedFile {
  const char* name;  // relative to resources/; the last row's is null
  const char* begin;
  const char* end;
};
extern const EmbeddedFile embedded_files[];

}  // namespace hone::base
