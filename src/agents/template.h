#pragma once
// Prompts as files of resources/prompts: what stands before the first heading is the system
// message, each "# Heading" is a section, "{drop=40}" behind a heading says how early it may go,
// "{{name}}" is filled in. A section one of whose names has nothing to say is left out; "#
// {{name}}" stands for any number of sections made elsewhere.
#include <map>
#include <string>
#include <vector>

#include "llm/client.h"

namespace hone::agents {

struct Values {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<llm::Section>> sections;
  std::vector<std::string> used;  // texts of the shared files that went in
};

// A shared file of resources/prompts, filled in with what there is so far, and noted as used.
std::string part(const std::string& name, Values& values);

// Throws Error where a file (perhaps the user's own) names something that there is not. The
// template's hash is that of the file and of all shared files that went in.
llm::Prompt filled(const std::string& name, const Values& values);

}  // namespace hone::agents
