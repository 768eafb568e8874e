"""Right answers to the exercises of 06_benchmark, written otherwise: {exercise: [answer, ...]}."""

ONE_BY_ONE = """gpu.launch(work)
gpu.synchronize()
total = 0
for _ in range(10):
    start = gpu.now()
    gpu.launch(work)
    gpu.synchronize()
    total += gpu.now() - start
return total / 10"""
MANY = """for _ in range(3):
    gpu.launch(work)
gpu.synchronize()
start = gpu.now()
for _ in range(100):
    gpu.launch(work)
gpu.synchronize()
return (gpu.now() - start) / 100"""
EVENTS = """gpu.launch(work)
begin = gpu.event()
for _ in range(10):
    gpu.launch(work)
end = gpu.event()
gpu.synchronize()
return (end.at - begin.at) / 10"""
MEDIAN = """samples = []
for _ in range(7):
    gpu.synchronize()
    start = gpu.now()
    gpu.launch(work)
    gpu.synchronize()
    samples.append(gpu.now() - start)
return median(samples)"""
COLD = """gpu.launch(work)
pairs = []
for _ in range(5):
    gpu.flush()
    begin = gpu.event()
    gpu.launch(work)
    pairs.append((begin, gpu.event()))
gpu.synchronize()
return {}(end.at - begin.at for begin, end in pairs)"""

RIGHT = {
    "warm_benchmark": [ONE_BY_ONE, MANY, EVENTS, MEDIAN],
    "waiting_benchmark": [ONE_BY_ONE, MANY, EVENTS, MEDIAN],
    "cold_benchmark": [
        COLD.format("median"),
        COLD.format("min"),
        COLD.format("sum") + " / 5",
        "gpu.launch(work)\ngpu.synchronize()\ngpu.flush()\nbegin = gpu.event()\ngpu.launch(work)\nend = gpu.event()\n"
        "gpu.flush()\ngpu.synchronize()\nreturn end.at - begin.at",
    ],
    "typical_seconds": [
        "return torch.tensor(samples).quantile(0.5)",
        "import statistics\nreturn statistics.median_low(samples)",
        "return torch.median(torch.tensor(samples))",
        "return sorted(samples)[len(samples) // 2]",
    ],
    "fair_gigabytes": [
        "return torch.tensor(2 * rows * columns * itemsize) / seconds / 1e9",
        "moved = rows * columns * itemsize + rows * columns * itemsize\nreturn moved * 1e-9 / seconds",
    ],
}
