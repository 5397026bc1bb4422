import torch


def custom_kernel(data):
    x, weights, settings, projection = data
    assert projection.stride() == (1, projection.shape[0]) and weights["beta"] is None and settings["exact"] is True
    lengths = torch.sqrt(torch.sum(x * x, 1) + settings["eps"])
    y = (x * weights["scale.gamma"]) @ projection[:, : settings["keep"]]
    return y / lengths[:, None], lengths
