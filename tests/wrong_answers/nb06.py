"""Plausible wrong answers to the exercises of 06_benchmark, and a word of what the check must say of each."""

WRONG = {
    "warm_benchmark": {
        "return gpu.true_seconds(work)": "answer key",
        "start = gpu.now()\ngpu.launch(work)\ngpu.synchronize()\nreturn gpu.now() - start": "first launch compiles",
        "start = gpu.now()\nfor _ in range(100):\n    gpu.launch(work)\ngpu.synchronize()\nreturn (gpu.now() - start) / 100": "still spread",
        "gpu.launch(work)\ngpu.synchronize()\nstart = gpu.now()\ngpu.launch(work)\nreturn gpu.now() - start": "launch alone",
        "gpu.launch(work)\nstart = gpu.now()\ngpu.launch(work)\ngpu.synchronize()\nreturn gpu.now() - start": "still in the queue",
        "gpu.launch(work)\ngpu.synchronize()\nstart = gpu.now()\ngpu.launch(work)\ngpu.synchronize()\nreturn (gpu.now() - start) * 1000": "milliseconds",
    },
    "waiting_benchmark": {
        "gpu.launch(work)\nstart = gpu.now()\nfor _ in range(10):\n    gpu.launch(work)\ngpu.synchronize()\nreturn (gpu.now() - start) / 10": "should be empty",
        "return gpu.true_seconds(work)": "answer key",
        "gpu.launch(work)\ngpu.synchronize()\nstart = gpu.now()\nfor _ in range(10):\n    gpu.launch(work)\nreturn (gpu.now() - start) / 10": "returns at once",
        "start = gpu.now()\nfor _ in range(10):\n    gpu.launch(work)\ngpu.synchronize()\nreturn (gpu.now() - start) / 10": "compilation is in it",
        "gpu.launch(work)\ngpu.synchronize()\nstart = gpu.now()\nfor _ in range(10):\n    gpu.launch(work)\ngpu.synchronize()\nreturn gpu.now() - start": "The truth is",
        "return gpu.now() - gpu.now()": "not positive",
    },
    "cold_benchmark": {
        "gpu.launch(work)\nstart = gpu.event()\ngpu.launch(work)\nend = gpu.event()\ngpu.synchronize()\nreturn end.at - start.at": "in L2",
        "gpu.launch(work)\nstart = gpu.event()\ngpu.flush()\ngpu.launch(work)\nend = gpu.event()\ngpu.synchronize()\nreturn end.at - start.at": "flush() takes time",
        "gpu.launch(work)\ngpu.flush()\nstart = gpu.event()\ngpu.launch(work)\nend = gpu.event()\nreturn end.at - start.at": "synchronize",
        "start = gpu.event()\ngpu.launch(work)\nend = gpu.event()\ngpu.synchronize()\nreturn end.at - start.at": "The truth is",
    },
    "typical_seconds": {
        "return sum(samples) / len(samples)": "mean",
        "return min(samples)": "luckiest",
        "return samples[len(samples) // 2]": "",
        "return sorted(samples)[len(samples) // 2]": "average the two",
    },
    "fair_gigabytes": {
        "return rows * columns * itemsize / seconds / 1e9": "reads and writes",
        "return 8 * rows * columns * itemsize / seconds / 1e9": "8MN",
        "return 2 * rows * columns * itemsize / seconds / 2**30": "GiB",
        "return 2 * rows * columns / seconds / 1e9": "elements a second",
        "return 2 * rows * columns * itemsize // seconds / 1e9": "//",
        "return 2 * rows * columns * itemsize / seconds // 1e9": "//",
        "return 2 * rows * columns * 4 / seconds / 1e9": "not always take 4",
    },
}
