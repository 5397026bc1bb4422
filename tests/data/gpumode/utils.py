"""What the problems of these tests share. Written for Hone."""
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def close_to(reference, rtol, atol):
    """A check_implementation that compares with the reference's answer, as most problems have it."""

    def check(data, output):
        expected = reference(data)
        if output.shape != expected.shape:
            return False, f"the shape is {tuple(output.shape)} instead of {tuple(expected.shape)}"
        off = (output - expected).abs() > atol + rtol * expected.abs()
        wrong = int((off | torch.isnan(output)).sum())
        return wrong == 0, f"{wrong} elements are off" if wrong else ""

    return check
