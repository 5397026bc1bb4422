#pragma once
// Server-sent events out of a stream of bytes that may be cut anywhere, as the standard has it:
// lines end with LF, CR or both, data lines are joined, comments are passed over. An event counts
// once its blank line has come.
#include <functional>
#include <string>
#include <string_view>

namespace hone::llm {

class SseReader {
 public:
  using OnEvent =
      std::function<bool(const std::string& event, const std::string& data)>;  // false: no more
  bool feed(std::string_view bytes, const OnEvent& on_event);                  // false: no more

 private:
  bool line(const OnEvent& on_event);
  std::string line_, event_, data_;
  bool has_data_ = false, after_cr_ = false, first_ = true;
};

}  // namespace hone::llm
