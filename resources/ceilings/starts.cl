/* hone 1
# What a CPU spends on starting work that is empty: how many work-groups, and how many calls of one
# launch, it gets through in a second. The kind is the kernel's name up to the first underscore.

[[launch]]
kernel = "groups_empty"
when   = "cpu == 1"
grid   = [262144]
block  = [1]
args   = ["y", "rounds"]

[[launch]]
kernel = "calls_empty"
when   = "cpu == 1"
grid   = [1]
block  = [1]
args   = ["y", "rounds"]
*/

/* `rounds` is never negative, and no compiler knows. */
__kernel void groups_empty(__global int* y, int rounds) {
  if (rounds < 0) y[get_group_id(0)] = 1;
}

__kernel void calls_empty(__global int* y, int rounds) {
  if (rounds < 0) y[0] = 1;
}
