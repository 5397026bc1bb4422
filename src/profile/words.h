#pragma once
// The words that tools share: amounts, places in the source, and an advice begun with its launch.
// All tools name a place in the same way, with the hottest line first. Pure.
#include <string>
#include <string_view>
#include <vector>

#include "profile/tool.h"

namespace hone::profile {

std::string times(double ratio);           // "3.2 times"
std::string bytes_text(double bytes);      // "64.0 MiB"
std::string count_text(double count);      // "8000", "123 million"
std::string seconds_text(double seconds);  // "12.3 µs"

// Lines of the candidate's own source, hottest first, and how a sentence names them.
struct SourcePlace {
  std::vector<int> lines;
  std::string
      text;  // "at line 47 (`mb_arrive_cl(ea_cl);`) and line 54 (`...`)"; else "in kernel `name`"
};
// Where warps wait for one of these reasons, by the samples; no reasons: where they are most.
SourcePlace where_stalled(const Facts& facts, const std::vector<std::string_view>& reasons);
// Where the source has one of these words, in the kernel's own body first. Comments do not count.
SourcePlace where_written(const Facts& facts, const std::vector<std::string_view>& words);
// By the samples where there are any, else by the words.
SourcePlace where(const Facts& facts, const std::vector<std::string_view>& reasons,
                  const std::vector<std::string_view>& words);
// On a CPU: of the lines that the inner loops' code came from, those with one of these words (any,
// where none has one or none is given). Without line information nowhere: words alone would name
// loops that hardly run.
SourcePlace where_hot(const Facts& facts, const std::vector<std::string_view>& words);
// The first of the words that stands in one of these lines; "": none.
std::string_view word_in(const Facts& facts, const SourcePlace& place,
                         const std::vector<std::string_view>& words);

std::string kernel_name(const Facts& facts);  // "kernel `name`", or "the call"
std::string block_text(
    const Facts& facts);  // "block = [\"BLOCK\"] (256 threads)", as the plan writes it
std::string tunables_text(const Facts& facts);  // "the tunables BLOCK and VEC"; "": there are none

core::Advice advise(const Facts& facts, std::string_view tool, std::string title);
core::Advice advise(const Facts& facts, std::string_view tool, std::string title,
                    const SourcePlace& place);

}  // namespace hone::profile
