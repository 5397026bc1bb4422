#pragma once
// Texts that name problems of KernelBench ("kernelbench:level1/23", a range of a level, a whole
// level), and problems as tables name them. Functions without state; any thread.
#include <filesystem>
#include <string>
#include <vector>

namespace hone::tables {

// $HONE_KERNELBENCH, which --kernelbench sets; throws Error, which names `text`, where it is not
// set.
std::filesystem::path kernelbench_checkout(const std::string& text);

// Whether the text names several: a level, or a range of one.
bool names_several(const std::string& text);
// Every problem that the texts name, as texts that name one each.
std::vector<std::string> single_tasks(const std::vector<std::string>& texts);

// What the problem's task is called ("level1_23"), also where no task could be made of it; another
// text as it is.
std::string problem_name(const std::string& text);
bool problem_before(const std::string& a, const std::string& b);  // level1_9 comes before level1_10

// Why a problem failed, in a line: what was raised, without the traceback and without folders of
// this machine.
std::string short_reason(const std::string& text);

}  // namespace hone::tables
