def custom_kernel(x):
    return x.var(dim=1, unbiased=False).bfloat16()
