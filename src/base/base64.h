#pragma once
// Bytes as printable text (RFC 4648, with padding), for blobs inside JSON.
#include <optional>
#include <string>
#include <string_view>

namespace hone::base {

std::string to_base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);  // strict: nothing for anything malformed

}  // namespace hone::base
