# problem: level1/88; kind: cheating; what: a thread fills the result after forward has returned; expect-official: refuses (compared before the thread is through; a race)
import threading
import time
import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(x, y):
    time.sleep(0.002)
    with torch.no_grad():
        y.copy_(0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = torch.empty_like(x)
        threading.Thread(target=fill, args=(x, y)).start()
        return y
