#pragma once
// Texts of strangers inside Markdown: models write the descriptions, compilers the logs. Nothing of
// it becomes markup.
#include <string>
#include <string_view>
#include <vector>

namespace hone::text {

std::string markdown(std::string_view text);  // one line of plain words
// A fenced block whose fence its content cannot close.
std::string fenced(std::string_view content, std::string_view language);
std::string markdown_table(const std::vector<std::string>& titles,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace hone::text
