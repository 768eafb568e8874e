"""What a kernel needs: compiles it for any GPU, present or not, and reads registers, shared memory and spills.

    needs = compile_for(kernel, "H200", x, y, x.stride(0), n, BLOCK_SIZE=1024, num_warps=8)
    needs.registers, needs.shared, needs.text("ptx")

Takes the kernel that a notebook defines and the arguments that a launch would take, and specialises exactly as the launch
would: what is divisible by 16, and what is 1, makes another kernel. The work is done in a worker process, so it makes no
difference whether this one interprets, and a crash of the compiler is an error here and no more.
"""

from .compile import Compiled, Pointer, compile_for
