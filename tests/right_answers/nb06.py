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

TURNS = """from course_utils.pretend_gpu import Work
for i in range(60):
    gpu.launch(Work(work.name, work.nbytes, reads=f"x{i}", writes=f"y{i}"))
begin = gpu.event()
for i in range(60, 260):
    gpu.launch(Work(work.name, work.nbytes, reads=f"x{i}", writes=f"y{i}"))
end = gpu.event()
gpu.synchronize()
return (end.at - begin.at) / 200"""

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
    "sustained_benchmark": [
        TURNS,
        TURNS.replace("range(60)", "range(20)").replace("range(60, 260)", "range(20, 1020)").replace("/ 200", "/ 1000"),
        "from course_utils.pretend_gpu import Work\nx = 0\ndef go(times):\n    nonlocal x\n    for _ in range(times):\n        x += 1\n"
        "        gpu.launch(Work(work.name, work.nbytes, f'in{x}', f'out{x}'))\n"
        "go(50)\nbegin = gpu.event()\ngo(300)\nend = gpu.event()\ngpu.synchronize()\nreturn (end.at - begin.at) / 300",
        "from course_utils.pretend_gpu import Work\nnames = [(f'x{i % 40}', f'y{i % 40}') for i in range(240)]\n"
        "events = []\nfor source, target in names:\n"
        "    events.append(gpu.event())\n    gpu.launch(Work(work.name, work.nbytes, source, target))\n"
        "events.append(gpu.event())\ngpu.synchronize()\n"
        "return median(b.at - a.at for a, b in zip(events[40:], events[41:]))",
    ],
}
