#include "judge/unseen.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "judge/room.h"

namespace hone::judge {

std::size_t most_unseen(bool is_cpu) { return is_cpu ? 16 : 8; }

double suspicious_ratio(bool is_cpu, bool has_memory, double on_new) {
  constexpr double suspicious = 0.85, short_seconds = 0.005;
  return has_memory && !(is_cpu && on_new < short_seconds) ? suspicious : replay_ratio;
}

bool is_quicker(bool is_cpu, double part, double on_known, double on_new) {
  constexpr double waking_seconds = 5e-4;
  return on_known < part * on_new && !(is_cpu && on_new - on_known < waking_seconds);
}

bool are_remembered(bool is_cpu, std::span<const double> on_known, double on_new) {
  const auto remembered = std::count_if(on_known.begin(), on_known.end(), [&](double seconds) {
    return is_quicker(is_cpu, replay_ratio, seconds, on_new);
  });
  return 4 * static_cast<std::size_t>(remembered) >= 3 * on_known.size();
}

double seconds_on_new(double row, double usual, std::size_t calls, std::size_t of_them_new) {
  return usual + (row - usual) * static_cast<double>(calls) / static_cast<double>(of_them_new);
}

std::uint64_t room_for_unseen(std::uint64_t free_bytes, const core::Task& task, const core::Case& which, Pool& pool,
                              Caller& caller, std::vector<Entry*>& entries) {
  const std::uint64_t torch = torch_bytes(task, which),
                      each = std::max<std::uint64_t>(1, Pool::entry_bytes(task, which));
  if (free_bytes >= torch + each) return (free_bytes - torch) / each;
  caller.forget(*entries.back());
  entries.pop_back();
  pool.drop_last();
  return 1;
}

base::Result<Unseen, CallFailure> draw_unseen(Pool& pool, Caller& caller, const core::Case& which, std::size_t count,
                                              bool hostile) {
  Unseen entries;
  try {
    while (entries.size() < count) {
      entries.push_back(pool.fresh());
      caller.look_at(*entries.back());
    }
  } catch (const base::Error& error) {
    if (!hostile) throw;
    return base::Failure{
        CallFailure{core::Outcome::rejected,
                    {"replay", 9, true, which.name,
                     fmt::format("new inputs cannot be made beside the memory that it has taken: {}", error.what())}}};
  }
  return entries;
}

std::vector<const Entry*> with_unseen(std::vector<const Entry*> row, std::span<const std::unique_ptr<Entry>> unseen,
                                      Secrets& secrets) {
  for (const auto& entry : unseen)
    row.insert(row.begin() + static_cast<std::ptrdiff_t>(secrets.below(row.size() + 1)), entry.get());
  return row;
}

}  // namespace hone::judge
