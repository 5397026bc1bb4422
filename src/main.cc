// The program `hone`: everything is in cli/main.cc, so that tests can link it.
#include "cli/main.h"

int main(int argc, char** argv) { return hone::cli::main(argc, argv); }
