// What a program does on a probe, as course_utils.exercises.observe and launch have it: what is judged is what was seen.

const unlike = (a, b) => a.some((x, i) => x !== b[i] && (x === x || b[i] === b[i]));

// Counts what a launch asks for: elements of each tensor, the widest block, how far it reaches, who stores which rows.
class Ledger {
  constructor(memory, strides) { Object.assign(this, {memory, strides, turn: 0, counted: [], widest: 0, reach: {}, rows: {}, loads: {}, stores: {}}); }

  // What one access asks for again counts once, except in an atomic: `counted` holds the access that an element was counted for.
  heard(access) {
    const {owner, offset, asked, inside, kind, lanes} = access, seen = new Map(), turn = ++this.turn;
    this.widest = Math.max(this.widest, lanes);
    let one, last, counted;
    for (let i = 0; i < lanes; i++) if (asked[i]) {
      if (owner[i] !== last || !one) {
        last = owner[i];
        one = seen.get(last) ?? {least: Infinity, most: -Infinity, count: 0};
        seen.set(last, one);
        counted = this.counted[last] ??= new Int32Array(this.memory.arguments[last]?.argument.span ?? 0);
      }
      const at = offset[i];
      if (at < one.least) one.least = at;
      if (at > one.most) one.most = at;
      if (inside[i] && (kind === 'atomic' || counted[at] !== turn)) {
        counted[at] = turn;
        one.count++;
      }
    }
    for (const [k, {least, most, count}] of seen) {
      const {name = '?'} = this.memory.arguments[k] ?? {}, [low, high] = this.reach[name] ?? [0, 0];
      this.reach[name] = [Math.min(low, least), Math.max(high, most)];
      if (kind !== 'store') this.loads[name] = (this.loads[name] ?? 0) + count;
      if (kind !== 'load') this.stores[name] = (this.stores[name] ?? 0) + count;
    }
    if (kind === 'store' && seen.size) this.stored(access, [...seen.keys()][0]);
  }

  stored({offset, asked, program}, first) {
    const tensor = this.memory.arguments[first]?.argument, stride = this.strides[first] || tensor?.strides[0];
    if (tensor?.shape.length !== 2 || !stride) return;
    const rows = new Set();
    offset.forEach((at, i) => { if (asked[i]) rows.add(Math.floor(at / stride)); });
    const done = this.rows[`(${program.join(', ')})`] ??= [], last = done.at(-1);
    done.push(...[...rows].filter(row => row !== last).sort((a, b) => a - b));
  }
}

// A parameter's name says what it is given: `x_ptr` the tensor x.
function launched(exercise, probe) {
  const {parameters, constants} = exercise, given = valuesOf(probe, exercise), names = parameters.filter(name => !constants.includes(name));
  const strides = names.map(name => Number(name.endsWith('_ptr') && given[name.replace(/ptr$/, 'stride')] || 0));
  const positional = names.map(name => given[name.replace(/_ptr$/, '')]);
  return {names, strides, positional, size: positional.reduce((sum, each) => sum + (each.places?.length ?? 0), 0), named: table(constants, name => [name, given[name]]), grid: given.grid.map(Number), far: given.far};
}

function observedLaunch(kernel, {names, strides, positional, named, grid, far}, writes, options) {
  const again = () => positional.map(each => each instanceof Argument ? each.copy() : each), given = again(), of = name => names.indexOf(`${name}_ptr`);
  let ledger;
  const done = launch(kernel, grid, given, named, {...options, heard: (access, {memory}) => (ledger ??= new Ledger(memory, strides)).heard(access)});
  ledger ??= new Ledger();
  const seen = {widest: ledger.widest, rows: ledger.rows, loads: ledger.loads, stores: ledger.stores, reach: far && JSON.stringify(Object.values(ledger.reach)), written: table(writes, name => [name, given[of(name)]])};
  if (done.astray.length) seen.astray = strayed(done.astray[0], done.memory);
  seen.changed = names.find((name, k) => given[k] instanceof Argument && !writes.includes(name.slice(0, -4)) && unlike(positional[k].raw, given[k].raw));
  if (done.unwritten) {
    const strict = again();
    launch(kernel, grid, strict, named, {...options, undefined: true});
    seen.undefined = writes.some(name => unlike(given[of(name)].raw, strict[of(name)].raw));
  }
  return seen;
}

function strayed({asked, inside, owner, offset, kind, program, place: {line, kernel}}, memory) {
  const lanes = span(asked.length).filter(i => asked[i] && !inside[i]), first = Math.min(...lanes.map(i => owner[i])), list = all => `[${all.join(', ')}]`;
  return {kind, line, source: (kernel.text.split('\n')[line - 1] ?? '').trim().slice(0, 200), tensor: memory.arguments[first]?.name ?? '?', program: list(program),
    offsets: list(lanes.filter(i => owner[i] === first).slice(0, 8).map(i => offset[i]))};
}

const ready = new WeakMap();  // launches, by probe: they are made once, and copied each time
const launchOf = (exercise, probe) => ready.get(probe) ?? ready.set(probe, launched(exercise, probe)).get(probe);
const copied = x => x instanceof List ? List.from(x, copied) : x;

const KINDS = {
  function(program, exercise, probe, options) {
    const given = valuesOf(probe, exercise), all = exercise.parameters.map(name => given[name]), mine = all.map(copied);
    const value = calculate(program, mine, {}, options);
    return {value: value instanceof Argument ? value.span > 1 ? List.from(value.values()) : value.get(0) : value, changed: exercise.parameters.find((_, k) => mine[k] instanceof List && say(mine[k]) !== say(all[k]))};
  },

  // What a choice among 1, 2, 4, … costs by the probe's list, in per cent over the best; so much as is allowed costs nothing.
  choice(program, exercise, probe, options) {
    const given = valuesOf(probe, exercise), value = calculate(program, exercise.parameters.map(name => given[name]), {}, options);
    const cost = given.costs[Math.log2(Number(value))];
    return {value: !numeric(value) ? value : cost === undefined ? 'no choice' : Math.max(Number(exercise.allowed), Number(cost))};
  },

  kernel: (program, exercise, probe, options) => observedLaunch(program, launchOf(exercise, probe), exercise.writes, options),

  // A function that two kernels call: one for two parts, one in a `tl.reduce` over several.
  combine(program, exercise, [, , {parts: all}], options) {
    const parts = matrix(plainValue(all)), out = filledWith(T.float32, [3], UNTOUCHED), [several] = parts.shape, two = several === 2;
    const kernel = load(exercise.helpers, {_combine: program})[two ? '_two_kernel' : '_several_kernel'];
    try { launch(kernel, [1], [out, parts], two ? {} : {N: BigInt(several)}, options); }
    catch (error) { if (error.unpacks) return {value: []}; throw error; }
    return {value: List.from(out.values())};
  },

  // Whether one of the learner's inputs tells the row kernel with a change from the row kernel.
  exposing(program, {helpers}, [, , {kernel}], options) {
    const found = calculate(program, [], {}, options), inputs = found instanceof Argument ? [found] : items(found);
    const [old, change] = kernel.slice(2).split(' →'), kernels = [helpers, helpers.replaceAll(old, () => change.replace(/^ /, ''))].map(text => load(text).row_kernel);
    if (inputs.length > 2) return {value: 'too many'};
    for (const x of inputs) {
      if (!(x instanceof Argument) || x.shape.length !== 2 || !x.dtype.floating || !x.span) return {value: 'no matrix'};
      if (count(x.shape) > 16384) return {value: 'too large'};
      if (x.shape[1] > 1 && x.strides[1] !== 1) return {value: 'turned'};
    }
    return {value: inputs.some(x => toldApart(kernels, x, options))};
  },

  // Two programs that meet twice at one counter, and what becomes of them in the order of turns that a learner gives.
  turns(program, {helpers}, probe, options) {
    const value = calculate(program, [], {}, options);
    if (!Array.isArray(value) || value.some(each => typeof each !== 'bigint')) return {value};
    const given = [[4, T.float32], [4, T.float32], [1, T.int32]].map(([size, dtype]) => filledWith(dtype, [size], 0));
    return {value: together(load(helpers).twice_kernel, [2], given, {}, {order: value.slice(0, 200).map(Number)}).deadlock ? 'never ends' : 'ends'};
  },
};

function toldApart(kernels, x, options) {
  const [rows, columns] = x.shape, stride = columns + 3;  // foreign elements lie behind each row of the output
  const [right, wrong] = kernels.map(kernel => {
    const y = wideAs(filledWith(x.dtype, [rows, stride], UNTOUCHED), columns);
    return launch(kernel, [rows], [y, x, BigInt(stride), BigInt(x.strides[0]), BigInt(columns)], {BLOCK_SIZE: nextPowerOf2(BigInt(columns))}, options).astray.length ? null : y;
  });
  return !wrong || differing(wrong, right, [1e-4, 1e-6]) >= 0;
}

// What it did, or what it raised.
function observe(program, exercise, probe, options) {
  try { return KINDS[exercise.kind](program, exercise, probe, options); }
  catch ({type = '', message, zh = message, en = message, line = 0, late}) { return {raised: {type, zh, en, line, late}}; }
}
