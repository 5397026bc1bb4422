#pragma once
// The command line: a table of commands over the same functions that other front ends use.
namespace hone::cli {

int main(int argc, char** argv);

}  // namespace hone::cli
