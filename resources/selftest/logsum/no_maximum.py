# Drops the subtraction of the maximum.
def custom_kernel(x):
    return x.exp().sum(dim=1).log()
