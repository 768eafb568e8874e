// What is refused is said in the course's two languages, at its line.

class Refusal extends Error {
  constructor(zh, en, more) { super(en); Object.assign(this, {zh, en}, more); }
}

function refuse(zh, en, more) { throw new Refusal(zh, en, more); }

const misfit = (...all) => refuse(`形状 ${all.map(sizes).join('、')} 对不上。`, `The shapes ${all.map(sizes).join(' and ')} do not go together.`);
const notA = (x, zh, en) => refuse(`${say(x)} 不是${zh}。`, `${say(x)} is no ${en}.`);
const lacks = (whole, what, type) => refuse(`${say(whole)} 没有 ${what}。`, `${say(whole)} has no ${what}.`, {type});
const unavailable = (what, more) => refuse(`kernel 里不能用 ${what}。`, `A kernel has no ${what}.`, more);
const apart = (a, b) => refuse(`${say(a)} 和 ${say(b)} 不能这样算。`, `${say(a)} and ${say(b)} cannot be combined like this.`);
const tooBig = (x, zh, en = zh) => refuse(`${x} 放不进 ${zh}。`, `${x} does not fit ${en}.`);
const oneValue = () => refuse('块是一个整体，其中的元素不能单取、单改：用 tl.where。', 'A block is one value: its elements are not picked or changed alone. Use tl.where.');
const endless = () => refuse('运行了太久：是不是停不下来？', 'This takes too long: does it ever end?', {late: true});
const failed = (more = '') => refuse(`断言不成立。${more}`, `An assertion failed. ${more}`);

// The name that somebody may have meant: at most two letters off, and a third of them.
function unknown(name, names, within = '') {
  const most = Math.min(2, Math.ceil(name.length / 3)), [better, off] = names.map(each => [each, lettersOff(name, each)]).sort((a, b) => a[1] - b[1])[0] ?? [], full = within + name;
  const told = off <= most ? [`${full}：是不是想写 ${within}${better}？`, `${full}: did you mean ${within}${better}?`]
    : [`这里不认识 ${full}。`, `This page does not know ${full}.`];
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
