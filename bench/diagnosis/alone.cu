// A planted failure without Hone, to see what the vendor's tools say of it by themselves:
//   nvcc -arch=sm_90a -lineinfo -include misaligned.cu -DKERNEL=misaligned -o /tmp/a alone.cu && compute-sanitizer /tmp/a
#include <cstdio>
#include <cstdlib>
#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef GRID
#define GRID ((n + BLOCK - 1) / BLOCK)
#endif

int main() {
  const int n = 1021;
  float *x, *y, *z;
  cudaMalloc(&x, n * 4), cudaMalloc(&y, n * 4), cudaMalloc(&z, n * 4);
  cudaMemset(x, 0, n * 4), cudaMemset(y, 0, n * 4);
  KERNEL<<<GRID, BLOCK>>>(x, y, z, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
