"""Kernel Tuner's interface on vyre: change the import, keep the script.

    from vyre.kernel_tuner import tune_kernel, run_kernel

And the other way, vyre's search in Kernel Tuner: `strategy=vyre.kernel_tuner.Search()`.
docs/python.md says which arguments are taken and what differs.
"""

from . import file_utils, util
from ._interface import run_kernel, tune_kernel
from ._strategy import Search
from .file_utils import store_metadata_file, store_output_file

__all__ = ["Search", "file_utils", "run_kernel", "store_metadata_file", "store_output_file",
           "tune_kernel", "util"]
