#pragma once
// What a candidate's PTX shows of how its threads wait for one another: what race checkers do not
// model, whether the order of its arithmetic may differ from call to call, and copies that no fence
// precedes. Pure.
#include <string>
#include <string_view>
#include <vector>

namespace hone::device {

namespace trait {
inline constexpr std::string_view named_barriers = "named barriers", mbarriers = "mbarriers",
                                  clusters = "clusters", bulk_copies = "bulk copies",
                                  wgmma = "wgmma";
// Results may differ from call to call without a race: atomic operations, a clock that is read.
inline constexpr std::string_view free_order = "free order";
// Shared memory is written by threads and read by the asynchronous proxy, and there is no
// fence.proxy.async.
inline constexpr std::string_view no_proxy_fence = "no proxy fence";
}  // namespace trait

std::vector<std::string> ptx_traits(std::string_view ptx);
bool has_trait(const std::vector<std::string>& traits, std::string_view name);
// Of the traits those that compute-sanitizer's racecheck does not model, as words for a reader:
// "named barriers, mbarriers"; "": none.
std::string not_modelled(const std::vector<std::string>& traits);

}  // namespace hone::device
