// What Triton's operators mean: which type an operation is done in, how shapes meet. After triton/language/semantic.py (3.9).

// A Python int is a BigInt here, a float a number, a tuple an array.
const plain = x => typeof x === 'bigint' || typeof x === 'number' || typeof x === 'boolean';
const fits = (x, {bits, signed}) => (signed ? BigInt.asIntN : BigInt.asUintN)(bits, x) === x;

function typeOf(x) {
  if (x instanceof Tensor) return x.dtype;
  if (typeof x === 'boolean') return T.int1;
  if (typeof x === 'bigint') return [T.int32, T.uint32, T.int64, T.uint64].find(type => fits(x, type)) ?? tooBig(x, '64 位', '64 bits');
  const size = Math.abs(x);
  return size === Infinity || size === 0 || x !== x || (size >= 2 ** -126 && size <= 3.4028234663852886e38) ? T.float32 : T.float64;
}

const tensor = x => x instanceof Tensor ? x : plain(x) ? scalar(typeOf(x), x) : notA(kindOf(x), '数', 'number');

function computed(a, b, divides) {
  const some = type => a === type || b === type;
  if (some(T.float64)) return T.float64;
  if (divides && (a.floating || b.floating) || some(T.float32)) return T.float32;
  if (some(T.float16)) return T.float16;
  if (some(T.bfloat16)) return a === b ? a : T.float32;
  if (a.signed === b.signed) return a.bits > b.bits ? a : b;
  if (divides) apart(a, b);
  const [unsigned, signed] = a.signed ? [b, a] : [a, b];
  return unsigned.bits >= signed.bits ? unsigned : signed;
}

// Both operands in the type they are computed in.
function meet(a, b, {divides = false, pointers = false} = {}) {
  let x = typeOf(a), y = typeOf(b);
  const [p, q] = [x, y].map(each => each instanceof Pointer);
  if (p || q) {
    if (!pointers || x.floating || y.floating || (p && q && x !== y)) p ? apart(a, b) : apart(b, a);
    return [tensor(a), tensor(b)];
  }
  if (plain(a) !== plain(b)) {  // a plain number of the same kind or a lower one has no say
    if (plain(a) && x.kind <= y.kind) x = y;
    if (plain(b) && y.kind <= x.kind) y = x;
  }
  const type = computed(x, y, divides);
  return [a, b].map(each => {
    if (!plain(each)) return cast(each, type);
    if (type.kind === 1 && typeof each === 'bigint' && !fits(each, type)) tooBig(each, type.name);
    return scalar(type, each);
  });
}

const spread = (...all) => all.map(each => broadcast(each, agreed(...all)));

// ---- arithmetic

const DIVIDED = {'//': 'b == 0 ? b : a / b', '%': 'b == 0 ? b : a % b'};  // stores truncate
const SMALL = {...DIVIDED, '*': 'Math.imul(a, b)', '<<': 'b > 31 ? 0 : a << b', '>>': 'b > 31 ? -(a < 0) : a >> b'};
const UNSIGNED = {...SMALL, '>>': 'b > 31 ? 0 : a >>> b'};
const BIG = {...DIVIDED, '<<': 'b > 63n ? 0n : a << b'};
const BOOLS = {...SMALL, '+': 'a ^ b', '-': 'a ^ b', '*': 'a & b'};

function binary(op, a, b) {
  if (plain(a) && plain(b)) return python(op, a, b);
  if (a instanceof Argument || b instanceof Argument) return elementwise(op, a, b);
  if (!(a instanceof Tensor || b instanceof Tensor)) return tuples(op, a, b);
  if (op === '**' || op === '@') notFor(op, typeName(a), typeName(b));
  const [p, q] = [a, b].map(each => !plain(each) && tensor(each).dtype instanceof Pointer);
  if ((p || q) && (op === '+' || op === '-')) {  // an address so many elements on
    if (p && q) refuse('两个地址不能相加。', 'Two addresses cannot be added.');
    if (q && op === '-') apart(a, b);
    const [x, y] = p ? meet(a, b, {pointers: true}) : meet(b, a, {pointers: true}), sign = x.dtype.element.bytes * (op === '+' ? 1 : -1);
    return pairwise(x, y, `a + ${y.dtype.big ? 'Number(b)' : 'b'} * ${sign}`, x.dtype);
  }
  let [x, y] = meet(a, b, {divides: '//%'.includes(op)});
  if (op === '/' && !x.dtype.floating) [x, y] = [cast(x, T.float32), cast(y, T.float32)];
  const {dtype} = x, {kind} = dtype;
  if (kind === 2 && !'+-*/%'.includes(op)) apart(x, y);
  const table = kind === 2 ? {} : kind === 0 ? BOOLS : dtype.big ? BIG : dtype.signed ? SMALL : UNSIGNED;
  return pairwise(x, y, table[op] ?? `a ${op} b`, dtype);
}

const COMPARES = {'==': '===', '!=': '!=='};

function compare(op, a, b) {
  const not = /^(is not|not in|!=)$/.test(op);
  if (op.startsWith('is')) return (a === b) !== not;
  const inside = op.endsWith('in');
  if (inside && !Array.isArray(b) && typeof b !== 'string') noItems(b);
  if (inside && Array.isArray(b)) return b.some(each => each === a || (plain(each) && plain(a) && each == a)) !== not;
  if (Array.isArray(a) && Array.isArray(b)) {  // as Python has it: the first that differ decide
    const k = a.findIndex((x, i) => !(i in b) || !compare('==', x, b[i]));
    if (COMPARES[op]) return (k < 0 && a.length === b.length) !== not;
    return k >= 0 && k in b ? compare(op, a[k], b[k]) : compare(op, BigInt(a.length), BigInt(b.length));
  }
  if ([a, b].some(one => one instanceof DType || typeof one === 'string' || one === null || Array.isArray(one))) {
    if (inside) return b.includes(a) !== not;  // of a text
    if (COMPARES[op]) return (a === b) !== not;
  }
  if (plain(a) && plain(b) || typeof a === 'string' && typeof b === 'string') return PLAIN[op](a, b);
  if (!(a instanceof Tensor || b instanceof Tensor)) notFor(op, typeName(a), typeName(b));
  const [x, y] = meet(a, b);
  return pairwise(x, y, `a ${COMPARES[op] ?? op} b`, T.int1);
}

// Operators that Triton hands to Python, between numbers known when a kernel is compiled.
const PLAIN = Object.fromEntries('+ - * < > <= >= == != << >> & | ^'.split(' ').map(op => [op, new Function('a', 'b', `return a ${op} b`)]));
Object.assign(PLAIN, {
  '/': (a, b) => Number(a) / Number(b),
  '%'(a, b) { const rest = a % b; return rest && (rest < 0) !== (b < 0) ? rest + b : rest; },
  '//': (a, b) => typeof a === 'bigint' ? (a - PLAIN['%'](a, b)) / b : Math.floor(a / b),
  '**': (a, b) => typeof a === 'bigint' && b < 0n ? Number(a) ** Number(b) : a ** b,
});

function python(op, ...all) {
  let [a, b] = all.map(each => typeof each === 'boolean' ? BigInt(each) : each);
  if (typeof a !== typeof b) [a, b] = [Number(a), Number(b)];
  if (typeof a === 'number' && '<<>>&|^'.includes(op)) notFor(op, ...all.map(typeName));
  if (b < 0 && /<<|>>/.test(op)) refuse('不能移负数位。', 'A shift cannot be negative.');
  if (b == 0 && /[/%]/.test(op)) refuse('除数是 0。', 'Division by 0.', {type: 'ZeroDivisionError'});
  return PLAIN[op](a, b);
}

function tuples(op, a, b) {
  if (op === '+' && Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (op === '*' && Array.isArray(a) && typeof b === 'bigint') return span(Number(b)).flatMap(() => a);
  notFor(op, typeName(a), typeName(b));
}

function negated(x) {
  if (plain(x)) return typeof x === 'boolean' ? -BigInt(x) : -x;
  if (x.dtype instanceof Pointer) notFor('-', kindOf(x));
  if (x instanceof Argument) return elementwise('*', x, -1n);
  return x.dtype.floating ? unary(x, one => -one) : binary('-', scalar(x.dtype, 0), x);
}

function inverted(x) {
  if (plain(x)) return ~BigInt(x);
  if (x.dtype.kind > 1) notFor('~', kindOf(x));
  return unary(x, x.dtype.kind ? one => ~one : one => 1 - one);
}

function where(condition, a, b) {
  const c = cast(tensor(condition), T.int1);
  return select(...spread(c, ...meet(a, b, {pointers: true})));
}

function to(x, type, bits = false) {
  if (plain(x)) x = tensor(x);
  if (!(type instanceof DType)) notA(kindOf(type), '类型', 'type');
  if (!bits) return cast(x, type);
  if (x.dtype.bits !== type.bits || ROUND[type.name] || ROUND[x.dtype.name]) apart(x, type);
  return new Tensor(type, x.shape, new type.Store(x.data.slice().buffer), x.padding);
}

function truth(x) {
  if (!(x instanceof Tensor)) return Array.isArray(x) ? x.length > 0 : !!x;
  if (x.size > 1) refuse('一块里有许多个值，不能说整块是真还是假：掩码之间用 &、|、~，要按元素选，用 tl.where。', 'A block of many values is neither true nor false: join masks with &, | and ~, choose element by element with tl.where.');
  return !!Number(x.item);
}
