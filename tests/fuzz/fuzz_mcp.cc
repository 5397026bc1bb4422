// Messages of clients of `hone mcp`: what comes out of the reader is a message, a response to be
// passed over, or a fault that can be told in one line of JSON; and what is read answers in one.
#include <cstdlib>
#include <string>

#include "base/fields.h"
#include "base/json.h"
#include "mcp/messages.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

void must_be_a_line(const std::string& text) {
  must(text.find('\n') == std::string::npos && hone::base::is_json_object(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto message = hone::mcp::message_from(text);
  if (!message) {
    must(message.error().code < 0 && !message.error().text.empty());
    must_be_a_line(hone::mcp::error_line(message.error()));
  } else if (*message && (*message)->id) {
    const auto result = [&](hone::base::Fields& f) {
      f("method", hone::base::valid_utf8((*message)->method));
    };
    must(hone::base::is_json_object((*message)->params.text));
    must_be_a_line(
        hone::mcp::result_line(*(*message)->id, result, {(*message)->version.has_value(), true}));
  }
  return 0;
}
