__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void s(__global const float4* restrict x, __local float* t, uint n, half h) { char c = '"'; }
