#pragma once
// The Markdown of a writer's answer, as far as it matters: fenced blocks and the report. Views
// point into the text.
#include <string_view>
#include <vector>

namespace hone::agents {

struct FencedBlock {
  std::string_view info;           // behind the opening fence: "cuda"
  std::string_view code;           // between the fences, with its last line break
  std::size_t begin = 0, end = 0;  // of the whole block in the text, fences included
  bool closed = true;              // false: the text ends inside it
};
std::vector<FencedBlock> fenced_blocks(std::string_view text);

// Where the heading "## Report" begins, outside of fenced blocks; npos: nowhere.
std::size_t report_heading(std::string_view text, const std::vector<FencedBlock>& blocks);

}  // namespace hone::agents
