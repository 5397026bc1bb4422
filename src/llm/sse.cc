#include "llm/sse.h"

namespace hone::llm {

bool SseReader::feed(std::string_view bytes, const OnEvent& on_event) {
  while (!bytes.empty()) {
    if (after_cr_ && bytes.front() == '\n')
      bytes.remove_prefix(1);  // the second half of one line's end
    after_cr_ = false;
    const auto end = bytes.find_first_of("\r\n");
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) return true;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    const bool more = line(on_event);
    line_.clear();
    if (!more) return false;
  }
  return true;
}

bool SseReader::line(const OnEvent& on_event) {
  if (first_ && line_.starts_with("\xef\xbb\xbf")) line_.erase(0, 3);
  first_ = false;
  if (line_.empty()) {
    const std::string event = std::move(event_), data = std::move(data_);
    const bool complete = has_data_;
    event_.clear();
    data_.clear();
    has_data_ = false;
    return !complete || on_event(event, data);
  }
  const auto colon = line_.find(':');
  const std::string_view name = std::string_view(line_).substr(0, colon);
  std::string_view value =
      colon == std::string::npos ? "" : std::string_view(line_).substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "event") event_ = value;
  if (name == "data") {
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  }
  return true;
}

}  // namespace hone::llm
