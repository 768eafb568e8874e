// What a kernel of one's own is given, by the names of its parameters: a matrix, an empty one, their sizes.
const EMPTY = -4096;  // what y holds where nothing was written
const NAMED = {
  x_ptr: ({x}) => x,
  y_ptr: ({y}) => y,
  total_ptr: () => new Live.Argument(Live.T.float32, [1]),
  flag_ptr: () => new Live.Argument(Live.T.int32, [1]),
  n_rows: ({rows}) => BigInt(rows),
  n_cols: ({columns}) => BigInt(columns),
  x_stride: ({x}) => BigInt(x.strides[0]),
  y_stride: ({y}) => BigInt(y.strides[0]),
  BLOCK_SIZE: ({columns}) => BigInt(2 ** Math.ceil(Math.log2(columns))),
};

// The same numbers for the same seed, anywhere.
function numbers(kind, rows, columns, seed) {
  const x = Live.given({dtype: 'float32', shape: [rows, columns], random: seed}).values();
  if (kind === 'count') return x.map((_, k) => k);
  return kind === 'low' ? x.map(each => each - 10) : x;
}

function inputs({kind, rows, columns, seed, dtype}) {
  const type = Live.T[dtype], strides = [columns + 3, 1];  // a row ends before the next one begins: a stride is no width
  const x = new Live.Argument(type, [rows, columns], numbers(kind, rows, columns, seed), {strides});
  const y = new Live.Argument(type, [rows, columns], Array(rows * columns).fill(EMPTY));
  return {x, y, rows, columns};
}

// The arguments of this kernel, in its order.
function argumentsFor(kernel, given) {
  return kernel.node.parameters.flatMap(({name, value, line}) => {
    if (Object.hasOwn(NAMED, name)) return [NAMED[name](given)];
    if (value) return [];
    const known = Object.keys(NAMED).join(', ');
    throw Object.assign(new Error(), {line, zh: `这一页不知道给 ${name} 什么。它认得的名字：${known}。`, en: `This page does not know what to give ${name}. It knows: ${known}.`});
  });
}

// The kernel of a text that programs run: the last one.
function lastKernel(text) {
  const kernel = Object.values(Live.load(text)).filter(each => each instanceof Live.Kernel && each.jit).at(-1);
  if (!kernel) throw Object.assign(new Error(), {line: 0, zh: '这里没有 kernel：要有 @triton.jit，下面是 def。', en: 'There is no kernel here: @triton.jit, and below it a def.'});
  return kernel;
}
