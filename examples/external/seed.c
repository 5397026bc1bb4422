/* Trial division by every smaller number up to the root: right, and slow. */
#include <stdio.h>
#include <stdlib.h>

static int is_prime(long n) {
  for (long d = 2; d * d <= n; ++d)
    if (n % d == 0) return 0;
  return n >= 2;
}

int main(int argc, char** argv) {
  const long limit = argc > 1 ? atol(argv[1]) : 0;
  long count = 0;
  for (long n = 0; n < limit; ++n) count += is_prime(n);
  printf("%ld\n", count);
  return 0;
}
