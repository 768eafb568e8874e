// Judges a kernel of which each program does a row: by what it does on probes, and by which known wrong program does the same.
// A known wrong program is the right one with a few strings replaced, and the sentence to be said of it.

const UNTOUCHED = -4096;
const spoken = x => typeof x === 'string' ? {inf: Infinity, '-inf': -Infinity, nan: NaN}[x] : x;
const powerAbove = n => 2 ** Math.ceil(Math.log2(n));

// Numbers that are the same everywhere, near enough to a normal distribution.
function chance(seed, count) {
  let state = seed + 0x9e3779b9 | 0;
  const uniform = () => { state = state + 0x6d2b79f5 | 0; let t = Math.imul(state ^ state >>> 15, state | 1); t ^= t + Math.imul(t ^ t >>> 7, t | 61); return ((t ^ t >>> 14) >>> 0) / 2 ** 32; };
  return Array.from({length: count}, () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));
}

function given({dtype, shape, strides, data, random}) {
  const x = new Argument(T[dtype], shape, null, {strides});
  data ??= chance(random, x.span);
  for (let i = 0; i < x.span; i++) x.put(i, spoken(data[i]));
  return x;
}

function empty({spare, turned}, [rows, columns], dtype) {
  const strides = turned ? [1, rows] : [columns + spare, 1], y = new Argument(dtype, [rows, columns], null, {strides});
  for (let i = 0; i < y.span; i++) y.put(i, UNTOUCHED);
  return y;
}

class Judge {
  constructor(exercise) {
    this.exercise = exercise;
    this.probes = exercise.probes;
    this.made = new Map();  // text of a program → its outcomes, probe by probe
    this.launches = 0;
  }

  kernel(text) {
    const found = load(text)[this.exercise.name];
    if (!found) throw new Mistake(null, `没有叫 ${this.exercise.name} 的函数。`, `There is no function called ${this.exercise.name}.`);
    return found;
  }

  run(kernel, probe, strict = false) {
    const x = given(probe.x), [rows, columns] = probe.x.shape, y = empty(probe.y, probe.x.shape, x.dtype);
    const strides = this.exercise.strides === 2 ? [...y.strides, ...x.strides] : [y.strides[0], x.strides[0]];
    this.launches++;
    const {astray, unwritten} = launch(kernel, [rows], [y, x, ...strides.map(BigInt), BigInt(columns)], {BLOCK_SIZE: BigInt(powerAbove(columns))}, {undefined: strict, most: 20_000});
    return {astray: astray[0] ?? null, values: Float64Array.from(y.values()), unwritten};
  }

  outcome(text, k) {
    if (!this.made.has(text)) this.made.set(text, {kernel: this.kernel(text), outcomes: []});
    const {kernel, outcomes} = this.made.get(text);
    return outcomes[k] ??= this.run(kernel, this.probes[k]);
  }

  // { status, zh, en, probe?, line? }
  judge(text) {
    const kernel = this.kernel(text), {right, known} = this.exercise;
    if (!kernel.jit) return {status: 'wrong', zh: 'kernel 要有 @triton.jit 这一行。', en: 'A kernel needs the line @triton.jit.'};
    const found = this.probes.map(probe => this.run(kernel, probe));
    const good = this.probes.map((probe, k) => !found[k].astray && agree(found[k].values, this.outcome(right, k).values, probe));
    if (good.every(Boolean)) {
      const shaky = this.probes.findIndex((probe, k) => !agree(this.run(kernel, probe, true).values, found[k].values, probe));
      if (shaky >= 0) return {status: 'wrong', zh: '有 mask 而没有 other：没有读的位置里是什么，Triton 不保证，结果却靠着它。', en: 'A mask and no other: Triton does not say what the places hold that were not loaded, and the result rests on it.'};
      return {status: 'right', zh: this.exercise.well[0], en: this.exercise.well[1]};
    }
    const first = good.indexOf(false), order = [first, ...this.probes.keys()].filter((k, i, all) => all.indexOf(k) === i);
    const fits = (program, probes = order) => {
      try { return probes.every(k => behavesAlike(this.outcome(program, k), found[k], this.probes[k])); } catch (error) { if (error.en === undefined) throw error; return false; }
    };
    const at = {probe: first, line: found[first].astray?.place.line};
    const programs = known.map(each => ({...each, text: changed(right, each.diff)})).filter(each => each.text);
    const single = programs.filter(each => fits(each.text));
    if (single.length) return {status: 'wrong', by: 1, ...said(single[0]), ...at};
    const suspects = new Set(programs.filter(each => fits(each.text, [first])));
    for (const a of programs) for (const b of programs) {
      if (a === b || !(suspects.has(a) || suspects.has(b)) || a.en === b.en) continue;
      const both = changed(a.text, b.diff);
      if (both && both !== a.text && fits(both)) return {status: 'wrong', by: 2, ...said(suspects.has(a) ? a : b), ...at};
    }
    const given = programs.filter(each => this.exercise.planted?.some(diff => JSON.stringify(diff) === JSON.stringify(each.diff)));
    for (let chosen = 1; chosen < 1 << given.length; chosen++) {
      const some = given.filter((_, k) => chosen >> k & 1);
      if (some.length < 3) continue;
      const all = some.reduce((text, each) => text && changed(text, each.diff), right);
      if (all && fits(all)) return {status: 'wrong', by: some.length, ...said(some[0]), ...at};
    }
    return {status: 'wrong', by: 0, ...this.whatCameOut(first, found[first]), ...at};
  }

  whatCameOut(k, {astray, values}) {
    const probe = this.probes[k], columns = probe.x.shape[1];
    if (astray) return {zh: `${probe.zh}：第 ${astray.place.line} 行的 ${astray.kind} 有元素落到了张量之外。`, en: `${probe.en}: elements of the ${astray.kind} in line ${astray.place.line} fall outside their tensor.`};
    const want = this.outcome(this.exercise.right, k).values, i = values.findIndex((x, j) => !close(x, want[j], probe)), row = Math.floor(i / columns), column = i % columns;
    if (values[i] === UNTOUCHED) return {zh: `${probe.zh}：第 ${row} 行第 ${column} 列没有写，里面还是原来的内容。`, en: `${probe.en}: row ${row}, column ${column} was not written and holds what was there before.`};
    const show = x => Number.isFinite(x) ? String(+x.toPrecision(4)) : String(x);
    return {zh: `${probe.zh}：第 ${row} 行第 ${column} 列应是 ${show(want[i])}，得到的是 ${show(values[i])}。`, en: `${probe.en}: row ${row}, column ${column} should be ${show(want[i])}; you gave ${show(values[i])}.`};
  }
}

const said = ({zh, en}) => ({zh, en});
const close = (a, b, {relative, absolute}) => a === b || (a !== a && b !== b) || Math.abs(a - b) <= absolute + relative * Math.abs(b);
const agree = (a, b, probe) => a.every((x, i) => close(x, b[i], probe));

function behavesAlike(simulated, one, probe) {
  if (simulated.astray || one.astray) return !!simulated.astray && !!one.astray && simulated.astray.kind === one.astray.kind;
  return agree(one.values, simulated.values, {relative: Math.max(probe.relative, 1e-4), absolute: Math.max(probe.absolute, 1e-6)});
}

function changed(text, diff) {
  for (const [old, fresh] of diff) {
    if (!text.includes(old)) return null;
    text = text.replaceAll(old, fresh);
  }
  return text;
}
