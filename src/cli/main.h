#pragma once
// The command line: a table of commands over the functions of app/, which other front ends use too.
// What a command throws ends here, as a message and an exit code. Called once, on the first thread.
namespace hone::cli {

int main(int argc, char** argv);

}  // namespace hone::cli
