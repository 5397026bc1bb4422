// Kernels that the runner launches around a candidate's own: they leave nothing behind that a
// candidate could have kept from its last call.

// What is written depends on arguments and is read again (into a sink that hardly ever is written),
// so that the compiler keeps it.
constexpr unsigned unlikely = 0x5bd1e995u;

// Overwrites all the shared memory a block can have. The grid has several such blocks for each
// multiprocessor, and only one fits at a time.
extern "C" __global__ void hone_scrub_shared(unsigned words, unsigned value, unsigned* sink) {
  extern __shared__ unsigned everything[];
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
    everything[i] = value ^ (i * 0x9E3779B9u);
  __syncthreads();
  if (everything[(value + threadIdx.x) % words] == unlikely) *sink = value;
}

// Overwrites the first bytes of every resident thread's local memory. The runner takes the smallest
// that covers what the candidate's kernels have.
template <unsigned words>
__device__ void scrub_local(unsigned value, unsigned* sink) {
  unsigned local[words], sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < words; ++i) local[(i + value) % words] = value ^ i;
#pragma unroll 1
  for (unsigned i = 0; i < 2; ++i) sum += local[(i + threadIdx.x) % words];
  if (sum == unlikely) *sink = sum;
}
#define SCRUB_LOCAL(bytes)                                                              \
  extern "C" __global__ void hone_scrub_local_##bytes(unsigned value, unsigned* sink) { \
    scrub_local<bytes / 4>(value, sink);                                                \
  }
SCRUB_LOCAL(256)
SCRUB_LOCAL(1024)
SCRUB_LOCAL(4096)
SCRUB_LOCAL(16384)
SCRUB_LOCAL(65536)
SCRUB_LOCAL(262144)

// Overwrites the registers: one block has nearly all of a multiprocessor's. All values are alive at
// the barrier, because they are combined by a number that is read behind it.
constexpr unsigned scrubbed_registers = 216;
extern "C" __global__ void __launch_bounds__(256, 1)
    hone_scrub_registers(unsigned value, unsigned* sink) {
  const volatile unsigned* read = sink;
  unsigned registers[scrubbed_registers];
#pragma unroll
  for (unsigned i = 0; i < scrubbed_registers; ++i)
    registers[i] = read[0] ^ value ^ (threadIdx.x * (i + 1));
  __syncthreads();
  const unsigned factor = read[0] | 1;
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < scrubbed_registers; ++i) sum = sum * factor + registers[i];
  if (sum == unlikely) *sink = sum;
}

// Reads more than the L2 holds. Reading, not writing, drives the old contents out: lines that were
// written would still have to go to memory while the candidate runs, and would be counted against
// it. Nothing writes there, so all of it is zero: what is not was left by a candidate that looks
// for a place to keep something.
extern "C" __global__ void hone_flush(const uint4* buffer, unsigned long long count,
                                      unsigned* written) {
  unsigned any = 0;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += (unsigned long long)gridDim.x * blockDim.x) {
    const uint4 v = buffer[i];
    any |= v.x | v.y | v.z | v.w;
  }
  if (any != 0) *written = 1;
}

// Keeps the stream busy for a while, so that the launches to be timed are queued before the first
// of them starts: the span between the events then holds the kernels and not the host's work of
// launching them.
extern "C" __global__ void hone_runway(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}
