# Stands in for the module that kernel-builder generates.
import pathlib

import torch

torch.ops.load_library(pathlib.Path(__file__).with_name("_@function@.so"))
ops = torch.ops._@function@_plain


def add_op_namespace_prefix(name):
    return f"_@function@_plain::{name}"
