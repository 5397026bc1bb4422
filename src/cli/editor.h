#pragma once
// A text changed by a person in the editor of their choice. The editor is a program of theirs: it
// gets this process's terminal, and this process waits for its end.
#include <string>

namespace hone::cli {

// Opens $VISUAL or $EDITOR on a file with the text and gives back what was saved, less white space
// at its end. Throws Error where there is no editor, or where it ends with a failure.
std::string edited(const std::string& text);

}  // namespace hone::cli
