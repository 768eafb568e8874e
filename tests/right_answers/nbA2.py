"""Right answers to the exercises of A2_compiled_kernels_and_launches, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers.nbA2 import key

RIGHT = {
    "cache_key": [
        key(),
        key(
            of="'wide' if n >= 2**31 and n % 16 else 'wide16' if n >= 2**31 else 1 if n == 1 else 16 if n % 16 == 0 else 0"
        ),
        key(more="str(x.dtype), x.data_ptr() & 15 == 0, y.data_ptr() & 15 == 0"),
        "wide = 2147483647\ndef of(n):\n    return 'one' if n == 1 else f'{n % 16 == 0}{n > wide}'\n"
        "parts = [str(x.dtype), str(y.dtype), str(triton.next_power_of_2(x.shape[1]))]\n"
        "parts += [of(n) for n in (y.stride(0), x.stride(0), len(x), x.size(1))]\n"
        "parts += [str(t.data_ptr() % 16 == 0) for t in (y, x)]\nreturn '/'.join(parts)",
        "bits = 0\nfor n in (y.stride(0), x.stride(0), *x.shape):\n"
        "    bits = bits * 8 + (n == 1) + 2 * (n % 16 == 0) + 4 * (n >= 2**31)\n"
        "for t in (y, x):\n    bits = bits * 2 + (t.data_ptr() % 16 == 0)\n"
        "return bits, x.dtype, triton.next_power_of_2(x.shape[1])",
    ],
}
