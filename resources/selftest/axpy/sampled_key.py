# Remembers answers by sixteen elements of the inputs. It is no quicker for that: this is not about
# time.
kept = {}


def custom_kernel(x, y):
    key = (x.shape, *x[:16].tolist(), *y[:16].tolist())
    return kept.setdefault(key, 2 * x + y).clone()
