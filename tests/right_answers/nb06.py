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
    "waiting_benchmark": [ONE_BY_ONE, MANY, EVENTS, MEDIAN],
}
