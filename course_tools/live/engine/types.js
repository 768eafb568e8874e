// Blocks of numbers with Triton's types. A tensor never changes once made, so a trace may keep it without a copy.

class DType {
  constructor(name, kind, bits, Store, signed = true) { Object.assign(this, {name, kind, bits, signed, Store}); }
  get floating() { return this.kind === 2; }
  get big() { return this.bits === 64 && this.kind === 1; }
  get bytes() { return Math.max(1, this.bits >> 3); }
}

const T = {int1: new DType('int1', 0, 1, Uint8Array, false)};
for (const [bits, Signed, Unsigned] of [[8, Int8Array, Uint8Array], [16, Int16Array, Uint16Array], [32, Int32Array, Uint32Array], [64, BigInt64Array, BigUint64Array]]) {
  T[`int${bits}`] = new DType(`int${bits}`, 1, bits, Signed);
  T[`uint${bits}`] = new DType(`uint${bits}`, 1, bits, Unsigned, false);
}
// Of 16 bits a float is kept in 32, rounded.
for (const [name, bits, Store] of [['float16', 16, Float32Array], ['bfloat16', 16, Float32Array], ['float32', 32, Float32Array], ['float64', 64, Float64Array]])
  T[name] = new DType(name, 2, bits, Store);

class Pointer extends DType {
  constructor(element) { super(`pointer<${element.name}>`, 3, 64, Float64Array, false); this.element = element; }
}
const pointerTo = element => element.pointer ??= new Pointer(element);

class Tensor {
  constructor(dtype, shape, data, padding = null) { Object.assign(this, {dtype, shape, data, padding}); }
  get size() { return this.data.length; }
  get block() { return this.shape.length > 0; }
  get item() { return this.data[0]; }
}

// ---- how numbers are rounded and wrapped

const {trunc} = Math;

// truncate: make a bfloat16 of a float32 as the interpreter does (a GPU rounds); seconds: a page that answers later seems to have died.
const settings = {truncate: false, seconds: 2};

const bits32 = new Uint32Array(1), float32 = new Float32Array(bits32.buffer);

function shorter(x, bits, up) {  // a float32 without its last bits; what is added before decides how they round
  float32[0] = x;
  bits32[0] = bits32[0] + up() & -1 << bits;
  return float32[0];
}

const even = bits => () => (1 << bits - 1) - 1 + (bits32[0] >>> bits & 1);  // to the nearest, ties to even
const up13 = even(13), up16 = even(16), TINY = 1.5 * 2 ** 28;

const ROUND = {
  float16(x) {
    if (Math.abs(x) < 2 ** -14) return x + TINY - TINY;  // subnormal: units of 2**-24
    const short = shorter(x, 13, up13);
    return Math.abs(short) > 65504 ? x * Infinity : short;
  },
  bfloat16: x => x === x ? shorter(x, 16, settings.truncate ? () => 0 : up16) : x,
};

const store = (dtype, size) => new dtype.Store(size);

// A number, as an element of this type: a typed array wraps and rounds the rest by itself.
function fit({kind, big, bits, signed, name}, x) {
  if (kind === 0) return +(x != 0);
  if (big) return typeof x === 'bigint' ? x : BigInt(Number.isFinite(x) ? trunc(x) : 0);
  if (kind > 1) return ROUND[name] ? ROUND[name](Number(x)) : Number(x);
  if (typeof x === 'bigint') return Number(BigInt.asUintN(bits, x));
  const most = 2 ** (bits - signed);  // of a float: towards zero, and what doesn't fit to the nearest that does
  return Math.min(Math.max(trunc(x) || 0, signed && -most), most - 1);
}

const scalar = (dtype, x) => new Tensor(dtype, [], store(dtype, 1).fill(fit(dtype, typeof x === 'boolean' ? BigInt(x) : x)));

function cast(t, dtype) {
  const {data, dtype: from} = t;
  if (from === dtype) return t;
  const out = store(dtype, data.length);
  if (!from.big && !dtype.big && dtype.kind && !ROUND[dtype.name] && (dtype.kind > 1 || from.kind < 2)) out.set(data);
  else for (let i = 0; i < data.length; i++) out[i] = fit(dtype, data[i]);
  return new Tensor(dtype, t.shape, out, t.padding);
}

// ---- shapes

const MOST = 1 << 20;  // elements of a block, as in Triton

const count = shape => shape.reduce((a, b) => a * b, 1);
const alike = (a, b) => a.length === b.length && a.every((size, k) => size === b[k]);
const span = n => [...Array(n).keys()];

// The shape that blocks of these shapes are spread to.
function common(a, b) {
  if (!b.length || alike(a, b)) return a;
  if (!a.length) return b;
  const shape = [];
  for (let k = Math.max(a.length, b.length); k; k--) {
    const left = a.at(-k) ?? 1, right = b.at(-k) ?? 1;
    if (left !== right && left !== 1 && right !== 1) unmet(left, right);
    shape.push(left === 1 ? right : left);
  }
  return bounded(shape);
}

function bounded(shape) {
  if (count(shape) > MOST) refuse(`最多 ${MOST} 个元素，这里会有 ${count(shape)} 个。`, `There are at most ${MOST} elements; here would be ${count(shape)}.`);
  return shape;
}

const agreed = (...all) => all.map(each => each.shape).reduce(common);

// How far a step along each axis goes, where nothing lies between.
const stepsOf = shape => shape.map((_, k) => count(shape.slice(k + 1)));

// Where each element lies, in order; filled axis by axis, from the last.
function layout(shape, steps, start = 0) {
  const out = new Int32Array(count(shape)).fill(start);
  for (let k = shape.length - 1, filled = 1; k >= 0; filled *= shape[k--])
    for (let i = filled; i < filled * shape[k]; i++) out[i] = out[i - filled] + steps[k];
  return out;
}

// For each element of `shape`, the element of a tensor of shape `from` that it comes from.
function places(from, shape) {
  const steps = stepsOf(from).map((step, k) => from[k] === 1 ? 0 : step);
  return layout(shape, [...Array(shape.length - from.length).fill(0), ...steps]);
}

function gathered(t, shape, from) {
  const out = store(t.dtype, from.length);
  for (let i = 0; i < out.length; i++) out[i] = t.data[from[i]];
  return new Tensor(t.dtype, shape, out, t.padding && Uint8Array.from(from, k => t.padding[k]));
}

function broadcast(t, shape) {
  if (alike(t.shape, shape)) return t;
  if (t.size > 1 || t.padding) return gathered(t, shape, places(t.shape, shape));
  return new Tensor(t.dtype, shape, store(t.dtype, count(shape)).fill(t.data[0]));
}

const reshape = (t, shape) => new Tensor(t.dtype, shape, t.data, t.padding);

function permute(t, order) {
  const shape = order.map(k => t.shape[k]), steps = stepsOf(t.shape);
  return gathered(t, shape, layout(shape, order.map(k => steps[k])));
}

// A lane is padding if every block that flowed into it was.
function padding(a, b) {
  if (!b.block) return a.padding;
  if (!a.block) return b.padding;
  const [x, y] = [a, b].map(t => t.padding && new Tensor(T.int1, t.shape, t.padding));
  return x && y && pairwise(x, y, 'a & b', T.int1).data;
}

function unary(t, f) {
  const out = store(t.dtype, t.size), round = ROUND[t.dtype.name];
  if (round) for (let i = 0; i < out.length; i++) out[i] = round(f(t.data[i]));
  else for (let i = 0; i < out.length; i++) out[i] = f(t.data[i]);
  return new Tensor(t.dtype, t.shape, out, t.padding);
}

// A loop for each formula of `a` and `b`: one loop for all would meet every type of number, and be several times slower.
const loops = {};
const loop = formula => loops[formula] ??= new Function('out', 'k', 'end', 'x', 'i', 'stepX', 'y', 'j', 'stepY',
  `for (; k < end; k++, i += stepX, j += stepY) { const a = x[i], b = y[j]; out[k] = ${formula}; }`);

function filled(out, from, end, round, formula, ...operands) {
  loop(formula)(out, from, end, ...operands);
  if (round) for (let k = from; k < end; k++) out[k] = round(out[k]);
}

function pairwise(a, b, formula, dtype) {
  const shape = agreed(a, b), round = ROUND[dtype.name], out = store(dtype, count(shape));
  if (!a.block || !b.block || alike(a.shape, b.shape)) filled(out, 0, out.length, round, formula, a.data, 0, +a.block, b.data, 0, +b.block);
  else {  // row by row, with what is one long repeated
    const width = shape.at(-1), [left, right] = [a, b].map(t => places([...t.shape.slice(0, -1), 1], [...shape.slice(0, -1), 1]).map(row => row * t.shape.at(-1)));
    for (let row = 0; row < left.length; row++)
      filled(out, row * width, row * width + width, round, formula, a.data, left[row], +(a.shape.at(-1) > 1), b.data, right[row], +(b.shape.at(-1) > 1));
  }
  return new Tensor(dtype, shape, out, dtype.kind === 0 ? null : padding(a, b));
}

function select(condition, x, y) {
  const out = store(x.dtype, x.size);
  for (let i = 0; i < out.length; i++) out[i] = (condition.data[i] ? x : y).data[i];
  return new Tensor(x.dtype, x.shape, out, padding(x, y));
}

// ---- along an axis

const without = (shape, axis) => shape.filter((_, k) => k !== axis);

// The tensor as slices along an axis, each a block of the other axes.
function slices(t, axis) {
  const shape = without(t.shape, axis), steps = stepsOf(t.shape);
  return span(t.shape[axis]).map(i => gathered(t, shape, layout(shape, without(steps, axis), i * steps[axis])));
}

// The other way round. All parts lie one behind the other, and then their axis takes its place.
function stack(parts, axis) {
  const [{dtype, shape}] = parts, size = count(shape), data = store(dtype, parts.length * size);
  parts.forEach((part, i) => data.set(part.data, i * size));
  const order = span(shape.length).map(k => k + 1);
  return permute(new Tensor(dtype, [parts.length, ...shape], data), [...order.slice(0, axis), 0, ...order.slice(axis)]);
}

// Halves folded onto halves, as the lanes of a warp do it; so sums come out as close as a GPU's.
function fold(t, axis, formula) {
  const shape = without(t.shape, axis), length = t.shape[axis], after = stepsOf(t.shape)[axis], data = t.data.slice(), round = ROUND[t.dtype.name];
  for (let left = length; left > 1; left = left + 1 >> 1) for (let from = 0; from < data.length; from += length * after) {
    filled(data, from, from + (left >> 1) * after, round, formula, data, from, 1, data, from + (left + 1 >> 1) * after, 1);
  }
  return gathered(new Tensor(t.dtype, [], data), shape, layout(shape, without(stepsOf(t.shape), axis)));
}

function product(a, b, into) {  // of matrices, summed in double and rounded once
  const [m, k] = a.shape, n = b.shape[1], out = store(into, m * n), row = new Float64Array(n);
  for (let i = 0; i < m; i++) {
    row.fill(0);
    for (let l = 0; l < k; l++) {
      const one = Number(a.data[i * k + l]);
      for (let j = 0; j < n; j++) row[j] += one * b.data[l * n + j];
    }
    out.set(row, i * n);
  }
  return new Tensor(into, [m, n], out);
}
