// As much of PyTorch as it takes to make a matrix: numbers in order or by chance, arithmetic, slices of a wider matrix.

const packed = (dtype, shape, data) => fresh(dtype, shape, dtype.integral ? data.map(one => trunc(one)) : data);
const sizesOf = all => all.flat().map(Number);
const plainNumbers = x => x instanceof Argument ? x.values().map(Number) : Array.isArray(x) ? x.flatMap(plainNumbers) : [Number(x)];

// Element by element; what has a size of 1, or an axis less, is repeated.
function elementwise(op, a, b) {
  const given = [a, b].map(x => x instanceof Argument ? x : fresh(typeof x === 'bigint' ? T.int64 : T.float32, [], [x]));
  const shape = common(given[0].shape, given[1].shape), [x, y] = given.map(each => each.values().map(Number)), [i, j] = shape ? given.map(each => places(each.shape, shape)) : [];
  if (!shape) refuse(`形状 ${sizes(given[0])} 和 ${sizes(given[1])} 对不上。`, `The shapes ${sizes(given[0])} and ${sizes(given[1])} do not go together.`);
  const ranked = given.map(each => [each.shape.length > 0, each.dtype]), strong = ranked.filter(each => each[0]).map(each => each[1]);
  const floats = (strong.some(each => each.floating) ? strong : given.map(each => each.dtype)).filter(each => each.floating);
  const dtype = floats.length ? floats.reduce((p, q) => p === q ? p : p.bits === q.bits ? T.float32 : p.bits > q.bits ? p : q) : op === '/' ? T.float32 : T.int64;
  return packed(dtype, shape, Array.from(i, (from, k) => Number(python(op, x[from], y[j[k]]))));
}

// x[1:, :5], x[0]: the same memory.
function sliced(x, parts) {
  const shape = [], strides = [];
  let {start} = x, axis = 0;
  for (const part of parts) {
    if (part === null) { shape.push(1); strides.push(0); continue; }
    const size = x.shape[axis], stride = x.strides[axis++], whole = k => k < 0 ? k + size : k;
    if (size === undefined) refuse('下标太多。', 'Too many indices.', {type: 'IndexError'});
    if (!Array.isArray(part)) {
      if (!(whole(part) >= 0 && whole(part) < size)) refuse(`没有第 ${part} 个。`, `There is no item ${part}.`, {type: 'IndexError'});
      start += whole(part) * stride;
    } else {
      const [from, to, by] = [Math.min(whole(part[0] ?? 0), size), Math.min(whole(part[1] ?? size), size), part[2] ?? 1];
      start += from * stride;
      shape.push(Math.max(0, Math.ceil((to - from) / by)));
      strides.push(stride * by);
    }
  }
  return new Argument(x.dtype, [...shape, ...x.shape.slice(axis)], null, {strides: [...strides, ...x.strides.slice(axis)], start, buffer: x.buffer});
}

// x[:, 0] = 3: into the memory that the slice shares.
function overwrite(x, value) {
  const from = value instanceof Argument ? value : fresh(x.dtype, [], [Number(value)]), shape = common(from.shape, x.shape);
  if (!shape || !alike(shape, x.shape)) refuse(`形状 ${sizes(from)} 放不进 ${sizes(x)}。`, `The shape ${sizes(from)} does not fit into ${sizes(x)}.`);
  const numbers = from.values(), at = places(from.shape, shape);
  x.places.forEach((offset, k) => x.put(offset, numbers[at[k]]));
}

function reshaped(x, all) {
  const shape = sizesOf(all), known = shape.reduce((a, b) => b < 0 ? a : a * b, 1), found = shape.map(size => size < 0 ? count(x.shape) / known : size);
  if (count(found) !== count(x.shape)) refuse(`${sizes(x)} 不能变成 [${shape.join(', ')}]。`, `${sizes(x)} cannot become [${shape.join(', ')}].`);
  return fresh(x.dtype, found, x.values());
}

let seed = 1;
const make = (name, signature, does) => [name, new Builtin(name, `${signature},dtype=None`.replace(/^,/, ''), given => does({...given, dtype: given.dtype ?? T.float32}, given.dtype), 'torch.')];
const filled = (name, value) => make(name, '*all', ({all, dtype}) => packed(dtype, sizesOf(all), Array(count(sizesOf(all))).fill(value)));
const torch = new Module('torch', {
  ...T, half: T.float16, float: T.float32, double: T.float64, bool: T.int1, inf: Infinity, nan: NaN,
  ...Object.fromEntries([
    make('tensor', 'data', ({data}, dtype) => {
      const shape = [], numbers = plainNumbers(data);
      for (let each = data; Array.isArray(each); each = each[0]) shape.push(each.length);
      if (count(shape) !== numbers.length) refuse('各行不一样长。', 'The rows differ in length.', {type: 'ValueError'});
      return packed(dtype ?? ([data].flat(9).every(one => typeof one === 'bigint') ? T.int64 : T.float32), shape, numbers);
    }),
    make('arange', 'start,end=None,step=1', ({start, end, step}, dtype) => {
      const [from, to, by] = (end === null ? [0, start, step] : [start, end, step]).map(Number), whole = [start, end ?? 0n, step].every(one => typeof one === 'bigint');
      return packed(dtype ?? (whole ? T.int64 : T.float32), [Math.max(0, Math.ceil((to - from) / by))], Array.from({length: Math.max(0, Math.ceil((to - from) / by))}, (_, i) => from + i * by));
    }),
    make('linspace', 'start,end,steps', ({start, end, steps, dtype}) => packed(dtype, [Number(steps)], Array.from({length: Number(steps)}, (_, i) => Number(start) + (Number(end) - Number(start)) * i / Math.max(1, Number(steps) - 1)))),
    make('full', 'size,fill_value', ({size, fill_value, dtype}) => packed(dtype, sizesOf(size), Array(count(sizesOf(size))).fill(Number(fill_value)))),
    filled('zeros', 0), filled('ones', 1),
    make('randn', '*all', ({all, dtype}) => given({dtype: dtype.name, shape: sizesOf(all), random: seed++})),
    make('rand', '*all', ({all, dtype}) => packed(dtype, sizesOf(all), uniform(count(sizesOf(all)), seed++).map(x => (x + 3) / 6))),
    ['manual_seed', new Builtin('manual_seed', 'number', ({number}) => { seed = Number(number); return null; })],
  ]),
});
FORMULA.torch = torch;

const rest = all => all.slice(1);
const METHODS = {
  reshape: x => reshaped(x[0], rest(x)), view: x => reshaped(x[0], rest(x)), clone: ([x]) => eachElement(x, one => one), contiguous: ([x]) => fresh(x.dtype, x.shape, x.values()),
  to: ([x, dtype]) => packed(dtype, x.shape, x.values().map(Number)), float: ([x]) => packed(T.float32, x.shape, x.values().map(Number)), double: ([x]) => packed(T.float64, x.shape, x.values()),
  half: ([x]) => packed(T.float16, x.shape, x.values()), bfloat16: ([x]) => packed(T.bfloat16, x.shape, x.values()), t: ([x]) => turned(x),
};
const turned = x => new Argument(x.dtype, [...x.shape].reverse(), null, {strides: [...x.strides].reverse(), start: x.start, buffer: x.buffer});

function ofMatrix(x, name) {
  if (name === 'T') return turned(x);
  if (name === 'shape') return x.shape.map(BigInt);
  if (METHODS[name]) return {bound: new Builtin(name, '*all', ({all}) => METHODS[name](all)), value: x};
  throw unknown(name, ['T', 'shape', ...Object.keys(METHODS)], 'x.');
}
