// tl and triton: the functions that kernels call. Each gets its arguments by name, and `at`: the run it belongs to.

class Module {
  constructor(name, names) { this.name = name; this.names = names; }
}

const SPELLED = {None: null, True: true, False: false};

// A function of the language: `names` of its parameters, with values where they may be left out.
class Builtin {
  constructor(name, signature, does, within = '') {
    Object.assign(this, {name, spelled: within + name});
    this.parameters = signature.split(',').filter(Boolean).map(part => {
      const [parameter, value] = part.split('=');
      return {name: parameter, value: value && (value in SPELLED ? SPELLED[value] : BigInt(value))};
    });
    this.does = does;
  }

  bind(positional, named) {
    const given = {};
    if (this.parameters[0]?.name.startsWith('*')) given.all = positional;
    else positional.forEach((value, k) => {
      if (k >= this.parameters.length) refuse(`${this.spelled} 最多 ${this.parameters.length} 个参数。`, `${this.spelled} takes at most ${this.parameters.length} arguments.`);
      given[this.parameters[k].name] = value;
    });
    for (const [name, value] of Object.entries(named)) {
      if (!this.parameters.some(each => each.name === name)) refuse(`${this.spelled} 没有参数 ${name}。`, `${this.spelled} has no argument ${name}.`);
      if (name in given) refuse(`${this.spelled} 的 ${name} 给了两次。`, `${this.spelled} was given ${name} twice.`);
      given[name] = value;
    }
    for (const each of this.parameters) if (!(each.name in given) && !each.name.startsWith('*')) {
      if (each.value === undefined) refuse(`${this.spelled} 少了参数 ${each.name}。`, `${this.spelled} needs the argument ${each.name}.`);
      given[each.name] = each.value;
    }
    return given;
  }
}

// The name that somebody may have meant: at most two letters off, and a third of them.
function meant(name, names) {
  let best = null, least = Math.min(2, Math.ceil(name.length / 3)) + 1;
  for (const each of names) {
    if (Math.abs(each.length - name.length) >= least) continue;
    const off = lettersOff(name, each);
    if (off < least) { least = off; best = each; }
  }
  return best;
}

// Letters to put in, take out, change or swap with their neighbour.
function lettersOff(a, b) {
  let older = [], old = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(old[j] + 1, row[j - 1] + 1, old[j - 1] + (a[i - 1] !== b[j - 1]));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], older[j - 2] + 1);
    }
    [older, old] = [old, row];
  }
  return old.at(-1);
}

function unknown(name, names, within = '') {
  const better = meant(name, names);
  const here = /^(torch|tl|triton)\./.test(within);  // the real one has more
  const told = better ? [`${within}${name}：是不是想写 ${within}${better}？`, `${within}${name}: did you mean ${within}${better}?`]
    : here ? [`页面不认识 ${within}${name}。`, `This page does not know ${within}${name}.`]
    : within ? [`${within.slice(0, -1)} 里没有 ${name}。`, `${within.slice(0, -1)} has no ${name}.`] : [`没有定义 ${name}。`, `${name} is not defined.`];
  return new Refusal(...told, {type: within ? 'AttributeError' : 'NameError'});
}

const functions = {};
const define = (name, signature, does) => { functions[name] = new Builtin(name, signature, does, 'tl.'); };

const whole = x => {
  if (x instanceof Tensor && x.size === 1 && x.dtype.integral) x = BigInt(x.item);
  if (typeof x !== 'bigint') refuse(`这里要一个编译时就知道的整数，不是 ${say(x)}。`, `An integer known when the kernel is compiled must stand here, not ${say(x)}.`);
  return Number(x);
};
const powerOf2 = n => n > 0 && Number.isInteger(Math.log2(n));

function shapeOf(shape) {
  const found = (Array.isArray(shape) ? shape : [shape]).map(whole);
  for (const size of found) if (!powerOf2(size)) refuse(`块的每一维都要是 2 的幂，${size} 不是。`, `Every size of a block must be a power of 2; ${size} is not.`);
  return bounded(found);
}

const axisOf = (t, axis) => {
  const k = whole(axis), found = k < 0 ? k + t.shape.length : k;
  if (!(found in t.shape)) refuse(`${say(t)} 没有轴 ${k}。`, `${say(t)} has no axis ${k}.`);
  return found;
};

// ---- programs and blocks

define('program_id', 'axis', ({axis}, at) => scalar(T.int32, at.index[whole(axis)]));
define('num_programs', 'axis', ({axis}, at) => scalar(T.int32, at.grid[whole(axis)]));
define('arange', 'start,end', ({start, end}) => {
  for (const one of [start, end]) if (typeof one !== 'bigint') refuse('tl.arange 的两头要在编译时就知道：用 tl.constexpr。', 'Both ends of tl.arange must be known when the kernel is compiled: use tl.constexpr.');
  const size = Number(end - start);
  if (size <= 0) refuse('tl.arange 的末尾要比开头大。', 'tl.arange must end after it starts.');
  if (!powerOf2(size)) refuse(`tl.arange 的长度要是 2 的幂，${size} 不是。`, `The length of tl.arange must be a power of 2; ${size} is not.`);
  shapeOf(end - start);
  return new Tensor(T.int32, [size], Int32Array.from({length: size}, (_, i) => Number(start) + i));
});
define('full', 'shape,value,dtype', ({shape, value, dtype}) => {
  const sizes = shapeOf(shape);
  return broadcast(plain(value) ? scalar(dtype, value) : cast(value, dtype), sizes);
});
define('zeros', 'shape,dtype', ({shape, dtype}) => broadcast(scalar(dtype, 0), shapeOf(shape)));
define('zeros_like', 'input', ({input}) => broadcast(scalar(input.dtype, 0), input.shape));
define('full_like', 'input,value', ({input, value}) => broadcast(scalar(input.dtype, value), input.shape));
define('broadcast_to', 'input,shape', ({input, shape}) => broadcast(tensor(input), shapeOf(shape)));
define('broadcast', 'input,other', ({input, other}) => spread(input, other));
define('expand_dims', 'input,axis', ({input, axis}) => { const shape = [...input.shape], k = whole(axis); shape.splice(k < 0 ? k + shape.length + 1 : k, 0, 1); return reshape(tensor(input), shape); });
define('reshape', 'input,shape,can_reorder=False', ({input, shape}) => reshape(input, shapeOf(shape)));
define('view', 'input,shape', ({input, shape}) => reshape(input, shapeOf(shape)));
define('ravel', 'input,can_reorder=False', ({input}) => reshape(input, [input.size]));
define('trans', '*all', ({all: [input, ...order]}) => permute(input, order.length ? order.flat().map(whole) : [...input.shape.keys()].reverse()));
define('permute', '*all', ({all: [input, ...order]}) => permute(input, order.flat().map(whole)));
define('join', 'a,b', ({a, b}) => { const [x, y] = spread(tensor(a), tensor(b)); return stack([x, y], x.shape.length); });
define('interleave', 'a,b', ({a, b}) => { const [x, y] = spread(tensor(a), tensor(b)), both = stack([x, y], x.shape.length); return reshape(both, [...x.shape.slice(0, -1), 2 * (x.shape.at(-1) ?? 1)]); });
define('split', 'a', ({a}) => slices(a, a.shape.length - 1));
define('cat', 'input,other,can_reorder=False', ({input, other}) => { const data = store(input.dtype, input.size + other.size); data.set(input.data); data.set(other.data, input.size); return new Tensor(input.dtype, [data.length], data); });
define('flip', 'x,dim=None', ({x, dim}) => { const k = dim === null ? x.shape.length - 1 : axisOf(x, dim); return stack(slices(x, k).reverse(), k); });
define('cast', 'input,dtype,fp_downcast_rounding=None,bitcast=False', ({input, dtype, bitcast}) => to(input, dtype, bitcast));
define('to', 'input,dtype,fp_downcast_rounding=None,bitcast=False', ({input, dtype, bitcast}) => to(input, dtype, bitcast));
define('pointer_type', 'element', ({element}) => pointerTo(element));
define('constexpr', 'value', ({value}) => value);

// ---- memory

const pointersOf = (pointer, what) => {
  if (!(pointer instanceof Tensor) || !(pointer.dtype instanceof Pointer)) refuse(`tl.${what} 的第一个参数要是地址，不是 ${say(pointer)}。`, `The first argument of tl.${what} must be an address, not ${say(pointer)}.`);
  return pointer;
};

function maskOf(mask, pointer) {
  if (mask === null) return null;
  const found = tensor(mask);
  if (!pointer.block && found.block) refuse('地址只有一个，mask 却是一块。', 'There is one address, but a block of masks.');
  return cast(found, T.int1);
}

define('load', 'pointer,mask=None,other=None,boundary_check=None,padding_option=None,cache_modifier=None,eviction_policy=None,volatile=False', ({pointer, mask, other, volatile}, at) => {
  pointersOf(pointer, 'load');
  let asked = maskOf(mask, pointer), spare = other === null ? null : tensor(other);
  if (!asked && spare) refuse('有 other 就要有 mask。', '`other` needs a mask.');
  const shape = [asked, spare].reduce((sum, each) => each && sum && pointer.block ? common(sum, each.shape) : sum, pointer.shape);
  if (!shape) refuse(`地址 ${sizes(pointer)}、mask ${asked && sizes(asked)} 的形状对不上。`, `The addresses ${sizes(pointer)} and the mask ${asked && sizes(asked)} do not go together.`);
  if (asked?.block) asked = broadcast(asked, shape);
  if (spare) spare = cast(spare.block ? broadcast(spare, shape) : spare, pointer.dtype.element);
  return at.memory.load(broadcast(pointer, shape), asked, spare, at, volatile);
});
define('store', 'pointer,value,mask=None,boundary_check=None,cache_modifier=None,eviction_policy=None', ({pointer, value, mask}, at) => {
  pointersOf(pointer, 'store');
  let asked = maskOf(mask, pointer), put = tensor(value);
  for (const each of [put, asked]) if (each?.block) {
    const shape = common(pointer.shape, each.shape);
    if (!shape || count(shape) !== pointer.size) refuse(`写到 ${sizes(pointer)} 个地址，给的却是 ${sizes(each)}。`, `Storing to addresses ${sizes(pointer)}, but given ${sizes(each)}.`);
  }
  if (asked?.block) asked = broadcast(asked, pointer.shape);
  put = cast(put.block ? broadcast(put, pointer.shape) : put, pointer.dtype.element);
  at.memory.store(pointer, put, asked, at.place());
  return null;
});

const ORDERS = {null: 'acquire_release', acq_rel: 'acquire_release', acquire: 'acquire', release: 'release', relaxed: 'relaxed'};
const change = (name, combine) => define(`atomic_${name}`, 'pointer,val,mask=None,sem=None,scope=None', ({pointer, val, mask, sem}, at) => {
  pointersOf(pointer, `atomic_${name}`);
  const asked = maskOf(mask, pointer), value = cast(tensor(val), pointer.dtype.element);
  if (!(sem in ORDERS)) refuse(`没有 sem=${say(sem)}。`, `There is no sem=${say(sem)}.`);
  const shape = common(pointer.shape, value.shape);
  if (!shape || count(shape) !== pointer.size) refuse(`${sizes(pointer)} 个地址，${sizes(value)} 个值。`, `Addresses ${sizes(pointer)}, but values ${sizes(value)}.`);
  return at.memory.atomic(pointer, value.block ? broadcast(value, shape) : value, asked?.block ? broadcast(asked, shape) : asked, combine, at.place(), ORDERS[sem]);
});
change('add', (a, b) => a + b);
change('max', (a, b) => b > a ? b : a);
change('min', (a, b) => b < a ? b : a);
change('and', (a, b) => a & b);
change('or', (a, b) => a | b);
change('xor', (a, b) => a ^ b);
change('xchg', (a, b) => b);
define('atomic_cas', 'pointer,cmp,val,sem=None,scope=None', ({pointer, cmp, val, sem}, at) => {
  const type = pointersOf(pointer, 'atomic_cas').dtype.element, expected = cast(tensor(cmp), type), value = cast(tensor(val), type);
  return at.memory.atomic(pointer, value, null, (a, b, i) => a === expected.data[expected.size === 1 ? 0 : i] ? b : a, at.place(), ORDERS[sem]);
});

// ---- lane by lane

const math = (name, f) => define(name, 'x', ({x}) => {
  const t = tensor(x);
  if (t.dtype !== T.float32 && t.dtype !== T.float64) refuse(`tl.${name} 只收 float32 和 float64，不是 ${t.dtype.name}：先用 .to(tl.float32)。`, `tl.${name} takes float32 and float64, not ${t.dtype.name}: use .to(tl.float32) first.`);
  return unary(t, f);
});
for (const name of ['exp', 'log', 'log2', 'sqrt', 'sin', 'cos', 'tanh', 'floor', 'ceil']) math(name, Math[name]);
math('exp2', x => 2 ** x);
math('sqrt_rn', Math.sqrt);
math('rsqrt', x => 1 / Math.sqrt(x));
math('erf', x => {  // Abramowitz and Stegun 7.1.26
  const t = 1 / (1 + 0.3275911 * Math.abs(x)), y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return x < 0 ? -y : y;
});
define('abs', 'x', ({x}) => plain(x) ? (x < 0 ? -x : x) : unary(x, one => one < 0 ? -one : one === 0 ? 0 : one));
define('sigmoid', 'x', ({x}) => binary('/', 1n, binary('+', 1n, unary(x, one => Math.exp(-one)))));
const greater = 'a !== a ? b : b !== b || a > b ? a : b', lesser = 'a !== a ? b : b !== b || a < b ? a : b';  // NaN gives way
const extreme = (name, f) => define(name, 'x,y,propagate_nan=None', ({x, y}) => { const [a, b] = meet(x, y); return pairwise(a, b, f, a.dtype); });
extreme('maximum', greater);
extreme('minimum', lesser);
define('clamp', 'x,min,max,propagate_nan=None', ({x, min, max}) => { const [a, b] = meet(x, min), [c, d] = meet(pairwise(a, b, greater, a.dtype), max); return pairwise(c, d, lesser, c.dtype); });
define('fma', 'x,y,z', ({x, y, z}) => binary('+', binary('*', x, y), z));
define('fdiv', 'x,y,ieee_rounding=False', ({x, y}) => binary('/', x, y));
define('div_rn', 'x,y', ({x, y}) => binary('/', x, y));
define('where', 'condition,x,y', ({condition, x, y}) => where(condition, x, y));
define('cdiv', 'x,div', ({x, div}) => binary('//', binary('+', x, binary('-', div, 1n)), div));
const logical = (name, op) => define(name, 'input,other', ({input, other}) => { const [a, b] = meet(cast(tensor(input), T.int1), cast(tensor(other), T.int1)); return pairwise(a, b, op, T.int1); });
logical('logical_and', 'a & b');
logical('logical_or', 'a | b');

// ---- along an axis

const ALL = 'input,axis=None,keep_dims=False,dtype=None';
const along = (name, formula, prepare = t => t) => ({input, axis, keep_dims, dtype = null}) => {
  if (!(input instanceof Tensor)) refuse(`tl.${name} 要一块数，不是 ${say(input)}。`, `tl.${name} takes a block, not ${say(input)}.`);
  if (!input.block) refuse(`tl.${name} 要一块数，这里只有一个。`, `tl.${name} takes a block; this is a single number.`);
  const t = prepare(dtype ? cast(input, dtype) : input), flat = axis === null ? reshape(t, [t.size]) : t, k = axis === null ? 0 : axisOf(t, axis);
  const out = fold(flat, k, formula);
  return keep_dims ? reshape(out, axis === null ? t.shape.map(() => 1) : t.shape.map((size, j) => j === k ? 1 : size)) : out;
};
const summed = t => t.dtype.kind < 2 && t.dtype.bits < 32 ? cast(t, t.dtype.signed ? T.int32 : T.uint32) : t;
const widened = t => t.dtype.bits >= 32 ? t : cast(t, t.dtype.floating ? T.float32 : T.int32);
define('sum', ALL, along('sum', 'a + b', summed));
define('xor_sum', ALL, along('xor_sum', 'a ^ b'));
const best = (name, formula, better) => {
  const value = along(name, formula, widened);
  const places = ({input, axis, keep_dims}) => {
    const flat = axis === null ? reshape(input, [input.size]) : input, k = axis === null ? 0 : axisOf(input, axis), parts = slices(flat, k);
    const values = parts[0].data.slice(), index = new Int32Array(values.length);
    for (let i = 1; i < parts.length; i++) for (let j = 0; j < values.length; j++)
      if (better(parts[i].data[j], values[j]) || (values[j] !== values[j] && parts[i].data[j] === parts[i].data[j])) { values[j] = parts[i].data[j]; index[j] = i; }
    const shape = keep_dims ? input.shape.map((size, j) => j === k ? 1 : size) : parts[0].shape;
    return [new Tensor(input.dtype, shape, values), new Tensor(T.int32, shape, index)];
  };
  define(name, 'input,axis=None,return_indices=False,return_indices_tie_break_left=True,keep_dims=False', given => (given.return_indices ? places : value)(given));
  define(`arg${name}`, 'input,axis,tie_break_left=True,keep_dims=False', given => places(given)[1]);
};
best('max', greater, (a, b) => a > b);
best('min', lesser, (a, b) => a < b);

// A generator: the kernel's own function combines, in the order that Triton's interpreter goes.
define('reduce', 'input,axis,combine_fn,keep_dims=False', function* ({input, axis, combine_fn, keep_dims}, at) {
  const many = Array.isArray(input), parts = (many ? input : [input]).map(each => slices(axis === null ? reshape(each, [each.size]) : each, axis === null ? 0 : axisOf(each, axis)));
  let sum = parts.map(each => each[0]);
  for (let i = 1; i < parts[0].length; i++) {
    const said = yield* at.call(combine_fn, [...sum, ...parts.map(each => each[i])], {});
    sum = (Array.isArray(said) ? said : [said]).map((each, k) => cast(tensor(each), sum[k].dtype));
  }
  if (keep_dims) sum = sum.map((each, k) => reshape(each, (many ? input : [input])[k].shape.map((size, j) => axis === null || j === whole(axis) ? 1 : size)));
  return many ? sum : sum[0];
});
define('associative_scan', 'input,axis,combine_fn,reverse=False', function* ({input, axis, combine_fn, reverse}, at) {
  const many = Array.isArray(input), all = many ? input : [input], k = axisOf(all[0], axis);
  const parts = all.map(each => slices(each, k));
  if (reverse) parts.forEach(each => each.reverse());
  const sums = [parts.map(each => each[0])];
  for (let i = 1; i < parts[0].length; i++) {
    const said = yield* at.call(combine_fn, [...sums.at(-1), ...parts.map(each => each[i])], {});
    sums.push((Array.isArray(said) ? said : [said]).map((each, j) => cast(tensor(each), all[j].dtype)));
  }
  if (reverse) sums.reverse();
  const out = all.map((_, j) => stack(sums.map(each => each[j]), k));
  return many ? out : out[0];
});
const running = (name, f) => define(name, 'input,axis=0,reverse=False,dtype=None', ({input: given, axis, reverse, dtype}) => {
  const input = dtype ? cast(given, dtype) : summed(given), k = axisOf(input, axis), parts = slices(input, k);
  if (reverse) parts.reverse();
  for (let i = 1; i < parts.length; i++) parts[i] = pairwise(parts[i - 1], parts[i], f, input.dtype);
  if (reverse) parts.reverse();
  return stack(parts, k);
});
running('cumsum', 'a + b');
running('cumprod', 'a * b');
define('sort', 'x,dim=None,descending=False', ({x, dim, descending}) => {
  const k = dim === null ? x.shape.length - 1 : axisOf(x, dim), parts = slices(x, k), columns = parts[0].size;
  for (let j = 0; j < columns; j++) {
    const sorted = parts.map(each => each.data[j]).sort((a, b) => a < b ? -1 : +(a > b));
    if (descending) sorted.reverse();
    parts.forEach((each, i) => { each.data[j] = sorted[i]; });
  }
  return stack(parts, k);
});

define('softmax', 'x,dim=None,keep_dims=None,ieee_rounding=False', ({x, dim}) => {
  const axis = dim === null ? 0n : dim, keep = (name, t) => functions[name].does({input: t, axis, keep_dims: true, dtype: null, return_indices: false});
  const numerator = unary(binary('-', x, keep('max', x)), Math.exp);
  return binary('/', numerator, keep('sum', numerator));
});
define('dot', 'input,other,acc=None,input_precision=None,allow_tf32=None,max_num_imprecise_acc=None,out_dtype=None', ({input, other, acc, out_dtype}) => {
  if (input.dtype !== other.dtype) refuse(`tl.dot 的两边类型要一样：${input.dtype.name}，${other.dtype.name}。`, `Both sides of tl.dot must be of one type: ${input.dtype.name}, ${other.dtype.name}.`);
  if (input.shape.length !== 2 || other.shape.length !== 2 || input.shape[1] !== other.shape[0]) refuse(`tl.dot：${sizes(input)} 乘 ${sizes(other)} 对不上。`, `tl.dot: ${sizes(input)} times ${sizes(other)} does not fit.`);
  const into = input.dtype.integral ? T.int32 : input.dtype === T.float64 ? T.float64 : out_dtype ?? T.float32, found = product(input, other, into);
  return acc === null ? found : binary('+', found, cast(acc, into));
});

// ---- hints and checks

for (const name of ['multiple_of', 'max_contiguous', 'max_constancy']) define(name, 'input,values', ({input}) => input);
define('debug_barrier', '', (_, at) => { at.memory.barrier?.(); return null; });
for (const name of ['gdc_wait', 'gdc_launch_dependents']) define(name, '', () => null);
define('assume', 'condition', () => null);
define('device_print', '*all', ({all}, at) => {
  if (typeof all[0] !== 'string' && at.frames.at(-1)?.kernel.jit) refuse('kernel 里打印要先写一段说明：tl.device_print("x", x)。', 'A kernel prints a text first: tl.device_print("x", x).');
  at.printed(all.map(each => each instanceof Tensor ? `${[...each.data].join(' ')}` : say(each)).join(' '));
  return null;
});
define('static_print', '*all', ({all}, at) => { at.printed(all.map(say).join(' ')); return null; });
const claim = name => define(name, 'cond,msg=None,mask=None', ({cond, msg}) => {
  if (cond instanceof Tensor ? cond.data.some(one => !one) : !cond) refuse(`断言不成立：${say(msg)}`, `An assertion failed: ${say(msg)}`);
  return null;
});
claim('static_assert');
claim('device_assert');

for (const name of ['range', 'static_range']) define(name, 'arg1,arg2=None,step=None,num_stages=None,loop_unroll_factor=None,disallow_acc_multi_buffer=False,flatten=False,warp_specialize=False,disable_licm=False', ({arg1, arg2, step}) => {
  const bounds = [arg2 === null ? 0n : arg1, arg2 === null ? arg1 : arg2, step ?? 1n];
  for (const one of bounds) if (one instanceof Tensor ? one.block || !one.dtype.integral : typeof one !== 'bigint') refuse(`循环的界限要是整数，不是 ${say(one)}。`, `The bounds of a loop must be integers, not ${say(one)}.`);
  const [first, last, by] = bounds.map(one => one instanceof Tensor ? BigInt(one.item) : one);
  if (by === 0n) refuse('步长不能是 0。', 'A step cannot be 0.');
  if (name === 'static_range') {
    if (bounds.some(one => one instanceof Tensor)) refuse('tl.static_range 的界限要在编译时就知道。', 'The bounds of tl.static_range must be known when the kernel is compiled.');
    return {first, last, by, made: i => i};
  }
  const type = bounds.some(one => one instanceof Tensor && one.dtype.big) ? T.int64 : T.int32;
  return {first, last, by, made: i => scalar(type, i)};
});

// Methods: x.to(…), x.sum(axis=0), and so on.
function attribute(value, name) {
  if (value instanceof Module) {
    if (name in value.names) return value.names[name];
    throw unknown(name, Object.keys(value.names), `${value.name}.`);
  }
  if (value instanceof Tensor) {
    if (name === 'dtype') return value.dtype;
    if (name === 'type') return value.dtype;
    if (name === 'shape') return value.shape.map(BigInt);
    if (name === 'numel') return BigInt(value.size);
    if (name === 'T') return permute(value, [...value.shape.keys()].reverse());
    if (functions[name]) return {bound: functions[name], value};
  }
  if (value instanceof DType) {
    if (name === 'element_ty') return value.element ?? value;
    if (name === 'scalar') return value;
    if (name === 'name') return value.short;
    if (name === 'primitive_bitwidth' || name === 'int_bitwidth') return BigInt(value.bits);
    const asks = {is_floating: value.floating, is_int: value.integral, is_ptr: value.kind === 3, is_fp32: value === T.float32, is_fp16: value === T.float16, is_bf16: value === T.bfloat16, is_fp64: value === T.float64};
    if (name in asks) return new Builtin(name, '', () => asks[name]);
  }
  if (value instanceof List && Object.hasOwn(LIST, name)) return {bound: LIST[name], value};
  if (value instanceof Argument) return ofMatrix(value, name);
  if (value instanceof Record) {
    if (!Object.hasOwn(value.fields, name)) throw unknown(name, Object.keys(value.fields), 'chip.');
    return plainValue(value.fields[name]);
  }
  if (typeof value === 'bigint' && name === 'value') return value;
  if (typeof value === 'bigint' && name === 'bit_length') return new Builtin(name, '', () => BigInt((value < 0n ? -value : value).toString(2).length * (value !== 0n)));
  refuse(`${say(value)} 没有 ${name}。`, `${say(value)} has no ${name}.`);
}

const nextPowerOf2 = n => { let p = 1n; while (p < n) p *= 2n; return p; };
const tl = new Module('tl', {...functions, ...T});
tl.names.math = tl;
tl.names.extra = new Module('tl.extra', {cuda: new Module('tl.extra.cuda', {gdc_wait: functions.gdc_wait, gdc_launch_dependents: functions.gdc_launch_dependents})});
const triton = new Module('triton', {
  language: tl,
  jit: new Builtin('jit', 'fn', ({fn}) => fn),
  cdiv: functions.cdiv,
  next_power_of_2: new Builtin('next_power_of_2', 'n', ({n}) => nextPowerOf2(BigInt(whole(n)))),
});

const numberOf = x => x instanceof Tensor ? Number(x.item) : typeof x === 'string' ? {inf: Infinity, '-inf': -Infinity, nan: NaN, infinity: Infinity, '-infinity': -Infinity}[x.trim().toLowerCase()] ?? Number(x) : Number(x);
const pick = sign => function* ({all, key}, at) {
  const list = all.length === 1 ? items(all[0]) : all;
  if (!list.length) refuse('里面什么也没有。', 'It is empty.', {type: 'ValueError'});
  if (list.some(each => each instanceof Tensor)) return list.reduce((a, b) => functions[sign > 0 ? 'maximum' : 'minimum'].does({x: a, y: b}));
  const by = yield* keys(list, key, at);
  return list[by.reduce((best, x, k) => (sign > 0 ? ordered(x, by[best]) > 0 : ordered(x, by[best]) < 0) ? k : best, 0)];
};
function* keys(list, key, at) {  // what a list is ordered by
  const found = [];
  for (const each of list) found.push(key ? yield* at.call(key, [each], {}) : each);
  return found;
}
// What does something, out of how it is called: 'len(x)'; anything else is a value.
const builtins = table => Object.fromEntries(Object.entries(table).map(([signature, does]) => {
  const [name, parameters] = signature.slice(0, -1).split('(');
  return typeof does === 'function' ? [name, new Builtin(name, parameters, does)] : [signature, does];
}));

// What Python knows by itself, and a kernel too.
const PYTHON = builtins({
  tl, triton, abs: functions.abs, range: functions.range, print: functions.device_print,
  'float(x)': ({x}) => x instanceof Tensor ? cast(x, T.float32) : numberOf(x),
  'int(x)': ({x}) => x instanceof Tensor ? cast(x, T.int32) : typeof x === 'string' ? BigInt(x) : typeof x === 'number' ? BigInt(trunc(x)) : BigInt(x),
  'bool(x)': ({x}) => x instanceof Tensor ? cast(x, T.int1) : !!x,
  'len(x)': ({x}) => BigInt(Array.isArray(x) ? x.length : x.shape[0]),
  'max(*all,key=None)': pick(1), 'min(*all,key=None)': pick(-1),
});

// ---- what formulas may use beside that: functions without @triton.jit are plain Python

class List extends Array {}  // a tuple is an array that nobody changes

const LIST = builtins({
  'append(list,x)': ({list, x}) => { list.push(x); return null; },
  'extend(list,more)': ({list, more}) => { list.push(...items(more)); return null; },
  'pop(list,index=-1)': ({list, index}) => {
    const k = Number(index) < 0 ? list.length + Number(index) : Number(index);
    if (!(k in list)) refuse(`列表里没有第 ${index} 个。`, `The list has no item ${index}.`);
    return list.splice(k, 1)[0];
  },
  'count(list,x)': ({list, x}) => BigInt(list.filter(each => compare('==', each, x)).length),
});

// What a for would go through, as an array.
function items(x) {
  if (Array.isArray(x) || typeof x === 'string') return [...x];
  if (!x?.made) refuse(`${say(x)} 不能一个个地取。`, `${say(x)} cannot be gone through.`);
  const found = [];
  for (let i = x.first; x.by > 0n ? i < x.last : i > x.last; i += x.by) {
    if (found.length === MOST) refuse(`多于 ${MOST} 个。`, `More than ${MOST} items.`);
    found.push(i);
  }
  return found;
}

const listed = all => List.from(all);
const ordered = (a, b) => compare('<', a, b) ? -1 : +compare('>', a, b);

function rounded(x, digits) {  // ties to even, as Python has it
  if (digits !== null) return Number(Number(x).toFixed(Number(digits)));
  if (typeof x === 'bigint') return x;
  return BigInt(nearest(Math.abs(x))) * (x < 0 ? -1n : 1n);
}

const fraction = ({x, y}) => numberOf(x) / numberOf(y), wholeBy = name => ({x}) => typeof x === 'bigint' ? x : BigInt(Math[name](x));
const FORMULA = builtins({
  'round(x,digits=None)': ({x, digits}) => rounded(x, digits),
  'sum(all,start=0)': ({all, start}) => items(all).reduce((a, b) => binary('+', a, b), start),
  'list(all=None)': ({all}) => listed(all === null ? [] : items(all)),
  'tuple(all)': ({all}) => items(all),
  'sorted(all,key=None,reverse=False)': function* ({all, key, reverse}, at) {
    const list = items(all), by = yield* keys(list, key, at), found = listed([...list.keys()].sort((a, b) => ordered(by[a], by[b]) * (reverse ? -1 : 1)));
    return found.map(k => list[k]);
  },
  'next(all,default=None)': ({all, default: spare}) => {
    const [first = spare] = items(all);
    if (first === null) refuse('里面什么也没有。', 'It is empty.', {type: 'StopIteration'});
    return first;
  },
  'Fraction(x,y=1)': fraction, 'Decimal(x,y=1)': fraction,
  'reversed(all)': ({all}) => items(all).reverse(),
  'enumerate(all,start=0)': ({all, start}) => items(all).map((x, k) => [BigInt(k) + start, x]),
  'zip(*all)': ({all}) => { const each = all.map(items); return each[0].slice(0, Math.min(...each.map(one => one.length))).map((_, k) => each.map(one => one[k])); },
  'any(all)': ({all}) => items(all).some(truth),
  'all(all)': ({all}) => items(all).every(truth),
  'str(x)': ({x}) => say(x),
  'divmod(a,b)': ({a, b}) => [binary('//', a, b), binary('%', a, b)],
  math: new Module('math', builtins({
    inf: Infinity, nan: NaN, pi: Math.PI, e: Math.E,
    ...Object.fromEntries(['exp', 'log', 'log2', 'sqrt', 'cos', 'sin', 'tanh'].map(name => [`${name}(x)`, ({x}) => Math[name](Number(x))])),
    'ceil(x)': wholeBy('ceil'), 'floor(x)': wholeBy('floor'),
    'prod(all)': ({all}) => items(all).reduce((a, b) => binary('*', a, b), 1n),
    'gcd(*all)': ({all}) => all.reduce((a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; }, 0n),
  })),
});
