// Blocks of numbers with Triton's types. A tensor never changes once made, so a trace may keep it without a copy.

class DType {
  constructor(name, short, kind, bits, signed, Store) { Object.assign(this, {name, short, kind, bits, signed, Store}); }
  get floating() { return this.kind === 2; }
  get integral() { return this.kind < 2; }
  get big() { return this.bits === 64 && this.kind === 1; }
}

const types = {};
for (const [name, short, kind, bits, signed, Store] of [
  ['int1', 'int1', 0, 1, false, Uint8Array],
  ['int8', 'int8', 1, 8, true, Int8Array], ['uint8', 'uint8', 1, 8, false, Uint8Array],
  ['int16', 'int16', 1, 16, true, Int16Array], ['uint16', 'uint16', 1, 16, false, Uint16Array],
  ['int32', 'int32', 1, 32, true, Int32Array], ['uint32', 'uint32', 1, 32, false, Uint32Array],
  ['int64', 'int64', 1, 64, true, BigInt64Array], ['uint64', 'uint64', 1, 64, false, BigUint64Array],
  ['float16', 'fp16', 2, 16, true, Float32Array], ['bfloat16', 'bf16', 2, 16, true, Float32Array],
  ['float32', 'fp32', 2, 32, true, Float32Array], ['float64', 'fp64', 2, 64, true, Float64Array],
]) types[name] = new DType(name, short, kind, bits, signed, Store);
const T = types;

class Pointer extends DType {
  constructor(element) { super(`pointer<${element.name}>`, '*' + element.short, 3, 64, false, Float64Array); this.element = element; }
}
const pointers = new Map();
const pointerTo = element => pointers.get(element) ?? pointers.set(element, new Pointer(element)).get(element);

class Tensor {
  constructor(dtype, shape, data, padding = null) { Object.assign(this, {dtype, shape, data, padding}); }
  get size() { return this.data.length; }
  get block() { return this.shape.length > 0; }
  get item() { return this.data[0]; }
}

// ---- how numbers are rounded and wrapped

const {trunc} = Math;

const bits32 = new Uint32Array(1), float32 = new Float32Array(bits32.buffer);

function toHalf(x) {  // the bits of the nearest float16, ties to even
  float32[0] = x;
  const sign = bits32[0] >>> 16 & 0x8000, magnitude = bits32[0] & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x47800000) return sign | 0x7c00;
  if (magnitude < 0x38800000) {  // subnormal: units of 2**-24
    return sign | nearest(Math.abs(float32[0]) * 16777216);
  }
  const rounded = magnitude + 0xfff + (magnitude >>> 13 & 1);
  return sign | (rounded >>> 13) - 0x1c000;
}

function nearest(x) {  // to the nearest whole number, ties to even
  const down = Math.floor(x), rest = x - down;
  return rest > 0.5 || (rest === 0.5 && down & 1) ? down + 1 : down;
}

function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

// truncate: make a bfloat16 of a float32 as the interpreter does (a GPU rounds); seconds: a page that answers later seems to have died.
const settings = {truncate: false, seconds: 2};

function toBrain(x) {
  float32[0] = x;
  if (x !== x) return bits32[0] >>> 16 | 0x40;
  return (settings.truncate ? bits32[0] : bits32[0] + 0x7fff + (bits32[0] >>> 16 & 1)) >>> 16;
}

function fromBrain(bits) { bits32[0] = bits << 16; return float32[0]; }

const ROUND = {float16: x => fromHalf(toHalf(x)), bfloat16: x => fromBrain(toBrain(x))};

function store(dtype, size) { return new dtype.Store(size); }

// A number, as an element of this type.
function fit(dtype, x) {
  if (typeof x === 'boolean') x = BigInt(x);
  if (dtype.kind === 0) return +(Number(x) !== 0);
  if (dtype.big) return typeof x === 'bigint' ? x : BigInt(Number.isFinite(x) ? trunc(x) : 0);
  if (dtype.floating) { x = Number(x); return ROUND[dtype.name] ? ROUND[dtype.name](x) : x; }
  if (typeof x === 'bigint') return Number(dtype.signed ? BigInt.asIntN(dtype.bits, x) : BigInt.asUintN(dtype.bits, x));
  return trunc(x);
}

function scalar(dtype, x) {
  const data = store(dtype, 1);
  data[0] = fit(dtype, x);
  return new Tensor(dtype, [], data);
}

function cast(t, dtype) {
  if (t.dtype === dtype) return t;
  const {data} = t, out = store(dtype, data.length), from = t.dtype;
  if (dtype.kind === 3) { for (let i = 0; i < data.length; i++) out[i] = Number(data[i]); }
  else if (dtype.floating && !ROUND[dtype.name] && !from.big) out.set(data);
  else if (dtype.kind === 1 && !dtype.big && from.kind < 2 && !from.big) out.set(data);  // typed arrays wrap
  else if (dtype.big && from.big) for (let i = 0; i < data.length; i++) out[i] = data[i];
  else if (dtype.kind === 1 && !dtype.big && from.floating) {  // towards zero, and what doesn't fit to the nearest that does
    const most = 2 ** (dtype.bits - dtype.signed), least = dtype.signed ? -most : 0;
    for (let i = 0; i < data.length; i++) out[i] = Math.min(Math.max(trunc(data[i]) || 0, least), most - 1);
  } else for (let i = 0; i < data.length; i++) out[i] = fit(dtype, data[i]);
  return new Tensor(dtype, t.shape, out, t.padding);
}

function bitcast(t, dtype) {
  if (t.dtype === dtype) return t;
  const raw = encode(t.dtype, t.data);
  return new Tensor(dtype, t.shape, decode(dtype, raw.buffer), t.padding);
}

// Elements as memory holds them, and back.
const RAW = {float16: [Uint16Array, toHalf, fromHalf], bfloat16: [Uint16Array, toBrain, fromBrain]};
const rawStore = dtype => RAW[dtype.name]?.[0] ?? dtype.Store;
const toRaw = dtype => RAW[dtype.name]?.[1];
const fromRaw = dtype => RAW[dtype.name]?.[2];

function encode(dtype, data) { return RAW[dtype.name] ? RAW[dtype.name][0].from(data, RAW[dtype.name][1]) : data.slice(); }
function decode(dtype, buffer) { return RAW[dtype.name] ? Float32Array.from(new RAW[dtype.name][0](buffer), RAW[dtype.name][2]) : new dtype.Store(buffer); }

// ---- shapes

const MOST = 1 << 20;  // elements of a block, as in Triton

const count = shape => shape.reduce((a, b) => a * b, 1);
const alike = (a, b) => a.length === b.length && a.every((size, k) => size === b[k]);

function common(a, b) {
  if (!b.length || alike(a, b)) return a;
  if (!a.length) return b;
  const rank = Math.max(a.length, b.length), shape = [];
  for (let k = 0; k < rank; k++) {
    const left = a[a.length - rank + k] ?? 1, right = b[b.length - rank + k] ?? 1;
    if (left !== right && left !== 1 && right !== 1) return null;
    shape.push(left === 1 ? right : left);
  }
  return bounded(shape);
}

function bounded(shape) {
  if (count(shape) > MOST) refuse(`一块最多 ${MOST} 个元素，这里会有 ${count(shape)} 个。`, `A block has at most ${MOST} elements; this one would have ${count(shape)}.`);
  return shape;
}

function agreed(a, b) {
  const shape = common(a.shape, b.shape);
  if (!shape) refuse(`形状 ${sizes(a)} 和 ${sizes(b)} 对不上。`, `The shapes ${sizes(a)} and ${sizes(b)} do not go together.`);
  return shape;
}

// How far a step along each axis goes, where nothing lies between.
const stepsOf = shape => shape.map((_, k) => count(shape.slice(k + 1)));

// Where each element lies, in order; filled axis by axis, from the last.
function layout(shape, steps) {
  const out = new Int32Array(count(shape));
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

function unary(t, f, dtype = t.dtype) {
  const out = store(dtype, t.size), round = ROUND[dtype.name];
  if (round) for (let i = 0; i < out.length; i++) out[i] = round(f(t.data[i]));
  else for (let i = 0; i < out.length; i++) out[i] = f(t.data[i]);
  return new Tensor(dtype, t.shape, out, t.padding);
}

// A loop for each formula of `a` and `b`: one loop for all would meet every type of number, and be several times slower.
const loops = new Map();
const loop = formula => loops.get(formula) ?? loops.set(formula, new Function('out', 'k', 'end', 'x', 'i', 'stepX', 'y', 'j', 'stepY',
  `for (; k < end; k++, i += stepX, j += stepY) { const a = x[i], b = y[j]; out[k] = ${formula}; }`)).get(formula);

function pairwise(a, b, formula, dtype) {
  const same = !a.block || !b.block || alike(a.shape, b.shape), shape = !same ? agreed(a, b) : a.block ? a.shape : b.shape;
  const out = store(dtype, same ? Math.max(a.size, b.size) : count(shape)), round = ROUND[dtype.name], fill = loop(formula);
  if (same) fill(out, 0, out.length, a.data, 0, +a.block, b.data, 0, +b.block);
  else {  // row by row, with what is one long repeated
    const width = shape.at(-1), [left, right] = [a, b].map(t => places([...t.shape.slice(0, -1), 1], [...shape.slice(0, -1), 1]).map(row => row * t.shape.at(-1)));
    for (let row = 0; row < left.length; row++)
      fill(out, row * width, row * width + width, a.data, left[row], +(a.shape.at(-1) > 1), b.data, right[row], +(b.shape.at(-1) > 1));
  }
  if (round) for (let k = 0; k < out.length; k++) out[k] = round(out[k]);
  return new Tensor(dtype, shape, out, dtype.kind === 0 ? null : padding(a, b));
}

function select(condition, x, y) {
  const out = store(x.dtype, x.size);
  for (let i = 0; i < out.length; i++) out[i] = condition.data[i] ? x.data[i] : y.data[i];
  return new Tensor(x.dtype, x.shape, out, padding(x, y));
}

// ---- along an axis

// The tensor as `length` slices along an axis, each a block of the other axes.
function slices(t, axis) {
  const length = t.shape[axis], after = count(t.shape.slice(axis + 1)), before = count(t.shape.slice(0, axis));
  const shape = t.shape.filter((_, k) => k !== axis), found = [];
  for (let i = 0; i < length; i++) {
    const data = store(t.dtype, before * after);
    for (let b = 0; b < before; b++) for (let a = 0; a < after; a++) data[b * after + a] = t.data[(b * length + i) * after + a];
    found.push(new Tensor(t.dtype, shape, data));
  }
  return found;
}

function stack(parts, axis) {
  const [{dtype, shape}] = parts, length = parts.length, after = count(shape.slice(axis)), before = count(shape.slice(0, axis));
  const data = store(dtype, length * parts[0].size);
  parts.forEach((part, i) => { for (let b = 0; b < before; b++) for (let a = 0; a < after; a++) data[(b * length + i) * after + a] = part.data[b * after + a]; });
  return new Tensor(dtype, [...shape.slice(0, axis), length, ...shape.slice(axis)], data);
}

// Halves folded onto halves, as the lanes of a warp do it; so sums come out as close as a GPU's.
function fold(t, axis, formula) {
  const length = t.shape[axis], after = count(t.shape.slice(axis + 1)), before = count(t.shape.slice(0, axis));
  const data = t.data.slice(), round = ROUND[t.dtype.name], fill = loop(formula);
  for (let left = length; left > 1;) {
    const half = left + 1 >> 1;
    for (let b = 0; b < before; b++) {
      const from = b * length * after, end = from + (left - half) * after;
      fill(data, from, end, data, from, 1, data, from + half * after, 1);
      if (round) for (let k = from; k < end; k++) data[k] = round(data[k]);
    }
    left = half;
  }
  const out = store(t.dtype, before * after);
  for (let b = 0; b < before; b++) for (let a = 0; a < after; a++) out[b * after + a] = data[b * length * after + a];
  return new Tensor(t.dtype, t.shape.filter((_, k) => k !== axis), out);
}

function product(a, b, into) {  // of matrices, summed in double and rounded once
  const [m, k] = a.shape, n = b.shape[1], out = store(into, m * n), row = new Float64Array(n);
  for (let i = 0; i < m; i++) {
    row.fill(0);
    for (let l = 0; l < k; l++) {
      const one = Number(a.data[i * k + l]);
      for (let j = 0; j < n; j++) row[j] += one * b.data[l * n + j];
    }
    for (let j = 0; j < n; j++) out[i * n + j] = row[j];
  }
  return new Tensor(into, [m, n], out);
}
