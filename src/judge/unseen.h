#pragma once
// Inputs that nobody has seen, and what calls on them tell of whoever remembers answers: calls on known inputs are held
// against them, in evaluations (judge_memory.cc) and in comparisons (compare_duel.cc). A busy machine makes calls
// slower, not seldom every second one, and after a pause the first; it makes none quicker.
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "judge/call.h"
#include "judge/pool.h"

namespace hone::judge {

constexpr std::uint64_t waking_calls = 3;  // on known inputs after a pause, before anything is told by a time
std::size_t most_unseen(bool is_cpu);      // rows of calls on new inputs before anything is said

constexpr double replay_ratio = 0.5;  // in less than this part of a new one's time an answer is remembered
// Where host code, or native code, can remember something, less than this part is suspicious. Short calls on a CPU
// differ by more than that for other reasons, and are suspicious from replay_ratio on.
double suspicious_ratio(bool is_cpu, bool has_memory, double on_new);
// Whether calls on known inputs took less than that part of what one on a new input took. On a CPU threads may take
// half a millisecond to wake up, or not.
bool is_quicker(bool is_cpu, double part, double on_known, double on_new);
// Whether three quarters of these calls on known inputs are remembered.
bool are_remembered(bool is_cpu, std::span<const double> on_known, double on_new);
// What a call on a new input takes, where a row of `calls` has some of them and took so long a call; the others took
// what is usual.
double seconds_on_new(double row, double usual, std::size_t calls, std::size_t of_them_new);

using Unseen = std::vector<std::unique_ptr<Entry>>;
// How many there is room for. Where there is none, the last of these entries of the pool makes room for one.
std::uint64_t room_for_unseen(std::uint64_t free_bytes, const core::Task& task, const core::Case& which, Pool& pool,
                              Caller& caller, std::vector<Entry*>& entries);
// Host code (hostile) can take the memory that was counted on; it is rejected then. The caller forgets them, once they
// were called.
base::Result<Unseen, CallFailure> draw_unseen(Pool& pool, Caller& caller, const core::Case& which, std::size_t count,
                                              bool hostile);
// A row with these among its calls, at random places.
std::vector<const Entry*> with_unseen(std::vector<const Entry*> row, std::span<const std::unique_ptr<Entry>> unseen,
                                      Secrets& secrets);

}  // namespace hone::judge
