# Hands an input back as its answer.
def custom_kernel(x, y):
    return y
