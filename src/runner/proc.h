#pragma once
// What /proc tells of a process. A process that has ended has no threads, no children and no
// memory. Functions without state; any thread.
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace hone::runner {

std::filesystem::path threads_folder(pid_t pid);  // one folder in it for each thread
int thread_count(pid_t pid);
std::vector<pid_t> descendants_of(pid_t pid);
std::uint64_t private_resident_bytes(
    pid_t pid);  // without shared blocks, which are the judge's own

// The folder of a thread; true too where the thread has ended.
bool is_stopped(const std::filesystem::path& thread);
bool has_ended(const std::filesystem::path& thread);
// Waits until a stopped thread has left its processor: it may be shown as stopped before that, and
// the time that it ran since the last tick is not counted until then. The kernel tells what a
// thread waits for only if that thread is not running. False: the kernel does not tell, or not
// within the seconds.
bool wait_until_off_processor(const std::filesystem::path& thread, double seconds);
// Nanoseconds that each thread has run on a processor, by thread id; empty where the kernel does
// not count them.
std::map<int, std::uint64_t> run_times_of(pid_t pid);

}  // namespace hone::runner
