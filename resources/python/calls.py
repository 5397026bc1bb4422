"""A batch of calls, each on tensors of its own: what a candidate and a baseline have in common, so
that both are timed alike. The judge's clock runs from the word to the answer; the host queues a
call while the device works on those before it, as it does in programs that call a module again and
again. Bound before a candidate's source is seen."""
import torch

_Base = torch.Tensor.__mro__[1]  # its methods cannot be replaced from Python
_copy, _set_data = _Base.copy_, _Base.data.__set__


class Call:
    """One call: arguments, outputs as (name, tensor), and the judge's tensors for the module's
    parameters."""

    def __init__(self, arguments, outputs):
        self.arguments, self.outputs = arguments, outputs
        # (parameter, tensor): memory of which it is to be, and to be filled from
        self.weights, self.copies = [], []

    def hand_over(self):
        for parameter, tensor in self.weights:
            _set_data(parameter, tensor)


def run_calls(function, calls, take, called=lambda: None):
    """Each call's results are taken before the next call is made: a function may use the same
    memory for them again. The first call's weights are handed over already. `called`: told when the
    last call is back."""
    for index, call in enumerate(calls):
        if index > 0:
            call.hand_over()
        for parameter, tensor in call.copies:
            _copy(parameter, tensor)
        result = function(*call.arguments)
        if index == len(calls) - 1:
            called()
        take(result, call.outputs)
        del result  # its memory serves the next call
