/* hone 1
# Operations of torch's instead of kernels, called by trusted host code. On CUDA kernels may stand between them.
[[scratch]]
name  = "top"
dtype = "f32"
shape = ["rows", 1]

[[scratch]]
name  = "shifted"
dtype = "f32"
shape = ["rows", "cols"]

[[launch]]
op   = "aten.amax"
args = ["x", [1], true]
out  = "top"

[[launch]]
op   = "aten.sub.Tensor"
args = ["x", "top"]
out  = "shifted"

[[launch]]
op   = "aten._softmax"
args = ["shifted", 1, false]
out  = "y"
*/
