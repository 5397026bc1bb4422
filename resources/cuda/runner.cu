// Kernels that the runner launches around a candidate's own: they leave nothing behind that a candidate could have kept from its last call.

// What is written depends on arguments and is read again (into a sink that hardly ever is written), so that the compiler keeps it.
constexpr unsigned unlikely = 0x5bd1e995u;

// Overwrites all the shared memory a block can have. The grid has several such blocks for each multiprocessor, and only one fits at a time.
extern "C" __global__ void hone_scrub_shared(unsigned words, unsigned value, unsigned* sink) {
  extern __shared__ unsigned everything[];
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x) everything[i] = value ^ (i * 0x9E3779B9u);
  __syncthreads();
  if (everything[(value + threadIdx.x) % words] == unlikely) *sink = value;
}

// Overwrites the first bytes of every resident thread's local memory.
constexpr unsigned local_words = 64;
extern "C" __global__ void hone_scrub_local(unsigned value, unsigned* sink) {
  unsigned local[local_words], sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < local_words; ++i) local[(i + value) % local_words] = value ^ i;
#pragma unroll 1
  for (unsigned i = 0; i < 2; ++i) sum += local[(i + threadIdx.x) % local_words];
  if (sum == unlikely) *sink = sum;
}

// Reads more than the L2 holds. Reading, not writing, drives the old contents out: lines that were written would still have to go to memory while the
// candidate runs, and would be counted against it.
extern "C" __global__ void hone_flush(const uint4* buffer, unsigned long long count, unsigned* sink) {
  unsigned sum = 0;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count; i += (unsigned long long)gridDim.x * blockDim.x) {
    const uint4 v = buffer[i];
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == unlikely) *sink = sum;
}

// Keeps the stream busy for a while, so that the launches to be timed are queued before the first of them starts: the span between the events then
// holds the kernels and not the host's work of launching them.
extern "C" __global__ void hone_runway(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}
