// What an exercise runs on, out of a few words: "3x781 seed 4 plus 1000 bfloat16". As course_utils.exercises.tensors and observe have it.

const UNTOUCHED = -4096;  // what an output holds before the launch
const FOREIGN = 9;  // what lies between rows, and is not the tensor's own
const number = x => x?.f ? numberOf(x.f) : typeof x === 'string' ? numberOf(x) : x;

class Record {  // a thing with figures, such as a chip
  constructor(fields) { this.fields = fields; }
}

// In [−3, 3): those of a place and a seed are always the same.
const uniform = (count, seed) => Array.from({length: count}, (_, k) => {
  let h = Math.imul(k + 1, 0x9e3779b1) + Math.imul(seed, 0x85ebca77);
  h = Math.imul(h ^ h >>> 16, 0x7feb352d);
  h = Math.imul(h ^ h >>> 15, 0x846ca68b);
  return ((h ^ h >>> 16) >>> 0) / 2 ** 32 * 6 - 3;
});

// Near enough to a normal distribution: what "Your own kernel" begins with.
function given({dtype, shape, random}) {
  const at = uniform(2 * count(shape), random).map(x => (x + 3) / 6);
  return fresh(T[dtype], shape, Array.from({length: count(shape)}, (_, i) => Math.sqrt(-2 * Math.log(1 - at[2 * i])) * Math.cos(2 * Math.PI * at[2 * i + 1])));
}

const fresh = (dtype, shape, data, strides) => new Argument(dtype, shape, data, {strides});

function matrix(nested) {
  const shape = [], first = [].concat(nested).flat(9)[0];
  for (let each = nested; Array.isArray(each); each = each[0]) shape.push(each.length);
  return fresh(typeof first === 'boolean' ? T.int1 : T.float32, shape, nested.flat(9).map(number));
}

// A new tensor of x's shape; what lay turned still does, anything else is packed.
function eachElement(x, f, dtype = x.dtype) {
  const width = x.shape.at(-1);
  return fresh(dtype, x.shape, x.values().map((one, i) => f(Number(one), i % width)), x.shape.length === 2 && x.strides[0] === 1 && width > 1 ? x.strides : undefined);
}

// The same memory, as a tensor of another shape.
const view = (x, shape) => new Argument(x.dtype, shape, null, {strides: x.strides, start: x.start, buffer: x.buffer});
const wideAs = (x, width) => view(x, [...x.shape.slice(0, -1), Number(width)]);

const DO = {
  plus: (x, by) => eachElement(x, one => one + Math.fround(by)),
  times: (x, by) => eachElement(x, one => one * Math.fround(by)),
  rising: (x, by) => eachElement(x, (one, k) => one + Math.fround(by * k)),
  below: (x, top) => eachElement(x, one => Math.floor(Math.fround(Math.fround(Math.fround(one + 3) / 6) * top))),
  tall: (x, times) => fresh(x.dtype, [x.shape[0] * times, x.shape[1]], Array.from({length: times}, () => x.values()).flat()),
  rows: (x, count) => view(x, [count, ...x.shape.slice(1)]),
  columns: (x, count) => eachElement(wideAs(x, count), one => one),
  inside: wideAs,
  all: (x, value) => eachElement(x, () => value),
  turned: x => fresh(x.dtype, x.shape, x.values(), [1, x.shape[0]]),
  not: x => eachElement(x, one => +!one),
  spare: (x, more) => {
    const rows = x.shape[0], width = x.shape.at(-1), wide = [...x.shape.slice(0, -1), width + more], data = x.values(), found = [];
    for (let i = 0; i < count(wide); i++) { const k = i % (width + more); found.push(k < width ? data[(i - k) / (width + more) * width + k] : FOREIGN); }
    return wideAs(fresh(x.dtype, wide, found), width);
  },
};
for (const [name, dtype] of [...Object.entries(T), ['bool', T.int1]]) DO[name] = x => x.dtype === dtype ? x : eachElement(x, one => dtype.floating || dtype.kind === 0 ? one : trunc(one), dtype);

const rowsOf = x => { const data = x.values(), width = x.shape.at(-1); return Array.from({length: x.shape[0]}, (_, k) => data.slice(k * width, k * width + width)); };
const summedUp = row => { const m = Math.max(...row); return [m, row.reduce((sum, one) => sum + Math.exp(one - (m === -Infinity ? 0 : m)), 0)]; };
const OF = {  // "softmax of x": what another kernel would have made before
  softmax: x => fresh(x.dtype, x.shape, rowsOf(x).flatMap(row => { const [m, s] = summedUp(row); return row.map(one => Math.exp(one - m) / s); })),
  log_softmax: x => fresh(x.dtype, x.shape, rowsOf(x).flatMap(row => { const [m, s] = summedUp(row); return row.map(one => one - m - Math.log(s)); })),
  logsumexp: x => fresh(T.float32, [x.shape[0]], rowsOf(x).map(row => { const [m, s] = summedUp(row); return m + Math.log(s); })),
  pairs: (x, parts, block) => fresh(T.float32, [x.shape[0], parts, 2], rowsOf(x).flatMap(row =>
    Array.from({length: parts}, (_, k) => summedUp([...row.slice(k * block, k * block + block), -Infinity])).flat())),
};

function described(words, known) {
  const [first, ...rest] = words.split(' ');
  if (OF[first]) return OF[first](known[rest[1]], ...rest.slice(2).map(Number));
  let x = known[first];
  if (Array.isArray(x)) x = matrix(x);
  if (!x) {
    const shape = first.split('x').map(Number), size = count(shape);
    x = fresh(T.float32, shape, uniform(size, rest[0] === 'seed' ? Number(rest.splice(0, 2)[1]) : size % 9973));
  }
  while (rest.length) {
    const word = rest.shift();
    if (word === 'add') { const more = described(rest.shift(), known).values(); let i = 0; x = eachElement(x, one => one + more[i++]); }
    else x = DO[word](x, ...rest.splice(0, DO[word].length - 1).map(Number));
  }
  return x;
}

const plainValue = x => x?.f ? number(x.f) : Array.isArray(x) ? List.from(x, plainValue) : Number.isInteger(x) ? BigInt(x) : x;

// The values of a probe by name: numbers and lists as they are, tensors and chips out of their words.
function valuesOf(probe, exercise) {
  const found = {};
  for (const [name, value] of Object.entries(probe[2])) {
    const words = typeof value === 'string' && value;
    found[name] = !words ? plainValue(value) : words.startsWith('chip ') ? new Record(exercise.chips[words])
      : /^(like|itself|fresh|'|~)/.test(words) ? words.replace(/^'|'$/g, '') : described(words, {...exercise.arrays, ...found});
  }
  return found;
}

// A size: "n_rows", "4", "n_rows / ROWS" (rounded up) or "PARTS * 2".
function sizeOf(words, known) {
  const [first, ...rest] = words.trim().split(' ').map(each => '*/'.includes(each) ? each : Number(known[each] ?? each));
  return rest.reduce((size, one, k) => typeof one === 'string' ? size : rest[k - 1] === '*' ? size * one : Math.ceil(size / one), first);
}

function output(how, known, layout) {
  if (how[0] === 'itself') return layout;
  const like = how[0] === 'like' && known[how[1]], dtype = like ? like.dtype : T[how[0]];
  const shape = like ? like.shape : how.slice(1).filter(each => each !== 'zero').join(' ').split(' x ').map(size => sizeOf(size, known));
  const blank = fresh(dtype, shape, Array(count(shape)).fill(how.at(-1) === 'zero' ? 0 : UNTOUCHED));
  return described(['fresh', ...typeof layout === 'string' ? layout.split(' ').slice(1) : []].join(' '), {fresh: blank});
}

// A parameter's name says what it is given: `x_ptr` the tensor x, `x_stride` its row stride, `n_cols` its columns.
function launched(exercise, probe) {
  const {settings, parameters, constants} = exercise, given = valuesOf(probe, exercise);
  const writes = Object.fromEntries((settings.writes ?? '').split(', ').filter(Boolean).map(words => [words.split(' ')[0], words.split(' ').slice(1)]));
  const inputs = Object.entries(given).filter(([name, value]) => value instanceof Argument && !writes[name]).map(each => each[1]);
  const main = inputs.find(each => each.shape.length === 2) ?? Object.values(given)[0];
  const known = {n_rows: BigInt(main.shape[0]), n_cols: BigInt(main.shape.at(-1))};
  for (const name of parameters) if (name in settings) known[name] = BigInt(settings[name]);
  Object.assign(known, given);
  for (const name of parameters) if (name.startsWith('BLOCK')) known[name] ??= nextPowerOf2(known.n_cols);
  for (const [name, how] of Object.entries(writes)) known[name] = output(how, known, given[name]);
  const all = parameters.map(name => {
    const of = name.replace(/_[^_]*$/, ''), what = name.slice(of.length + 1);
    if (what === 'ptr') return known[of];
    return what === 'stride' && !(name in given) ? BigInt(known[of.replace(/_(row|col)$/, '')].strides[+of.endsWith('_col')]) : known[name];
  });
  const named = Object.fromEntries(constants.map(name => [name, all[parameters.indexOf(name)]]));
  const names = parameters.filter(name => !constants.includes(name)), grid = String(given.grid ?? settings.grid ?? 'n_rows').split(',').map(each => sizeOf(each, known));
  return {names, positional: names.map(name => all[parameters.indexOf(name)]), named, grid, writes: Object.keys(writes), strided: Object.keys(given).some(name => name.endsWith('_stride'))};
}
