#include "cli/main.h"

int main(int argc, char** argv) { return hone::cli::main(argc, argv); }
