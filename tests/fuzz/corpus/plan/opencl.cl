/* hone 1
[tune]
B = { values = [1, 0x10, -2], default = 0x10 }
[[launch]]
kernel = "k"
repeat = "rows"
grid = ["iteration + 1"]
block = ["B * B"]
args = ["x", "y", "eps", "total", "local:4 * 64", "u8:1", "f16:-1e-3"]
*/
__kernel void k() {}
