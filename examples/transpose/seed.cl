/* hone 1
where = ["WG_X * WG_Y <= 256"]

[tune]
TILE_R  = { values = [1, 4, 8, 16, 32], default = 1 }   # rows and columns of x that one work-item moves
TILE_C  = { values = [1, 4, 8, 16], default = 1 }
WG_X    = { values = [4, 16, 64], default = 16 }        # work-items of a group along the columns of x
WG_Y    = { values = [1, 4, 16], default = 16 }         # and along its rows

[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, TILE_C * WG_X)", "ceil_div(rows, TILE_R * WG_Y)"]
block  = ["WG_X", "WG_Y"]
args   = ["x", "y", "rows", "cols"]
*/
// A work-item moves a tile of TILE_R rows and TILE_C columns; what it writes for one column is contiguous.

__kernel void transpose(__global const float* restrict x, __global float* restrict y, long rows, long cols) {
  const long c0 = (long)get_global_id(0) * TILE_C, r0 = (long)get_global_id(1) * TILE_R;
  if (r0 + TILE_R <= rows && c0 + TILE_C <= cols) {
    for (int c = 0; c < TILE_C; ++c)
#pragma unroll
      for (int r = 0; r < TILE_R; ++r) y[(c0 + c) * rows + r0 + r] = x[(r0 + r) * cols + c0 + c];
  } else {
    for (long c = c0; c < min(c0 + TILE_C, cols); ++c)
      for (long r = r0; r < min(r0 + TILE_R, rows); ++r) y[c * rows + r] = x[r * cols + c];
  }
}
