def custom_kernel(x):
    return x.logsumexp(dim=1)
