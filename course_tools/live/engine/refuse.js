// What is refused is said in the course's two languages, at its line.

class Refusal extends Error {
  constructor(zh, en, more) { super(en); Object.assign(this, {zh, en}, more); }
}

function refuse(zh, en, more) { throw new Refusal(zh, en, more); }

const unmet = (a, b) => refuse(`形状 ${a} 和 ${b} 对不上。`, `The shapes ${a} and ${b} do not go together.`);
const misfit = (a, b) => unmet(sizes(a), sizes(b));
const notA = (what, zh, en) => refuse(`${what} 不是${zh}。`, `${what} is no ${en}.`);
const lacks = (what, type) => refuse(`没有 ${what}。`, `There is no ${what}.`, {type});
const notFor = (op, ...all) => refuse(`${all.join(' 和 ')} 不能用 ${op}。`, `${op} is not for ${all.join(' and ')}.`);
const apart = (...all) => {
  const [a, b] = all.map(x => kindOf(plain(x) ? tensor(x) : x));
  refuse(`${a} 和 ${b} 不能这样算。`, `${a} and ${b} cannot be combined like this.`);
};
const noItems = x => x instanceof Tensor ? oneValue() : refuse(`${typeName(x)} 里没有一个个的元素。`, `${typeName(x)} has no items.`);
const tooBig = (x, zh, en = zh) => refuse(`${x} 放不进 ${zh}。`, `${x} does not fit ${en}.`);
const oneValue = () => refuse('块是一个整体，不能单取、单改一个元素：用 tl.where。', 'A block is one value; no element is taken or changed alone: use tl.where.');
const endless = () => refuse('运行了太久：是不是停不下来？', 'This takes too long: does it ever end?', {late: true});
const failed = (more = '') => refuse(`断言不成立。${more}`, `An assertion failed. ${more}`.trim());

const UNKNOWN = what => [`这里不认识 ${what}。`, `${what} is unknown here.`];

// The name that somebody may have meant: at most two letters off, and a third of them. (As course_utils.worker.worded has it.)
function unknown(name, names, within = '') {
  const [better, off] = names.map(each => [each, lettersOff(name.toLowerCase(), each.toLowerCase())]).sort((a, b) => a[1] - b[1])[0] ?? [], full = within + name;
  const told = off <= Math.min(2, name.length / 3) ? [`${full}：是不是想写 ${within}${better}？`, `${full}: did you mean ${within}${better}?`]
    : UNKNOWN(full);
  refuse(...told, {type: within ? 'AttributeError' : 'NameError'});
}

// Letters to put in, take out, change or swap with their neighbour.
function lettersOff(a, b) {
  let older = [], old = span(b.length + 1);
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

const TYPES = {bigint: 'int', boolean: 'bool', string: 'str', number: 'float'};
const typeName = x => x === null ? 'NoneType' : TYPES[typeof x] ?? (x instanceof Tensor ? 'tensor' : x instanceof Argument ? 'Tensor' : x instanceof List ? 'list' : Array.isArray(x) ? 'tuple' : x instanceof Map ? 'dict' : x.made ? 'range' : 'function');
const kindOf = x => x instanceof Tensor ? x.dtype.name : x instanceof DType ? x.name : typeName(x);

// A value as Python would write it.
function say(x) {
  if (x instanceof Tensor || x instanceof Argument) return x.dtype.name + (x.shape.length ? sizes(x) : '');
  if (x instanceof DType) return `tl.${x.name}`;
  if (Array.isArray(x)) return `(${x.map(say).join(', ')}${x.length === 1 ? ',' : ''})`;
  if (x === null || x === undefined) return 'None';
  if (typeof x === 'boolean') return x ? 'True' : 'False';
  if (typeof x === 'object') return x.name ?? typeof x;
  return String(x);
}

const sizes = t => `[${t.shape.join(', ')}]`;
