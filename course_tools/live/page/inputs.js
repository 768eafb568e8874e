// What a kernel is given: what a notebook launched it on, written down byte by byte; or, on a page for one's own, a matrix and
// what else its parameters' names ask for. A blank tensor is one that nobody has written: it holds NaN, or 0 where there is none.
const elementsOf = ({dtype, size, data = 'AAAA'}) => {
  const letters = atob(data), bytes = new Uint8Array(size);
  for (let k = 0; k < size; k++) bytes[k] = letters.charCodeAt(k % letters.length);
  return new Live.T[dtype].Store(bytes.buffer);
};
const FLOATS = {inf: Infinity, '-inf': -Infinity, nan: NaN};

function constant(told) {
  if ('i' in told) return BigInt(told.i);
  if ('f' in told) return FLOATS[told.f] ?? Number(told.f);
  return told.b ?? told.s ?? null;
}

function recorded({args, storages}) {
  const held = storages.map(elementsOf);
  return new Map(args.map(([name, told]) => {
    if (!told.tensor) return [name, constant(told)];
    const {dtype, shape, strides, start, storage} = told.tensor;
    const given = new Live.Argument(Live.T[dtype], shape, null, {strides, start, raw: held[storage]});
    return [name, storages[storage].blank ? blank(given) : given];
  }));
}

function blank(argument) {
  argument.blank = true;
  if (argument.dtype.floating) for (let k = 0; k < argument.span; k++) argument.put(k, NaN);
  return argument;
}

// The same numbers for the same seed, anywhere.
function numbers(kind, rows, columns, seed) {
  const x = Live.normal([rows, columns], seed).values();
  if (kind === 'count') return x.map((_, k) => k);
  return kind === 'low' ? x.map(each => each - 10) : x;
}

function byName({kind, rows, columns, seed, dtype}) {
  const type = Live.T[dtype], strides = [columns + 3, 1];  // a row ends before the next one begins: a stride is no width
  const x = new Live.Argument(type, [rows, columns], numbers(kind, rows, columns, seed), {strides});
  const y = blank(new Live.Argument(type, [rows, columns]));
  const block = BigInt(2 ** Math.ceil(Math.log2(columns)));
  return new Map(Object.entries({
    x_ptr: x, y_ptr: y, n_rows: BigInt(rows), n_cols: BigInt(columns), x_stride: BigInt(x.strides[0]), y_stride: BigInt(y.strides[0]),
    BLOCK_SIZE: block, BLOCK: block, total_ptr: new Live.Argument(Live.T.float32, [1]), flag_ptr: new Live.Argument(Live.T.int32, [1]),
  }));
}

const stop = (line, zh, en) => { throw Object.assign(new Error(en), {line, zh, en}); };

// The arguments of this kernel, in its order.
function argumentsOf(kernel, task) {
  const known = task.setting ? byName(task.setting) : recorded(task);
  return kernel.node.parameters.flatMap(({name, value, line}) => {
    if (known.has(name)) return [known.get(name)];
    if (value) return [];
    const names = [...known.keys()].join(', ');
    return stop(line, `这一页不知道给 ${name} 什么。它认得的名字：${names}。`, `This page does not know what to give ${name}. It knows: ${names}.`);
  });
}

// The kernel that programs run: the one of this name, or the last one of the text; and what it calls that stands elsewhere.
function kernelOf({text, before = '', kernel: name}) {
  const around = Live.load(before), names = Live.load(text, around), own = Object.values(names).filter(each => each instanceof Live.Kernel && each.text === text);
  Object.assign(around, names);  // what stands elsewhere calls what was written here
  const found = name && names[name] instanceof Live.Kernel ? names[name] : own.filter(each => each.jit).at(-1) ?? own.at(-1);
  if (!found) stop(0, '这里没有 kernel：要有 @triton.jit，下面是 def。', 'There is no kernel here: @triton.jit, and below it a def.');
  if (!found.jit) stop(found.node.line, 'kernel 要有 @triton.jit 这一行。', 'A kernel needs the line @triton.jit.');
  return found;
}
