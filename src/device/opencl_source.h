#pragma once
// What Hone reads off an OpenCL source and its build without running it: names hidden by typedef,
// and things device code may not have.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hone::device {

// Identifiers and single punctuation characters, without comments, strings and numbers.
std::vector<std::string_view> tokens_of(std::string_view source);

// Simple typedefs of the source: new name -> old name.
std::map<std::string, std::string> typedefs_of(const std::vector<std::string_view>& tokens);

// Bytes of a scalar or vector type as kernels declare it ("int", "float4"), 0 if it is not known.
std::uint64_t bytes_of_type(std::string type, const std::map<std::string, std::string>& typedefs);

// In words, each once: printf, writable program-scope variables. `binary` is the driver's; embedded
// ELF objects in it are looked through for writable sections, which is how state smuggled in by
// inline assembly shows.
std::vector<std::string> forbidden_in(std::string_view source,
                                      const std::vector<std::string_view>& tokens,
                                      std::string_view log, std::string_view binary);

}  // namespace hone::device
