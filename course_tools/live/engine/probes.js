// What an exercise runs on, out of a few words: "3x781 seed 4 plus 1000 bfloat16". As course_utils.exercises.tensors has it.

const UNTOUCHED = -4096;  // what an output holds before the launch
const FOREIGN = 9;  // what lies between rows, and is not the tensor's own

// In [−3, 3): those of a place and a seed are always the same.
const uniform = (count, seed) => Array.from({length: count}, (_, k) => {
  let h = Math.imul(k + 1, 0x9e3779b1) + Math.imul(seed, 0x85ebca77);
  h = Math.imul(h ^ h >>> 16, 0x7feb352d);
  h = Math.imul(h ^ h >>> 15, 0x846ca68b);
  return ((h ^ h >>> 16) >>> 0) / 2 ** 32 * 6 - 3;
});

// Near enough to a normal distribution: what "Your own kernel" begins with.
function normal(shape, seed) {
  const size = count(shape), at = uniform(2 * size, seed).map(x => (x + 3) / 6);
  return fresh(T.float32, shape, span(size).map(i => Math.sqrt(-2 * Math.log(1 - at[2 * i])) * Math.cos(2 * Math.PI * at[2 * i + 1])));
}

const fresh = (dtype, shape, data, strides) => new Argument(dtype, shape, data, {strides});
const filledWith = (dtype, shape, value) => fresh(dtype, shape, Array(count(shape)).fill(value));

// Nested lists, as PyTorch takes them.
function matrix(nested, dtype) {
  const shape = [], flat = [nested].flat(9);
  for (let each = nested; Array.isArray(each); each = each[0]) shape.push(each.length);
  if (count(shape) !== flat.length) refuse('各行不一样长。', 'The rows differ in length.', {type: 'ValueError'});
  return fresh(dtype ?? (typeof flat[0] === 'boolean' ? T.int1 : T.float32), shape, flat.map(x => typeof x === 'boolean' ? +x : numberOf(x)));
}

// A new tensor of x's shape, packed.
const eachElement = (x, f, dtype = x.dtype) => fresh(dtype, x.shape, x.values().map((one, i) => f(Number(one), i % x.shape.at(-1))));

// The same memory, as a tensor of another shape.
const view = (x, shape, {strides = x.strides, start = x.start} = {}) => new Argument(x.dtype, shape, null, {strides, start, raw: x.raw});
const wideAs = (x, width) => view(x, [...x.shape.slice(0, -1), width]);

const DO = {
  plus: (x, by) => eachElement(x, one => one + Math.fround(by)),
  times: (x, by) => eachElement(x, one => one * Math.fround(by)),
  rising: (x, by) => eachElement(x, (one, k) => one + Math.fround(by * k)),
  tall: (x, times) => fresh(x.dtype, [x.shape[0] * times, x.shape[1]], span(times).flatMap(() => x.values())),
  columns: (x, count) => eachElement(wideAs(x, count), one => one),
  inside: wideAs,
  all: (x, value) => filledWith(x.dtype, x.shape, value),
  spare(x, more) {
    const width = x.shape.at(-1), wide = filledWith(x.dtype, [...x.shape.slice(0, -1), width + more], FOREIGN), inner = wideAs(wide, width), data = x.values();
    inner.places.forEach((place, k) => inner.put(place, data[k]));
    return inner;
  },
};
for (const name of ['float16', 'bfloat16', 'float32', 'float64', 'int32', 'int64']) DO[name] = x => eachElement(x, one => one, T[name]);

function described(words, known) {
  const [first, ...rest] = words.split(' ');
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

const plainValue = x => x?.f ? numberOf(x.f) : Array.isArray(x) ? List.from(x, plainValue) : Number.isInteger(x) ? BigInt(x) : x;
const chipOf = figures => new Module('chip', table(Object.entries(figures), ([name, value]) => [name, plainValue(value)]));

// The values of a probe by name: numbers and lists as they are, tensors and chips out of their words.
function valuesOf([, , given], {chips = {}, arrays}) {
  const found = {};
  for (const [name, value] of Object.entries(given)) found[name] = typeof value !== 'string' ? plainValue(value) : chips[value] ? chipOf(chips[value]) : described(value, {...arrays, ...found});
  return found;
}
