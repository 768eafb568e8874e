// tl and triton, Python's own functions, and what formulas may use beside. Each gets its arguments by name, and `at`: the run it belongs to.

class Module {
  constructor(name, names) { Object.assign(this, {name, names}); }
}

const DEFAULTS = {None: null, True: true, False: false};

// A function of the language: `signature` names its parameters, with values where they may be left out.
class Builtin {
  constructor(name, signature, does) {
    Object.assign(this, {name, does, parameters: signature.split(',').filter(Boolean).map(part => {
      const [name, value] = part.split('=');
      return {name, value: value && (value in DEFAULTS ? DEFAULTS[value] : BigInt(value))};
    })});
  }
}

// What goes to which parameter, in their order; `*all` takes everything that is not given by name.
function bind({name: whole, parameters}, positional, named) {
  const found = {}, all = parameters[0]?.name === '*all';
  let used = 0;
  parameters.forEach(({name, value}, k) => {
    if (all && !k) found.all = positional;
    else if (k < positional.length && !all) found[name] = positional[k];
    else if (name in named) { found[name] = named[name]; used++; }
    else if (value === undefined) refuse(`${whole} 少了参数 ${name}。`, `${whole} needs the argument ${name}.`);
    else found[name] = value;
  });
  for (const name in named) if (!(name in found)) refuse(`${whole} 没有参数 ${name}。`, `${whole} has no argument ${name}.`);
  if (!all && positional.length > parameters.length || used < Object.keys(named).length) refuse(`${whole} 的参数给多了。`, `${whole} was given too many arguments.`);
  return found;
}

// Of a table: 'len(x)' names a function; anything else is a value.
const builtins = table => Object.fromEntries(Object.entries(table).map(([signature, does]) => {
  const [name, parameters] = signature.split(/[()]/);
  return [name, parameters === undefined ? does : new Builtin(name, parameters, does)];
}));

const unfixed = () => refuse('这里要编译时就知道的整数（tl.constexpr）。', 'This must be known when the kernel is compiled (tl.constexpr).');

const whole = x => {
  if (x instanceof Tensor && x.size === 1 && x.dtype.kind < 2) x = BigInt(x.item);
  return typeof x === 'bigint' ? Number(x) : unfixed();
};

function shapeOf(shape) {
  const found = [shape].flat().map(whole);
  if (found.some(size => !(size > 0 && Number.isInteger(Math.log2(size))))) refuse('块的每一维都要是 2 的幂。', 'Every size of a block must be a power of 2.');
  return bounded(found);
}

function axisOf(t, axis) {
  const k = whole(axis), found = k < 0 ? k + t.shape.length : k;
  return found in t.shape ? found : lacks(`axis=${k}`);
}

const backwards = shape => span(shape.length).reverse();
const permuted = ({all: [input, ...order]}) => permute(input, order.length ? order.flat().map(whole) : backwards(input.shape));
const reshaped = ({input, shape}) => count(shapeOf(shape)) === input.size ? reshape(input, shapeOf(shape)) : misfit(input, {shape: [shape].flat()});
const full = ({input, shape = input.shape.map(BigInt), value = 0n, dtype = input.dtype}) => broadcast(plain(value) ? scalar(dtype, value) : cast(value, dtype), shapeOf(shape));
const casted = ({input, dtype, bitcast}) => to(input, dtype, bitcast);

// ---- memory

const pointersOf = pointer => pointer instanceof Tensor && pointer.dtype instanceof Pointer ? pointer : notA(kindOf(pointer), '地址', 'address');

function maskOf(mask, pointer) {
  if (mask === null) return null;
  const found = cast(tensor(mask), T.int1);
  if (!pointer.block && found.block) misfit(pointer, found);
  return found;
}

// Spread like the addresses, which are as many as before.
function onto(pointer, ...all) {
  for (const each of all) if (each?.block && !alike(agreed(pointer, each), pointer.shape)) misfit(pointer, {shape: agreed(pointer, each)});
  return all.map(each => each?.block ? broadcast(each, pointer.shape) : each);
}

function loaded({pointer, mask, other, volatile}, at) {
  pointersOf(pointer);
  const asked = maskOf(mask, pointer), spare = other === null ? null : tensor(other);
  if (!asked && spare) refuse('有 other 就要有 mask。', '`other` needs a mask.');
  const from = broadcast(pointer, agreed(pointer, ...[asked, spare].filter(each => each && pointer.block))), [seen, rest] = onto(from, asked, spare);
  return at.memory.load(from, seen, rest && cast(rest, pointer.dtype.element), at, volatile);
}

const ORDERS = {null: 'acquire_release', acq_rel: 'acquire_release', acquire: 'acquire', release: 'release', relaxed: 'relaxed'};

const atomic = combine => ({pointer, cmp = null, val, mask = null, sem}, at) => {
  const type = pointersOf(pointer).dtype.element, [value, expected, asked] = onto(pointer, ...[val, cmp].map(each => each === null ? null : cast(tensor(each), type)), maskOf(mask, pointer));
  if (!(sem in ORDERS)) lacks(`sem=${say(sem)}`);
  return at.memory.atomic(pointer, value, asked, combine ?? ((a, b, i) => a === expected.data[expected.size === 1 ? 0 : i] ? b : a), at, ORDERS[sem]);
};

// ---- lane by lane

const table = (names, entry) => Object.fromEntries(names.map(entry));

const GREATER = 'a !== a ? b : b !== b || a > b ? a : b', LESSER = 'a !== a ? b : b !== b || a < b ? a : b';  // NaN gives way
const extreme = formula => ({x, y}) => { const [a, b] = meet(x, y); return pairwise(a, b, formula, a.dtype); };

const MATH = {exp2: x => 2 ** x, rsqrt: x => 1 / Math.sqrt(x)};

// ---- along an axis

const KEPT = 'keep_dims=False', PLACES = 'input,axis=None,return_indices=False,' + KEPT;

// The block and the number of its axis; of no axis, all elements in one row.
const rowOf = (input, axis) => axis === null ? [reshape(input, [input.size]), 0] : [input, axisOf(input, axis)];
const keptDims = (out, {shape}, axis, keep) => keep ? reshape(out, shape.map((size, k) => axis === null || k === axisOf({shape}, axis) ? 1 : size)) : out;

const along = (formula, prepare) => ({input, axis, keep_dims, dtype = null}) => {
  if (!input?.block) notA(kindOf(input), '块', 'block');
  return keptDims(fold(...rowOf(prepare(dtype ? cast(input, dtype) : input), axis), formula), input, axis, keep_dims);
};
const summed = t => t.dtype.kind < 2 && t.dtype.bits < 32 ? cast(t, t.dtype.signed ? T.int32 : T.uint32) : t;
const widened = t => t.dtype.bits >= 32 ? t : cast(t, t.dtype.floating ? T.float32 : T.int32);

// Where the best of a row stands: the first, and NaN gives way.
const placed = better => ({input, axis, keep_dims}) => {
  const parts = slices(...rowOf(input, axis)), values = parts[0].data.slice(), index = new Int32Array(values.length);
  parts.forEach(({data}, i) => data.forEach((x, j) => { if (better(x, values[j]) || (values[j] !== values[j] && x === x)) { values[j] = x; index[j] = i; } }));
  return [[input.dtype, values], [T.int32, index]].map(([dtype, data]) => keptDims(new Tensor(dtype, parts[0].shape, data), input, axis, keep_dims));
};

const best = (name, formula, better) => ({
  [`${name}(${PLACES})`]: given => (given.return_indices ? placed(better) : along(formula, widened))(given),
  [`arg${name}(input,axis,${KEPT})`]: given => placed(better)(given)[1],
});

// The sums of a row from its beginning, as the kernel's own function adds, in the order that Triton's interpreter goes.
function* scanned(all, axis, combine, reverse, at) {
  const parts = all.map(each => slices(...rowOf(each, axis))), [{length}] = parts, sums = [];
  for (let i = 0; i < length; i++) {
    const now = parts.map(each => each.at(reverse ? -1 - i : i));
    sums.push(i ? [yield* at.call(combine, [...sums.at(-1), ...now], {})].flat().map((each, j) => cast(tensor(each), all[j].dtype)) : now);
  }
  return sums;
}

const unpacked = (input, all) => Array.isArray(input) ? all : all[0];

function* reduce({input, axis, combine_fn, keep_dims}, at) {
  const all = [input].flat(), sums = yield* scanned(all, axis, combine_fn, false, at);
  return unpacked(input, sums.at(-1).map((each, k) => keptDims(each, all[k], axis, keep_dims)));
}

function* scan({input, axis, combine_fn, reverse}, at) {
  const all = [input].flat(), sums = yield* scanned(all, axis, combine_fn, reverse, at);
  if (reverse) sums.reverse();
  return unpacked(input, all.map((each, j) => stack(sums.map(sum => sum[j]), axisOf(each, axis))));
}

function cumsum({input, axis, reverse, dtype}) {
  const t = dtype ? cast(input, dtype) : summed(input), k = axisOf(t, axis), parts = slices(t, k);
  if (reverse) parts.reverse();
  for (let i = 1; i < parts.length; i++) parts[i] = pairwise(parts[i - 1], parts[i], 'a + b', t.dtype);
  if (reverse) parts.reverse();
  return stack(parts, k);
}

function dot({input, other, acc, out_dtype}) {
  if (input.dtype !== other.dtype) apart(input, other);
  if (input.shape.length !== 2 || other.shape.length !== 2 || input.shape[1] !== other.shape[0]) refuse('第一个矩阵的列数要等于第二个的行数。', 'The first matrix needs as many columns as the second has rows.');
  const into = input.dtype.kind < 2 ? T.int32 : input.dtype === T.float64 ? T.float64 : out_dtype ?? T.float32, found = product(input, other, into);
  return acc === null ? found : binary('+', found, cast(acc, into));
}

// ---- loops, hints and checks

const RANGED = 'arg1,arg2=None,step=None,num_stages=None,loop_unroll_factor=None,disallow_acc_multi_buffer=False,flatten=False,warp_specialize=False';
const ranged = constant => ({arg1, arg2, step}) => {
  const given = [...arg2 === null ? [0n, arg1] : [arg1, arg2], step ?? 1n];
  const odd = given.find(one => typeof one !== 'bigint' && (constant || !(one instanceof Tensor) || one.block || one.dtype.kind > 1));
  if (odd !== undefined) constant ? unfixed() : notA(kindOf(odd), '整数', 'integer');
  const [first, last, by] = given.map(one => typeof one === 'bigint' ? one : BigInt(one.item)), type = given.some(one => one.dtype?.big) ? T.int64 : T.int32;
  if (by === 0n) refuse('步长不能是 0。', 'A step cannot be 0.');
  return {first, last, by, made: constant ? i => i : i => scalar(type, i)};
};

const print = ({all}, at) => {
  if (typeof all[0] !== 'string' && at.frames.at(-1)?.kernel.jit) refuse('kernel 里打印要写 tl.device_print("x", x)。', 'A kernel prints with tl.device_print("x", x).');
  at.printed(all.map(each => each instanceof Tensor ? [...each.data].join(' ') : say(each)).join(' '));
  return null;
};
const claim = ({cond, msg}) => [...cond instanceof Tensor ? cond.data : [cond]].every(Boolean) ? null : failed(msg ?? '');
const nothing = () => null;

const ofGrid = (grid, axis) => grid[whole(axis)] ?? lacks(`axis=${axis}`);
const fixed = x => typeof x === 'bigint' ? Number(x) : unfixed();

const functions = builtins({
  'program_id(axis)': ({axis}, at) => scalar(T.int32, ofGrid(at.index, axis)),
  'num_programs(axis)': ({axis}, at) => scalar(T.int32, ofGrid(at.grid, axis)),
  'arange(start,end)'({start, end}) {
    const first = fixed(start), size = fixed(end) - first;
    shapeOf(BigInt(size));
    return new Tensor(T.int32, [size], Int32Array.from({length: size}, (_, i) => first + i));
  },
  'full(shape,value,dtype)': full, 'zeros(shape,dtype)': full, 'zeros_like(input)': full, 'full_like(input,value)': full,
  'broadcast_to(input,shape)': ({input, shape}) => broadcast(tensor(input), shapeOf(shape)),
  'broadcast(input,other)': ({input, other}) => spread(input, other),
  'expand_dims(input,axis)'({input, axis}) { const shape = [...input.shape], k = whole(axis); shape.splice(k < 0 ? k + shape.length + 1 : k, 0, 1); return reshape(tensor(input), shape); },
  'reshape(input,shape)': reshaped,
  'trans(*all)': permuted, 'permute(*all)': permuted,
  'cast(input,dtype,bitcast=False)': casted, 'to(input,dtype,bitcast=False)': casted,
  'constexpr(value)': ({value}) => value,
  'load(pointer,mask=None,other=None,cache_modifier=None,eviction_policy=None,volatile=False)': loaded,
  'store(pointer,value,mask=None,cache_modifier=None,eviction_policy=None)'({pointer, value, mask}, at) {
    const [put, asked] = onto(pointersOf(pointer), tensor(value), maskOf(mask, pointer));
    at.memory.store(pointer, cast(put, pointer.dtype.element), asked, at);
    return null;
  },
  ...table(Object.entries({add: (a, b) => a + b, max: (a, b) => b > a ? b : a, min: (a, b) => b < a ? b : a, and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b, xchg: (a, b) => b}),
    ([name, combine]) => [`atomic_${name}(pointer,val,mask=None,sem=None,scope=None)`, atomic(combine)]),
  'atomic_cas(pointer,cmp,val,sem=None,scope=None)': atomic(),
  ...table(['exp', 'log', 'log2', 'sqrt', 'sin', 'cos', 'tanh', 'floor', 'ceil', ...Object.keys(MATH)], name => [`${name}(x)`, ({x}) => {
    const t = tensor(x);
    return t.dtype.floating && t.dtype.bits > 16 ? unary(t, MATH[name] ?? Math[name]) : notA(kindOf(t), ' float32 或 float64：先用 .to(tl.float32)', 'float32 or float64: use .to(tl.float32) first');
  }]),
  'abs(x)': ({x}) => plain(x) ? (x < 0 ? -x : x) : unary(x, one => one < 0 ? -one : one === 0 ? 0 : one),
  'sigmoid(x)': ({x}) => binary('/', 1n, binary('+', 1n, unary(x, one => Math.exp(-one)))),
  'maximum(x,y,propagate_nan=None)': extreme(GREATER), 'minimum(x,y,propagate_nan=None)': extreme(LESSER),
  'clamp(x,min,max,propagate_nan=None)': ({x, min, max}) => extreme(LESSER)({x: extreme(GREATER)({x, y: min}), y: max}),
  'fma(x,y,z)': ({x, y, z}) => binary('+', binary('*', x, y), z),
  'where(condition,x,y)': ({condition, x, y}) => where(condition, x, y),
  'cdiv(x,div)': ({x, div}) => binary('//', binary('+', x, binary('-', div, 1n)), div),
  [`sum(input,axis=None,${KEPT},dtype=None)`]: along('a + b', summed),
  ...best('max', GREATER, (a, b) => a > b), ...best('min', LESSER, (a, b) => a < b),
  [`reduce(input,axis,combine_fn,${KEPT})`]: reduce,
  'associative_scan(input,axis,combine_fn,reverse=False)': scan,
  'cumsum(input,axis=0,reverse=False,dtype=None)': cumsum,
  'softmax(x,dim=0,keep_dims=None)'({x, dim}) {
    const e = unary(binary('-', x, along(GREATER, widened)({input: x, axis: dim, keep_dims: true})), Math.exp);
    return binary('/', e, along('a + b', summed)({input: e, axis: dim, keep_dims: true}));
  },
  'dot(input,other,acc=None,input_precision=None,allow_tf32=None,out_dtype=None)': dot,
  ...table(['multiple_of', 'max_contiguous'], name => [`${name}(input,values)`, ({input}) => input]),
  'debug_barrier()': (_, at) => { at.memory.barrier?.(); return null; },
  'gdc_wait()': nothing, 'gdc_launch_dependents()': nothing, 'assume(condition)': nothing,
  'device_print(*all)': print, 'static_print(*all)': print,
  'static_assert(cond,msg=None,mask=None)': claim, 'device_assert(cond,msg=None,mask=None)': claim,
  [`range(${RANGED})`]: ranged(false), [`static_range(${RANGED})`]: ranged(true),
});

const nextPowerOf2 = n => { let p = 1n; while (p < n) p *= 2n; return p; };
const tl = new Module('tl', {...functions, ...T});
Object.assign(tl.names, {math: tl, extra: new Module('tl.extra', {cuda: tl})});
const triton = new Module('triton', {language: tl, cdiv: functions.cdiv, ...builtins({'jit(fn)': ({fn}) => fn, 'next_power_of_2(n)': ({n}) => nextPowerOf2(BigInt(whole(n)))})});

// ---- what stands behind a dot

const OF_TENSOR = {dtype: x => x.dtype, shape: x => x.shape.map(BigInt), numel: x => BigInt(x.size), T: x => permute(x, backwards(x.shape))};
const OF_TYPE = {element_ty: x => x.element ?? x, primitive_bitwidth: x => BigInt(x.bits)};
const OF_INT = {value: x => x, bit_length: x => new Builtin('bit_length', '', () => BigInt((x < 0n ? -x : x).toString(2).length * (x !== 0n)))};

function attribute(value, name) {
  if (value instanceof Module) return Object.hasOwn(value.names, name) ? value.names[name] : unknown(name, Object.keys(value.names), `${value.name}.`);
  const [table, methods = {}] = value instanceof Tensor ? [OF_TENSOR, functions] : value instanceof DType ? [OF_TYPE] : value instanceof List ? [{}, LIST] : value instanceof Argument ? [OF_MATRIX, METHODS] : typeof value === 'bigint' ? [OF_INT] : [{}];
  if (Object.hasOwn(table, name)) return table[name](value);
  return Object.hasOwn(methods, name) ? {bound: methods[name], value} : unknown(name, Object.keys({...table, ...methods}), `${typeName(value)}.`);
}

// ---- what Python knows by itself, and a kernel too

const WORDS = {inf: Infinity, '-inf': -Infinity, infinity: Infinity, '-infinity': -Infinity, nan: NaN};
function numberOf(x) {
  const word = String(x).trim().toLowerCase(), found = x instanceof Tensor ? Number(x.item) : WORDS[word] ?? Number(x);
  return found === found || word === 'nan' ? found : notA(x, '数', 'number');
}

function* keys(list, key, at) {  // what a list is ordered by
  const found = [];
  for (const each of list) found.push(key ? yield* at.call(key, [each], {}) : each);
  return found;
}

const empty = type => refuse('里面什么也没有。', 'It is empty.', {type});

const pick = (sign, two) => function* ({all, key}, at) {
  const list = all.length === 1 ? items(all[0]) : all;
  if (!list.length) empty('ValueError');
  if (list.some(each => each instanceof Tensor)) return list.reduce((x, y) => two({x, y}));
  const by = yield* keys(list, key, at);
  return list[by.reduce((best, x, k) => sign * ordered(x, by[best]) > 0 ? k : best, 0)];
};

const PYTHON = builtins({
  tl, triton, abs: functions.abs, range: functions.range, print: functions.device_print,
  'float(x)': ({x}) => x instanceof Tensor ? cast(x, T.float32) : numberOf(x),
  'int(x)': ({x}) => x instanceof Tensor ? cast(x, T.int32) : typeof x === 'bigint' ? x : BigInt(trunc(numberOf(x))),
  'bool(x)': ({x}) => x instanceof Tensor ? cast(x, T.int1) : truth(x),
  'len(x)': ({x}) => BigInt((Array.isArray(x) ? x.length : x.shape?.[0]) ?? noItems(x)),
  'max(*all,key=None)': pick(1, extreme(GREATER)), 'min(*all,key=None)': pick(-1, extreme(LESSER)),
});

// ---- what formulas may use beside that: functions without @triton.jit are plain Python

class List extends Array {}  // a tuple is an array that nobody changes

const LIST = builtins({
  'append(list,x)': ({list, x}) => { list.push(x); return null; },
  'pop(list,index=-1)': ({list, index}) => list.splice(itemOf(list, index), 1)[0],
});

// Which item of a list an index means.
function itemOf(list, index) {
  const k = numberOf(index), found = k < 0 ? list.length + k : k;
  return found in list ? found : refuse('下标超出了范围。', 'This index is out of range.', {type: 'IndexError'});
}

// What a for would go through, as an array.
function items(x) {
  if (Array.isArray(x) || typeof x === 'string') return [...x];
  if (!x?.made) noItems(x);
  const found = [];
  for (let i = x.first; x.by > 0n ? i < x.last : i > x.last; i += x.by) {
    bounded([found.push(i)]);
  }
  return found;
}

const listed = all => List.from(all);
const ordered = (a, b) => compare('<', a, b) ? -1 : +compare('>', a, b);

function nearest(x) {  // to the nearest whole number, ties to even, as Python has it
  const down = Math.floor(x), rest = x - down;
  return rest > 0.5 || (rest === 0.5 && down & 1) ? down + 1 : down;
}

const wholeBy = name => ({x}) => typeof x === 'bigint' ? x : BigInt(Math[name](x));
const FORMULA = builtins({
  'round(number,digits=None)': ({number: x, digits}) => digits !== null ? Number(Number(x).toFixed(Number(digits))) : typeof x === 'bigint' ? x : BigInt(nearest(x)),
  'sum(all,start=0)': ({all, start}) => items(all).reduce((a, b) => binary('+', a, b), start),
  'list(all=None)': ({all}) => listed(all === null ? [] : items(all)),
  'tuple(all)': ({all}) => items(all),
  'sorted(all,key=None,reverse=False)': function* ({all, key, reverse}, at) {
    const list = items(all), by = yield* keys(list, key, at);
    return listed(span(list.length).sort((a, b) => ordered(by[a], by[b]) * (reverse ? -1 : 1)).map(k => list[k]));
  },
  'next(all,default=None)': ({all, default: spare}) => items(all)[0] ?? spare ?? empty('StopIteration'),
  'Fraction(x,y=1)': ({x, y}) => numberOf(x) / numberOf(y),
  'enumerate(all,start=0)': ({all, start}) => items(all).map((x, k) => [BigInt(k) + start, x]),
  'zip(*all)'({all}) { const each = all.map(items); return span(Math.min(...each.map(one => one.length))).map(k => each.map(one => one[k])); },
  'any(all)': ({all}) => items(all).some(truth),
  'all(all)': ({all}) => items(all).every(truth),
  math: new Module('math', builtins({
    inf: Infinity, nan: NaN, pi: Math.PI, e: Math.E,
    ...table(['exp', 'log', 'log2', 'sqrt', 'cos', 'sin', 'tanh'], name => [`${name}(x)`, ({x}) => {
      const y = Math[name](Number(x));
      return Number.isFinite(y) || !Number.isFinite(Number(x)) ? y : refuse('这个函数在这里没有定义。', 'This function is not defined there.', {type: 'ValueError'});
    }]),
    'ceil(x)': wholeBy('ceil'), 'floor(x)': wholeBy('floor'),
    'gcd(*all)': ({all}) => all.reduce((a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; }, 0n),
  })),
});
