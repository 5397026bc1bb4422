#include "agents/fences.h"

#include <algorithm>

#include "agents/text.h"

namespace hone::agents {
namespace {

struct Fence {
  char sign = 0;
  std::size_t length = 0;
  std::string_view info;
};

// The line as a fence; length 0: it is none.
Fence fence_in(std::string_view line) {
  constexpr std::size_t shortest = 3, deepest = 3;  // as Markdown has it
  const auto from = line.find_first_not_of(' ');
  if (from == std::string_view::npos || from > deepest || (line[from] != '`' && line[from] != '~'))
    return {};
  const auto end = std::min(line.find_first_not_of(line[from], from), line.size());
  if (end - from < shortest) return {};
  const auto info = trimmed(line.substr(end));
  if (line[from] == '`' && info.find('`') != std::string_view::npos)
    return {};  // code within a line
  return {line[from], end - from, info};
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(std::string_view text) {
  std::vector<FencedBlock> blocks;
  Fence open;
  std::size_t code_begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto line_end = std::min(text.find('\n', at), text.size()),
               next = std::min(line_end + 1, text.size());
    const auto fence = fence_in(text.substr(at, line_end - at));
    if (open.length == 0 && fence.length > 0) {
      open = fence;
      code_begin = next;
      blocks.push_back({fence.info, text.substr(next), at, text.size(), false});
    } else if (open.length > 0 && fence.sign == open.sign && fence.length >= open.length &&
               fence.info.empty()) {
      auto& block = blocks.back();
      block.code = text.substr(code_begin, at - code_begin);
      block.end = next;
      block.closed = true;
      open = {};
    }
    at = next;
  }
  return blocks;
}

std::size_t report_heading(std::string_view text, const std::vector<FencedBlock>& blocks) {
  for (std::size_t at = 0; at < text.size();) {
    const auto inside = std::find_if(blocks.begin(), blocks.end(), [&](const FencedBlock& block) {
      return at >= block.begin && at < block.end;
    });
    if (inside != blocks.end()) {
      at = inside->end;
      continue;
    }
    const auto line_end = std::min(text.find('\n', at), text.size());
    auto line = trimmed(text.substr(at, line_end - at));
    if (line.starts_with('#') || line.starts_with("**")) {
      while (!line.empty() && !is_word(line.front())) line.remove_prefix(1);
      while (!line.empty() && !is_word(line.back())) line.remove_suffix(1);
      if (lower(line) == "report") return at;
    }
    at = line_end + 1;
  }
  return std::string_view::npos;
}

}  // namespace hone::agents
