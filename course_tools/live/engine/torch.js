// As much of PyTorch as it takes to make a matrix: numbers in order or by chance, arithmetic, slices of a wider matrix.

// Element by element, as blocks are.
function elementwise(op, ...both) {
  const {dtype, shape, data} = binary(op, ...both.map(x => x instanceof Argument ? new Tensor(x.dtype, x.shape, x.dtype.Store.from(x.values())) : x));
  return fresh(dtype, shape, data);
}

// x[1:, :5], x[0]: the same memory.
function sliced(x, parts) {
  const shape = [], strides = [];
  let {start} = x, axis = 0;
  for (const part of parts) {
    const size = x.shape[axis], stride = x.strides[axis++], whole = k => k < 0 ? k + size : k;
    if (Array.isArray(part)) {
      const [from, to, by] = [Math.min(whole(part[0] ?? 0), size), Math.min(whole(part[1] ?? size), size), part[2] ?? 1];
      start += from * stride;
      shape.push(Math.max(0, Math.ceil((to - from) / by)));
      strides.push(stride * by);
    } else start += itemOf(span(size ?? 0), part) * stride;
  }
  return view(x, [...shape, ...x.shape.slice(axis)], {strides: [...strides, ...x.strides.slice(axis)], start});
}

// x[:, 0] = 3: into the memory that the slice shares.
function overwrite(x, value) {
  const from = value instanceof Argument ? value : fresh(x.dtype, [], [numberOf(value)]);
  if (!alike(agreed(from, x), x.shape)) misfit(from, x);
  const numbers = from.values(), at = places(from.shape, x.shape);
  x.places.forEach((offset, k) => x.put(offset, numbers[at[k]]));
}

const turned = x => view(x, [...x.shape].reverse(), {strides: [...x.strides].reverse()});
const sizesOf = all => all.flat().map(Number);
const again = dtype => ({x, ...given}) => eachElement(x, one => one, given.dtype ?? dtype);
const shaped = ({all: [x, ...sizes]}) => {
  const shape = sizesOf(sizes), known = shape.reduce((a, b) => b < 0 ? a : a * b, 1), found = shape.map(size => size < 0 ? count(x.shape) / known : size);
  return count(found) === count(x.shape) ? fresh(x.dtype, found, x.values()) : misfit(x, {shape});
};
const METHODS = builtins({
  'reshape(*all)': shaped, 'view(*all)': shaped, 'clone(x)': again(), 'contiguous(x)': again(), 'to(x,dtype)': again(), 'float(x)': again(T.float32),
});
const OF_MATRIX = {T: turned, shape: x => x.shape.map(BigInt), dtype: x => x.dtype};

let seed = 1;
const float = dtype => dtype ?? T.float32;
const filledBy = value => ({all, dtype}) => filledWith(float(dtype), sizesOf(all), value);
const steps = (size, dtype, at) => fresh(dtype, [Math.max(0, size)], span(Math.max(0, size)).map(at));
const torch = new Module('torch', {
  ...T, float: T.float32, bool: T.int1, inf: Infinity, nan: NaN,
  ...builtins({
    'tensor(data,dtype=None)': ({data, dtype}) => matrix(data, dtype ?? ([data].flat(9).every(one => typeof one === 'bigint') ? T.int64 : T.float32)),
    'arange(start,end=None,step=1,dtype=None)'({start, end, step, dtype}) {
      const given = end === null ? [0n, start, step] : [start, end, step], [from, to, by] = given.map(Number);
      return steps(Math.ceil((to - from) / by), dtype ?? (given.every(one => typeof one === 'bigint') ? T.int64 : T.float32), i => from + i * by);
    },
    'linspace(start,end,steps,dtype=None)'({start, end, steps: n, dtype}) {
      const [from, to, size] = [start, end, n].map(Number);
      return steps(size, float(dtype), i => from + (to - from) * i / Math.max(1, size - 1));
    },
    'full(size,fill_value,dtype=None)': ({size, fill_value, dtype}) => filledWith(float(dtype), sizesOf([size]), numberOf(fill_value)),
    'zeros(*all,dtype=None)': filledBy(0), 'ones(*all,dtype=None)': filledBy(1),
    'randn(*all,dtype=None)': ({all, dtype}) => eachElement(normal(sizesOf(all), seed++), one => one, float(dtype)),
    'manual_seed(number)': ({number}) => { seed = Number(number); return null; },
  }),
});
FORMULA.torch = torch;
