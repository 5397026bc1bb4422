/* hone 1
[[launch]]
kernel = "steps"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["p", "v", "q", "u", "n", "dt"]

[[launch]]
kernel = "steps"
repeat = 15
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["q", "u", "q", "u", "n", "dt"]
*/
// A launch for each step in time.

#define STEPS 1

__device__ void moved(float& at, float& speed, float dt) {
#pragma unroll
  for (int step = 0; step < STEPS; ++step) {
    speed -= dt * (at / (1.0f + at * at));
    at += dt * speed;
  }
}

extern "C" __global__ void __launch_bounds__(256)
    steps(const float* p, const float* v, float* q, float* u, long long n, float dt) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    float4 at = *(const float4*)(p + i), speed = *(const float4*)(v + i);
    moved(at.x, speed.x, dt);
    moved(at.y, speed.y, dt);
    moved(at.z, speed.z, dt);
    moved(at.w, speed.w, dt);
    *(float4*)(q + i) = at;
    *(float4*)(u + i) = speed;
  } else {
    for (long long j = i; j < n; ++j) {
      float at = p[j], speed = v[j];
      moved(at, speed, dt);
      q[j] = at;
      u[j] = speed;
    }
  }
}
