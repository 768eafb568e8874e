"""Lowers every kernel for Ascend 910B, as far as it goes without Huawei's toolkit, and prints what came of it as JSON.

A process of its own, because the tests interpret: COURSE_BACKEND=npu python tests/ascend/lower.py
"""

import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from softmax_kernels import usual_launches
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from course_utils.backend import triton
from course_utils.compiler import Pointer

TARGET = GPUTarget("npu", "Ascend910B", 0)
TYPES = {"float32": "*fp32", "float16": "*fp16", "int64": "*i64"}


def lower(kernel, arguments, constants) -> dict:
    """Its texts by stage, which Triton keeps as it goes, and the error that ended it."""
    names = [name for name in kernel.arg_names if name not in constants]
    signature = {n: TYPES[a.dtype] if isinstance(a, Pointer) else "i32" for n, a in zip(names, arguments, strict=True)}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        try:
            triton.compile(ASTSource(kernel, signature, constants), target=TARGET)
            error = ""
        except Exception as reason:
            error = f"{type(reason).__name__}: {reason}"
        kept = Path(folder).rglob(f"{kernel.__name__}.tt*")
        return {"texts": {path.suffix[1:]: path.read_text() for path in kept}, "error": error}


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        found = {kernel.__name__: lower(kernel, *launch) for kernel, launch in usual_launches(32).items()}
    print(json.dumps(found))
