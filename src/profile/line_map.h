#pragma once
// From an instruction to the candidate's own line. Needs an image built with
// BuildRequest::line_info; code inlined from elsewhere counts for the innermost line of the
// candidate's own file that called it.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::profile {

struct LineMap {
  struct Row {
    std::uint64_t offset =
        0;         // of an instruction in its kernel; the row counts up to the next one's
    int line = 0;  // of the candidate's source; 0: none of it
  };
  std::vector<Row> rows;  // by offset

  int line_at(std::uint64_t offset) const;
};

// `source_name` is the name that the source was built under (BuildRequest::name).
base::Result<LineMap> line_map(const std::string& image, const std::string& kernel,
                               const std::string& source_name);

// The same from nvdisasm's text (--print-line-info-inline).
LineMap parse_line_map(std::string_view text, const std::string& kernel,
                       const std::string& source_name);

}  // namespace hone::profile
