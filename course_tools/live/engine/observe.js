// What a program does on a probe, as course_utils.exercises.observe and launch have it: what is judged is what was seen.

function unlike(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && (a[i] === a[i] || b[i] === b[i])) return true;
  return false;
}

// Counts what a launch asks for: elements of each tensor, the widest block, how far it reaches, who stores which rows.
class Ledger {
  constructor(memory, strides) { Object.assign(this, {memory, strides, turn: 0, counted: [], widest: 0, reach: {}, rows: {}, loads: {}, stores: {}}); }

  // What one access asks for again counts once, except in an atomic: `counted` holds the access that an element was counted for.
  heard(access) {
    const {owner, offset, asked, inside, kind, lanes} = access, seen = new Map(), turn = ++this.turn;
    this.widest = Math.max(this.widest, lanes);
    let one, last;
    for (let i = 0; i < lanes; i++) if (asked[i]) {
      if (owner[i] !== last || !one) {
        last = owner[i];
        one = seen.get(last) ?? {least: Infinity, most: -Infinity, count: 0};
        seen.set(last, one);
        this.counted[last] ??= new Int32Array(this.memory.arguments[last]?.argument.span ?? 0);
      }
      const at = offset[i];
      if (at < one.least) one.least = at;
      if (at > one.most) one.most = at;
      if (inside[i] && (kind === 'atomic' || this.counted[last][at] !== turn)) {
        this.counted[last][at] = turn;
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

  stored({offset, asked, program, lanes}, first) {
    const tensor = this.memory.arguments[first]?.argument, stride = this.strides[first] || tensor?.strides[0];
    if (tensor?.shape.length !== 2 || !stride) return;
    const rows = new Set();
    for (let i = 0; i < lanes; i++) if (asked[i]) rows.add(Math.floor(offset[i] / stride));
    const done = this.rows[`(${program.join(', ')})`] ??= [], last = done.at(-1);
    done.push(...[...rows].filter(row => row !== last).sort((a, b) => a - b));
  }
}

function observedLaunch(kernel, {names, positional, named, grid, writes, strided}, options = {}) {
  const again = () => positional.map(each => each instanceof Argument ? each.copy() : each), given = again();
  const strides = names.map(name => Number(given[names.indexOf(name.replace(/_ptr$/, '_stride'))] ?? 0) * name.endsWith('_ptr'));
  let ledger;
  const done = launch(kernel, grid, given, named, {...options, heard: (access, run) => (ledger ??= new Ledger(run.memory, strides)).heard(access)});
  ledger ??= new Ledger(done.memory, strides);
  const {widest, reach, rows, loads, stores} = ledger, place = name => names.indexOf(`${name}_ptr`);
  const seen = {widest, rows, loads, stores, reach: strided ? JSON.stringify(Object.values(reach)) : null, written: Object.fromEntries(writes.map(name => [name, given[place(name)]]))};
  if (done.astray.length) seen.astray = strayed(done.astray[0], done.memory);
  seen.changed = names.find((name, k) => given[k] instanceof Argument && !writes.includes(name.slice(0, -4)) && unlike(positional[k].raw, given[k].raw));
  if (done.unwritten) {
    const strict = again();
    launch(kernel, grid, strict, named, {...options, undefined: true});
    seen.undefined = writes.some(name => unlike(given[place(name)].raw, strict[place(name)].raw));
  }
  return seen;
}

function strayed(access, memory) {
  const lanes = [...access.asked.keys()].filter(i => access.asked[i] && !access.inside[i]), owner = Math.min(...lanes.map(i => access.owner[i]));
  const offsets = lanes.filter(i => access.owner[i] === owner).slice(0, 8).map(i => access.offset[i]);
  const {line, kernel} = access.place, source = (kernel.text.split('\n')[line - 1] ?? '').trim().slice(0, 200);
  return {kind: access.kind, line, source, tensor: memory.arguments[owner]?.name ?? '?', program: `[${access.program.join(', ')}]`, offsets: `[${offsets.join(', ')}]`};
}

const ready = new WeakMap();  // launches, by probe: they are made once, and copied each time
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
    if (!['bigint', 'number'].includes(typeof value)) return {value};
    return {value: Math.max(Number(exercise.settings.allowed), Number(given.costs[Math.log2(Number(value))] ?? Infinity))};
  },

  kernel: (program, exercise, probe, options) => observedLaunch(program, ready.get(probe) ?? ready.set(probe, launched(exercise, probe)).get(probe), options),

  // A function that two kernels call: one for two parts, one in a `tl.reduce` over several.
  combine(program, exercise, probe, options) {
    const parts = matrix(probe[2].parts), [several] = parts.shape, out = fresh(T.float32, [3], [UNTOUCHED, UNTOUCHED, UNTOUCHED]);
    const kernel = load(exercise.helpers, {_combine: program})[several === 2 ? '_two_kernel' : '_several_kernel'];
    try { launch(kernel, [1], [out, parts], several === 2 ? {} : {N: BigInt(several)}, options); }
    catch (error) { if (error.unpacks) return {value: []}; throw error; }
    return {value: List.from(out.values())};
  },

  // Whether one of the learner's inputs tells the row kernel with a change from the row kernel.
  exposing(program, exercise, probe, options) {
    const found = calculate(program, [], {}, options), inputs = found instanceof Argument ? [found] : items(found);
    const [old, change] = probe[2].kernel.slice(2).split(' →'), kernels = [exercise.helpers, exercise.helpers.replaceAll(old, () => change.replace(/^ /, ''))].map(text => load(text).row_kernel);
    if (inputs.length > 2) return {value: 'too many'};
    for (const x of inputs) {
      if (!(x instanceof Argument) || x.shape.length !== 2 || !x.dtype.floating || !x.span) return {value: 'no matrix'};
      if (count(x.shape) > 4096) return {value: 'too large'};
      if (x.shape[1] > 1 && x.strides[1] !== 1) return {value: 'turned'};
    }
    return {value: inputs.some(x => toldApart(kernels, x, options))};
  },

  // Two programs that meet twice at one counter, and what becomes of them in the order of turns that a learner gives.
  turns(program, exercise, probe, options) {
    const value = calculate(program, [], {}, options);
    if (!Array.isArray(value) || value.some(each => typeof each !== 'bigint')) return {value};
    const given = [[4, T.float32], [4, T.float32], [1, T.int32]].map(([size, dtype]) => fresh(dtype, [size], Array(size).fill(0)));
    return {value: together(load(exercise.helpers).twice_kernel, [2], given, {}, {order: value.slice(0, 200).map(Number)}).deadlock ? 'never ends' : 'ends'};
  },
};

function toldApart(kernels, x, options) {
  const [rows, columns] = x.shape, stride = columns + 3;  // foreign elements lie behind each row of the output
  const [right, wrong] = kernels.map(kernel => {
    const y = wideAs(fresh(x.dtype, [rows, stride], Array(rows * stride).fill(UNTOUCHED)), columns);
    const {astray} = launch(kernel, [rows], [y, x, BigInt(stride), BigInt(x.strides[0]), BigInt(columns)], {BLOCK_SIZE: nextPowerOf2(BigInt(columns))}, options);
    return astray.length ? null : y;
  });
  return !wrong || differing(wrong, right, [1e-4, 1e-6]) >= 0;
}

// What it did, or what it raised.
function observe(program, exercise, probe, options) {
  try { return KINDS[exercise.kind](program, exercise, probe, options); }
  catch (error) { return {raised: {type: error.type ?? '', zh: error.zh ?? error.message, en: error.en ?? error.message, line: error.line ?? 0, late: error.late}}; }
}
