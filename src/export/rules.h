#pragma once
// What the official evaluators look for in a submission's text. They search words, whatever those
// mean there, so device code is spelled around them; what remains is told to the user as notes.
// Pure functions.
#include <string>
#include <vector>

#include "export/export.h"

namespace hone::exports {

// Words that the evaluator's search refuses, spelled differently wherever they stand in the device
// code.
std::string without_refused_words(std::string source, ExportFormat format);
// The rules of the evaluator that a finished text does not keep, as sentences.
std::vector<std::string> broken_rules(const std::string& text, ExportFormat format,
                                      bool inline_cuda);

}  // namespace hone::exports
