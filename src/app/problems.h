#pragma once
// Texts that name problems of KernelBench: one ("kernelbench:level1/23"), a range ("kernelbench:level1/1-20") or a
// level ("kernelbench:level1").
#include <filesystem>
#include <string>
#include <vector>

namespace hone::app {

// $HONE_KERNELBENCH. Throws Error, which quotes the text that needs it, where it is not set.
std::filesystem::path kernelbench_checkout(const std::string& text);

// Whether the text names several: a level, or a range of one.
bool names_several(const std::string& text);
// Every problem that the texts name, as texts that name one each. Other texts stay as they are.
std::vector<std::string> single_tasks(const std::vector<std::string>& texts);

}  // namespace hone::app
