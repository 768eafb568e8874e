// What a page asks the engine for, answered in plain data: it runs in a worker where a page may have one.
const LIVE_STEPS = 3000;  // of one program; a page that shows more has nothing more to show

// Memory as it is now, by the places of each tensor; what a view leaves out is no element of its own.
const pictured = memory => memory.arguments.map(({name, argument}) => ({
  name, dtype: argument.dtype.name === 'int1' ? 'bool' : argument.dtype.name, shape: argument.shape, strides: argument.strides, blank: !!argument.blank,
  data: Float64Array.from({length: argument.span}, (_, offset) => Number(argument.get(offset))),
}));

function touched(access, memory) {
  const asked = [...access.asked.keys()].filter(lane => access.asked[lane]);
  const owners = [...new Set(asked.map(lane => access.owner[lane]))];
  return owners.map(owner => {
    const lanes = asked.filter(lane => access.owner[lane] === owner);
    return {kind: access.kind, tensor: memory.arguments[owner]?.name ?? '?', lanes: access.lanes,
      offsets: lanes.map(lane => access.offset[lane]), inside: lanes.map(lane => !!access.inside[lane])};
  });
}

// One program's steps, as they are drawn: what each changed and touched, and what memory held before the first.
class Watched extends Live.Trace {
  constructor(memory, most) { super(most); Object.assign(this, {memory, writes: [], before: null}); }
  entered(run, frame) { this.before ??= pictured(this.memory); super.entered(run, frame); }

  wrote(access) {
    if (access.kind === 'load' || !this.before) return;
    for (let lane = 0; lane < access.lanes; lane++) if (access.asked[lane] && access.inside[lane]) {
      const owner = access.owner[lane], offset = access.offset[lane];
      this.writes.push([this.steps.length, owner, offset, Number(this.memory.arguments[owner].argument.get(offset))]);
    }
  }

  told(kernel, program, grid) {
    const steps = this.steps.map(step => ({...step, changed: Object.fromEntries(Object.entries(step.changed).map(([name, value]) => [name, Live.plainly(value, this.memory)])),
      touches: step.touches.flatMap(access => touched(access, this.memory))}));
    return {kernel: kernel.name, program, grid, steps, tensors: this.before ?? [], writes: this.writes};
  }
}

const texts = names => Object.fromEntries(Object.values(names).filter(each => each instanceof Live.Kernel)
  .map(each => [each.name, {first: each.node.line, lines: bodyOf(each)}]));

function bodyOf({text, node}) {
  const lines = text.split('\n').slice(node.line - 1), blank = line => !line.trim();
  let end = lines.findIndex((line, k) => k && !blank(line) && !/^[ )]/.test(line));
  if (end < 0) end = lines.length;
  while (end > 1 && blank(lines[end - 1])) end--;
  return lines.slice(0, end);
}

const refusal = error => { if (error.en === undefined) throw error; return {line: error.line, within: error.within, zh: error.zh, en: error.en}; };

const exercises = {};

const WORK = {
  run(task) {
    const kernel = kernelOf(task), heard = [], printed = [], begun = performance.now();
    // Where programs wait for each other, they take turns.
    const {memory, deadlock} = (task.turns ? Live.together : Live.launch)(kernel, task.grid, argumentsOf(kernel, task), {}, {heard: access => heard.push(access), printed: text => { if (printed.length < 50) printed.push(text); }});
    if (deadlock) stop(deadlock[0].waits?.place.line ?? 0, '死锁：驻留的都在等。', 'Deadlock: all that have a place are waiting.');
    const took = performance.now() - begun, counts = memory.arguments.map(() => ({load: 0, store: 0, atomic: 0})), astray = new Map();
    const written = memory.arguments.map(({argument}) => new Uint8Array(argument.span));
    for (const access of heard) for (let lane = 0; lane < access.lanes; lane++) if (access.asked[lane]) {
      const owner = access.owner[lane];
      if (access.inside[lane]) {
        counts[owner][access.kind] += access.width;
        if (access.kind !== 'load') written[owner][access.offset[lane]] = 1;
      } else {
        const {line, name} = access.place, key = `${name} ${line} ${access.kind}`;
        const entry = astray.get(key) ?? astray.set(key, {line, within: name, kind: access.kind, program: access.program[0], count: 0}).get(key);
        entry.count++;
      }
    }
    const tensors = pictured(memory).map((tensor, k) => ({...tensor, bytes: counts[k], written: written[k]}));
    return {kernel: kernel.name, took, programs: task.grid.reduce((a, b) => a * b, 1), printed, tensors, astray: [...astray.values()]};
  },

  // Programs before the chosen one run first, those after it not at all.
  step(task) {
    const kernel = kernelOf(task), {memory, variables, programs, grid} = Live.prepare(kernel, task.grid, argumentsOf(kernel, task));
    const trace = new Watched(memory, LIVE_STEPS), run = new Live.Run(memory, {grid});
    memory.heard = access => { access.program = run.index; trace.wrote(access); trace.heard(access, run); };
    let error = null, stopped = false;
    try {
      programs.slice(0, task.program + 1).forEach((index, number) => Live.located(run, () => Live.finish(run.enter(kernel, new Map(variables))), {index, frames: [], listener: number === task.program ? trace : null}));
    } catch (found) { if (found.enough) stopped = true; else error = refusal(found); }
    return {sides: [trace.told(kernel, run.index, grid)], functions: texts(kernel.names), error, stopped, programs: programs.length};
  },

  // Programs side by side: each goes on until it waits or ends, then the next; who did what when is kept.
  together(task) {
    const kernel = kernelOf(task), {memory, variables, programs: indices, grid} = Live.prepare(kernel, task.grid, argumentsOf(kernel, task)), moves = [];
    const programs = indices.map((index, number) => {
      const trace = new Watched(memory, LIVE_STEPS), run = new Live.Run(memory, {grid, index, byLine: true, listener: trace});
      trace.before = pictured(memory);
      return {number, run, trace, body: run.enter(kernel, new Map(variables)), seen: new Map(), fruitless: 0, ended: false};
    });
    let now = programs[0], error = null;
    memory.heard = access => {
      access.program = now.run.index;
      for (const each of programs) each.trace.wrote(access);
      now.trace.heard(access, now.run);
      Live.noted(now, access, programs);
    };
    const state = each => each.ended ? 'ended' : each.fruitless >= 2 ? 'waiting' : each === now ? 'moving' : 'ready';
    while (!error) {
      const going = programs.filter(each => !each.ended);
      if (!going.length || moves.length >= LIVE_STEPS || going.every(each => each.fruitless >= 4)) break;
      const busy = going.filter(each => each.fruitless < 2), choice = busy.length ? busy : going;
      if (now.ended || now.fruitless >= 2) now = choice.find(each => each.number > now.number) ?? choice[0];
      const before = now.trace.steps.length;
      try { now.ended = Live.located(now.run, () => now.body.next().done); } catch (found) { error = found.enough ? null : refusal(found); now.ended = true; }
      for (let step = before; step < now.trace.steps.length; step++) moves.push([now.number, step, programs.slice(0, 4).map(state)]);
    }
    const dead = programs.some(each => !each.ended) && !error && moves.length < LIVE_STEPS;
    const end = dead ? moves.findIndex(([, , states]) => states.every(each => each === 'waiting' || each === 'ended')) : -1;
    return {sides: programs.slice(0, 4).map(each => each.trace.told(kernel, each.run.index, grid)), functions: texts(kernel.names), error,
      moves: moves.slice(0, end < 0 ? undefined : end + 1).filter(([number]) => number < 4), deadlock: dead};
  },

  races(task) {
    const kernel = kernelOf(task), {races, deadlock, outcomes} = Live.findRaces(kernel, task.grid, () => argumentsOf(kernel, task));
    return {races, deadlock, programs: task.grid.reduce((a, b) => a * b, 1),
      outcomes: [...outcomes].filter(([, each]) => each.size > 1).map(([name, each]) => [name, [...each]])};
  },

  // What the judge has found out about an exercise it keeps with it: the same one comes again with each check.
  check({exercise, text}) { return Live.check(exercises[exercise.name] ??= exercise, text); },
  foresee({exercise}) { return Live.foresee(exercises[exercise.name] ??= exercise); },  // true when nothing is left to find out
};

// {answer}, or {refused} where the learner's text is at fault.
function work(kind, task) {
  try { return {answer: WORK[kind](task)}; } catch (error) { return {refused: refusal(error)}; }
}
