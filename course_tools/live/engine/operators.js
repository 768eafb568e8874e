// What Triton's operators mean: which type an operation is done in, how shapes meet. After triton/language/semantic.py (3.9).

class Refusal extends Error {
  constructor(zh, en, more) { super(en); Object.assign(this, {zh, en}, more); }
}

function refuse(zh, en, more) { throw new Refusal(zh, en, more); }

// A Python int is a BigInt here, a float a number, a tuple an array.
const plain = x => typeof x === 'bigint' || typeof x === 'number' || typeof x === 'boolean';

function typeOf(x) {
  if (x instanceof Tensor) return x.dtype;
  if (typeof x === 'boolean') return T.int1;
  if (typeof x === 'bigint') {
    if (x >= -(1n << 31n) && x < 1n << 31n) return T.int32;
    if (x >= 0n && x < 1n << 32n) return T.uint32;
    if (x >= -(1n << 63n) && x < 1n << 63n) return T.int64;
    if (x >= 0n && x < 1n << 64n) return T.uint64;
    refuse(`整数 ${x} 超出了 64 位。`, `The integer ${x} does not fit 64 bits.`);
  }
  const size = Math.abs(x);
  return size === Infinity || size === 0 || x !== x || (size >= 2 ** -126 && size <= 3.4028234663852886e38) ? T.float32 : T.float64;
}

function tensor(x) {
  if (x instanceof Tensor) return x;
  if (plain(x)) return scalar(typeOf(x), x);
  refuse(`${say(x)} 不是数。`, `${say(x)} is no number.`);
}

function say(x) {
  if (x instanceof Tensor) return x.block ? `${x.dtype.name}[${x.shape.join(', ')}]` : `${x.dtype.name}`;
  if (x instanceof DType) return `tl.${x.name}`;
  if (Array.isArray(x)) return `(${x.map(say).join(', ')}${x.length === 1 ? ',' : ''})`;
  if (x === null || x === undefined) return 'None';
  if (typeof x === 'boolean') return x ? 'True' : 'False';
  if (typeof x === 'object' || typeof x === 'function') return x.name ?? typeof x;
  return String(x);
}

const wider = (a, b) => {
  if (a.signed === b.signed) return a.bits > b.bits ? a : b;
  const [unsigned, signed] = a.signed ? [b, a] : [a, b];
  return unsigned.bits >= signed.bits ? unsigned : signed;
};

function computed(a, b, divides) {
  for (const type of [T.float64]) if (a === type || b === type) return type;
  if (divides && (a.floating || b.floating)) return T.float32;
  for (const type of [T.float32, T.float16]) if (a === type || b === type) return type;
  if (a === T.bfloat16 || b === T.bfloat16) return a === b ? T.bfloat16 : T.float32;
  if (divides && a.signed !== b.signed)
    refuse(`${a.name} 和 ${b.name}，一个有符号一个没有，不能相除或取余：先用 .to 统一。`, `${a.name} and ${b.name} cannot be divided, one being signed and the other not: make them alike with .to first.`);
  return wider(a, b);
}

// Both operands in the type they are computed in.
function meet(a, b, {divides = false, pointers = false} = {}) {
  let x = typeOf(a), y = typeOf(b);
  if (x instanceof Pointer || y instanceof Pointer) {
    if (!pointers || (x.floating || y.floating) || (x instanceof Pointer && y instanceof Pointer && x !== y))
      refuse(`${say(a)} 和 ${say(b)} 不能这样算。`, `${say(a)} and ${say(b)} cannot be combined like this.`);
    return [tensor(a), tensor(b)];
  }
  if (plain(a) !== plain(b)) {  // a plain number of the same kind or a lower one has no say
    if (plain(a) && x.kind <= y.kind) x = y;
    if (plain(b) && y.kind <= x.kind) y = x;
  }
  const type = computed(x, y, divides);
  return [convert(a, type), convert(b, type)];
}

function convert(x, type) {
  if (!plain(x)) return cast(x, type);
  if (type.kind === 1 && typeof x === 'bigint' && (type.signed ? BigInt.asIntN(type.bits, x) : BigInt.asUintN(type.bits, x)) !== x)
    refuse(`${x} 放不进 ${type.name}。`, `${x} does not fit ${type.name}.`);
  return scalar(type, x);
}

const spread = (a, b) => [a, b].map(each => broadcast(each, agreed(a, b)));

const sizes = t => `[${t.shape.join(', ')}]`;

// ---- arithmetic

const FLOATS = '+ - * / %'.split(' '), INTEGERS = '+ - * // % & | ^ << >>'.split(' ');
const DIVIDED = {'//': 'b == 0 ? b : a / b', '%': 'b == 0 ? b : a % b'};  // stores truncate
const SMALL = {...DIVIDED, '*': 'Math.imul(a, b)', '<<': 'b > 31 ? 0 : a << b', '>>': 'b > 31 ? -(a < 0) : a >> b'};
const UNSIGNED = {...SMALL, '>>': 'b > 31 ? 0 : a >>> b'};
const BIG = {...DIVIDED, '<<': 'b > 63n ? 0n : a << b'};
const BOOLS = {'+': 'a ^ b', '-': 'a ^ b', '*': 'a & b'};

function step(pointer, offset, sign) {  // an address so many elements on
  const bytes = sign * Math.max(1, pointer.dtype.element.bits >> 3);
  return pairwise(pointer, offset, offset.dtype.big ? `a + Number(b) * ${bytes}` : `a + b * ${bytes}`, pointer.dtype);
}

function binary(op, a, b) {
  if (plain(a) && plain(b)) return python(op, a, b);
  if (a instanceof Argument || b instanceof Argument) return elementwise(op, a, b);
  if (Array.isArray(a) || Array.isArray(b)) return tuples(op, a, b);
  for (const one of [a, b]) if (!(one instanceof Tensor) && !plain(one)) refuse(`${say(one)} 不能参加 ${op} 运算。`, `${say(one)} cannot be an operand of ${op}.`);
  const pointer = [a, b].some(one => one instanceof Tensor && one.dtype instanceof Pointer);
  if (pointer && (op === '+' || op === '-')) {
    const [x, y] = meet(a, b, {pointers: true});
    if (x.dtype instanceof Pointer && y.dtype instanceof Pointer) refuse('两个地址不能相加减。', 'Two addresses cannot be added or subtracted.');
    if (!(x.dtype instanceof Pointer) && op === '-') refuse('不能从一个数里减去地址。', 'An address cannot be subtracted from a number.');
    return x.dtype instanceof Pointer ? step(x, y, op === '+' ? 1 : -1) : step(y, x, 1);
  }
  if (op === '/') {
    let [x, y] = meet(a, b, {divides: true});
    if (!x.dtype.floating) [x, y] = [cast(x, T.float32), cast(y, T.float32)];
    return pairwise(x, y, 'a / b', x.dtype);
  }
  const [x, y] = meet(a, b, {divides: op === '//' || op === '%'}), {dtype} = x;
  if (dtype.floating) {
    if (!FLOATS.includes(op)) refuse(`小数不能用 ${op}。`, `${op} is not for floats.`);
    return pairwise(x, y, `a ${op} b`, dtype);
  }
  if (!INTEGERS.includes(op)) refuse(`kernel 里没有运算 ${op}。`, `There is no ${op} in a kernel.`);
  const table = dtype.kind === 0 ? {...SMALL, ...BOOLS} : dtype.big ? BIG : dtype.signed ? SMALL : UNSIGNED;
  return pairwise(x, y, table[op] ?? `a ${op} b`, dtype);
}

function compare(op, a, b) {
  if (op === 'is' || op === 'is not') return (a === b) === (op === 'is');
  if (Array.isArray(a) && Array.isArray(b)) {  // as Python has it: the first that differ decide
    const k = a.findIndex((x, i) => !(i in b) || !compare('==', x, b[i]));
    if (op === '==' || op === '!=') return (k < 0 && a.length === b.length) === (op === '==');
    if (op !== 'in' && op !== 'not in') return k >= 0 && k in b ? compare(op, a[k], b[k]) : compare(op, BigInt(a.length), BigInt(b.length));
  }
  if ((op === 'in' || op === 'not in') && Array.isArray(b)) return b.some(each => each === a || (plain(each) && plain(a) && each == a)) === (op === 'in');
  const isType = one => one instanceof DType || typeof one === 'string' || one === null || Array.isArray(one);
  if (isType(a) || isType(b)) {
    if (op === 'in' || op === 'not in') return b.includes(a) === (op === 'in');  // of a text
    if (op === '==') return a === b;
    if (op === '!=') return a !== b;
  }
  if (plain(a) && plain(b)) return !!{'<': a < b, '>': a > b, '<=': a <= b, '>=': a >= b, '==': a == b, '!=': a != b}[op];
  const [x, y] = meet(a, b);
  return pairwise(x, y, `a ${{'==': '===', '!=': '!=='}[op] ?? op} b`, T.int1);
}

// Operators that Triton hands to Python, between numbers known when a kernel is compiled.
function python(op, a, b) {
  if (typeof a === 'boolean') a = BigInt(a);
  if (typeof b === 'boolean') b = BigInt(b);
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if ((op === '//' || op === '%' || op === '/') && b === 0n) refuse('除数是 0。', 'Division by 0.', {type: 'ZeroDivisionError'});
    switch (op) {
      case '+': return a + b;
      case '-': return a - b;
      case '*': return a * b;
      case '/': return Number(a) / Number(b);
      case '//': { const q = a / b; return a % b !== 0n && (a < 0n) !== (b < 0n) ? q - 1n : q; }
      case '%': { const r = a % b; return r !== 0n && (r < 0n) !== (b < 0n) ? r + b : r; }
      case '**': return b >= 0n ? a ** b : Number(a) ** Number(b);
      case '<<': return a << b;
      case '>>': return a >> b;
      case '&': return a & b;
      case '|': return a | b;
      case '^': return a ^ b;
    }
  }
  const [x, y] = [Number(a), Number(b)];
  switch (op) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': if (y === 0) refuse('除数是 0。', 'Division by 0.', {type: 'ZeroDivisionError'}); return x / y;
    case '//': return Math.floor(x / y);
    case '%': return x - Math.floor(x / y) * y;
    case '**': return x ** y;
  }
  refuse(`小数不能用 ${op}。`, `${op} is not for floats.`);
}

function tuples(op, a, b) {
  if (op === '+' && Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (op === '*' && Array.isArray(a) && typeof b === 'bigint') return Array.from({length: Number(b)}, () => a).flat();
  refuse(`元组不能用 ${op}。`, `${op} is not for tuples.`);
}

function negated(x) {
  if (plain(x)) return typeof x === 'boolean' ? -BigInt(x) : -x;
  if (x instanceof Argument) return elementwise('*', x, -1n);
  if (x.dtype instanceof Pointer) refuse('地址没有相反数。', 'An address has no negative.');
  if (x.dtype.floating) return unary(x, one => -one);
  return binary('-', scalar(x.dtype, 0), x);
}

function inverted(x) {
  if (plain(x)) return ~BigInt(x);
  if (x.dtype.kind === 0) return unary(x, one => 1 - one);
  if (!x.dtype.integral) refuse('~ 只用于整数和掩码。', '~ is for integers and masks.');
  return unary(x, one => ~one);
}

function where(condition, a, b) {
  const c = cast(tensor(condition), T.int1);
  let [x, y] = meet(a, b, {pointers: true});
  const shape = common(agreed(x, y), c.shape);
  if (!shape) refuse(`条件 ${sizes(c)} 和值 ${sizes(x)} 的形状对不上。`, `The condition ${sizes(c)} and the values ${sizes(x)} do not go together.`);
  return select(broadcast(c, shape), broadcast(x, shape), broadcast(y, shape));
}

function to(x, type, bits = false) {
  if (plain(x)) x = tensor(x);
  if (!(type instanceof DType)) refuse(`${say(type)} 不是类型。`, `${say(type)} is no type.`);
  if (x.dtype instanceof Pointer && type instanceof Pointer) return new Tensor(type, x.shape, x.data);
  if (!bits) return cast(x, type);
  if (x.dtype.bits !== type.bits) refuse(`${x.dtype.name} 和 ${type.name} 位数不同，不能 bitcast。`, `${x.dtype.name} and ${type.name} differ in bits: no bitcast.`);
  return bitcast(x, type);
}

function truth(x) {
  if (x instanceof Tensor) {
    if (x.size > 1) refuse(`${say(x)} 有 ${x.size} 个值，if 和 while 只能问一个数。要逐个选，用 tl.where。`, `${say(x)} has ${x.size} values, and if and while ask for one. To choose lane by lane, use tl.where.`);
    return !!Number(x.item);
  }
  if (Array.isArray(x)) return x.length > 0;
  return !!x;
}
