// Runs kernels. Programs are generators: one may stop at an access to memory, and another go on.

class Kernel {
  constructor(node, names, text = '') {
    Object.assign(this, {node, names, name: node.name, text});
    this.constants = new Set(node.parameters.filter(each => each.annotation && attributeName(each.annotation) === 'constexpr').map(each => each.name));
    this.jit = node.decorators.some(each => attributeName(each.type === 'Call' ? each.func : each) === 'jit');
  }
}

// What is evaluated before a node itself is; of the others it depends.
const OPERANDS = {
  Constant: () => [], Name: () => [], Attribute: node => [node.value], UnaryOp: node => [node.operand], BinOp: node => [node.left, node.right],
  Compare: node => [node.left, ...node.comparators], Tuple: node => node.elts, List: node => node.elts, Dict: node => [...node.keys, ...node.values],
  Starred: node => [node.value], Call: ({func, args, keywords}) => [func, ...args, ...keywords.map(each => each.value)],
};

// A generator costs; where nothing is called nobody stops, and none is needed.
function still(node) {
  if (node.still === undefined) {
    node.operands = OPERANDS[node.type]?.(node);
    node.still = !!node.operands && node.type !== 'Call' && node.operands.every(still);
  }
  return node.still;
}

const attributeName = node => node.attr ?? node.id;

// The kernels and constants of a text, by name.
function load(text, names = {}) {
  const found = {...names}, at = new Run(null, {});
  for (const node of parse(text).body) {
    if (node.type === 'FunctionDef') found[node.name] = new Kernel(node, found, text);
    else if (node.type === 'Assign' || (node.type === 'AnnAssign' && node.value)) {
      const target = node.targets?.[0] ?? node.target;
      if (target.type === 'Name') try { found[target.id] = finish(at.value(node.value, {variables: new Map(), kernel: {names: found}})); } catch { /* not for kernels */ }
    }
  }
  return found;
}

const finish = generator => { let step = generator.next(); while (!step.done) step = generator.next(); return step.value; };

class Returned { constructor(value) { this.value = value; } }
const BREAK = {}, CONTINUE = {};
const MOST_STEPS = 2_000_000;


class Run {
  constructor(memory, {grid = [1, 1, 1], listener = null, printed = () => {}, most = MOST_STEPS, seconds = settings.seconds, until = performance.now() + 1000 * seconds} = {}) {
    Object.assign(this, {memory, grid, listener, printed, most, until, index: [0, 0, 0], frames: [], steps: 0, frameCount: 0});
  }

  place() {
    const frame = this.frames.at(-1);
    return {line: frame?.line ?? 0, name: frame?.kernel.name ?? '?', kernel: frame?.kernel};
  }

  // ---- functions

  * call(what, positional, named) {
    if (what?.bound) { positional = [what.value, ...positional]; what = what.bound; }
    if (what instanceof Builtin) {
      const before = this.memory?.last, said = what.does(what.bind(positional, named), this);
      const value = said && typeof said.next === 'function' ? yield* said : said;
      if (this.memory && this.memory.last !== before && this.turns) yield this.memory.last;
      return value;
    }
    if (!(what instanceof Kernel)) refuse(`${say(what)} 不能调用。`, `${say(what)} cannot be called.`);
    return yield* this.enter(what, bound(what, positional, named));
  }

  * enter(kernel, variables) {
    if (this.frames.length > 60) refuse('函数调用得太深。', 'Calls go too deep.');
    const frame = {kernel, variables, line: kernel.node.line, number: this.frameCount++};
    this.frames.push(frame);
    this.listener?.entered?.(this, frame);
    const said = yield* this.body(kernel.node.body, frame);
    this.frames.pop();
    return said instanceof Returned ? said.value : null;
  }

  // ---- statements

  * body(nodes, frame) {
    for (const node of nodes) {
      const said = yield* this.statement(node, frame);
      if (said) return said;
    }
    return null;
  }

  begin(node, frame) {
    frame.line = node.line;
    this.node = node;
    if ((this.steps & 15) === 0 && performance.now() > this.until) refuse('运行了太久：是不是停不下来？', 'This takes too long: does it ever end?', {late: true});
    if (++this.steps > this.most) refuse(`走了 ${this.most} 步还没有结束。`, `It has not ended after ${this.most} steps.`, {late: true});
  }

  end(node, frame, returned) { this.listener?.stepped?.(this, frame, node, returned); }

  * statement(node, frame) {
    this.begin(node, frame);
    if (this.byLine) yield null;
    switch (node.type) {
      case 'Expr':
        if (!(node.value.type === 'Constant' && typeof node.value.value === 'string' || node.value.ellipsis)) yield* this.value(node.value, frame);
        else if (!node.value.ellipsis) return null;
        break;
      case 'Assign': {
        if (node.targets.length > 1 && frame.kernel.jit) refuse('kernel 里一行只能有一个等号。', 'A kernel takes one = a line.');
        const given = yield* this.value(node.value, frame);
        for (const target of node.targets) yield* this.assign(target, made(given, frame), frame);
        break;
      }
      case 'AnnAssign': {
        const value = node.value ? yield* this.value(node.value, frame) : null;
        if (node.value) yield* this.assign(node.target, attributeName(node.annotation) === 'constexpr' ? value : made(value, frame), frame);
        break;
      }
      case 'AugAssign': {
        const old = yield* this.value(node.target, frame);
        yield* this.assign(node.target, binary(node.op, old, yield* this.value(node.value, frame)), frame);
        break;
      }
      case 'If': {
        const test = truth(yield* this.value(node.test, frame));
        this.end(node, frame);
        return yield* this.body(test ? node.body : node.orelse, frame);
      }
      case 'While':
        while (true) {
          this.begin(node, frame);
          const test = truth(yield* this.value(node.test, frame));
          this.end(node, frame);
          if (!test) break;
          const said = yield* this.body(node.body, frame);
          if (said === BREAK) break;
          if (said && said !== CONTINUE) return said;
        }
        return null;
      case 'For': return yield* this.loop(node, frame);
      case 'Return': {
        const value = node.value ? yield* this.value(node.value, frame) : null;
        this.end(node, frame, value);
        return new Returned(value);
      }
      case 'Assert': if (!truth(yield* this.value(node.test, frame))) refuse('断言不成立。', 'An assertion failed.'); break;
      case 'Break': case 'Continue':
        if (frame.kernel.jit) refuse(`kernel 里不能用 ${node.type.toLowerCase()}：编译不了。`, `A kernel has no ${node.type.toLowerCase()}: it does not compile.`);
        this.end(node, frame);
        return node.type === 'Break' ? BREAK : CONTINUE;
      case 'Pass': case 'Import': break;
      case 'FunctionDef':
        if (frame.kernel.jit) refuse('kernel 里不能再定义函数。', 'A kernel cannot define a function.');
        frame.variables.set(node.name, this.inner(node, frame));
        break;
    }
    this.end(node, frame);
    return null;
  }

  * loop(node, frame) {
    const over = yield* this.value(node.iter, frame);
    if (!frame.kernel.jit && over?.made) over.made = i => i;
    const pass = Array.isArray(over) ? {first: 0n, last: BigInt(over.length), by: 1n, made: i => over[Number(i)]} : over;
    if (!pass?.made) refuse('for 要用 tl.range、range 或 tl.static_range。', 'for takes tl.range, range or tl.static_range.');
    for (let i = pass.first; pass.by > 0n ? i < pass.last : i > pass.last; i += pass.by) {
      this.begin(node, frame);
      yield* this.assign(node.target, pass.made(i), frame);
      this.end(node, frame);
      const said = yield* this.body(node.body, frame);
      if (said === BREAK) return null;
      if (said && said !== CONTINUE) return said;
    }
    this.begin(node, frame);
    this.end(node, frame);
    return yield* this.body(node.orelse, frame);
  }

  * assign(target, value, frame) {
    if (target.type === 'Name') frame.variables.set(target.id, value);
    else if (target.type === 'Tuple' || target.type === 'List') {
      if (!Array.isArray(value) || value.length !== target.elts.length) refuse(`左边 ${target.elts.length} 个名字，右边 ${Array.isArray(value) ? value.length : 1} 个值。`, `${target.elts.length} names on the left, ${Array.isArray(value) ? value.length : 1} values on the right.`, {unpacks: true});
      for (const [k, each] of target.elts.entries()) yield* this.assign(each, value[k], frame);
    } else if (target.type === 'Subscript' && !frame.kernel.jit) {
      const list = yield* this.value(target.value, frame);
      if (list instanceof Argument) return overwrite(yield* this.subscript(target, frame), value);
      const k = Number(yield* this.value(target.slice, frame)), at = k < 0 ? list.length + k : k;
      if (!(list instanceof List) || !(at in list)) refuse(`${say(list)} 没有第 ${k} 个可以改。`, `${say(list)} has no item ${k} to change.`);
      list[at] = value;
    } else refuse('块里的单个元素不能赋值：块是一个整体，用 tl.where。', 'An element of a block cannot be assigned: a block is one value. Use tl.where.');
  }

  // ---- expressions

  * value(node, frame) {
    if (still(node)) return this.still(node, frame);
    if (node.operands) {
      const all = [];
      for (const each of node.operands) all.push(each.still ? this.still(each, frame) : yield* this.value(each, frame));
      return node.type === 'Call' ? yield* this.call(...handed(node, all)) : this.apply(node, all, frame);
    }
    switch (node.type) {
      case 'BoolOp': {
        let found = yield* this.value(node.values[0], frame);
        for (const each of node.values.slice(1)) {
          if (!(found instanceof Tensor) && truth(found) === (node.op === 'or')) return found;
          const next = yield* this.value(each, frame);
          found = found instanceof Tensor ? both(found, next, node.op === 'and' ? '&' : '|') : next;
        }
        return found;
      }
      case 'IfExp': return yield* this.value(truth(yield* this.value(node.test, frame)) ? node.body : node.orelse, frame);
      case 'Subscript': return yield* this.subscript(node, frame);
      case 'Lambda': case 'ListComp':
        if (frame.kernel.jit) refuse('kernel 里不能用 lambda 和推导式。', 'A kernel has neither lambda nor comprehensions.');
        return node.type === 'Lambda' ? this.inner(node, frame) : List.from(yield* this.each(node, 0, {...frame, variables: new Map(frame.variables)}));
    }
    refuse('看不懂这个式子。', 'This expression is not understood.');
  }

  still(node, frame) { return this.apply(node, node.operands.map(each => this.still(each, frame)), frame); }

  // What a node makes of its operands.
  apply(node, all, frame) {
    const [x] = all;
    switch (node.type) {
      case 'Name': return this.name(node.id, frame);
      case 'Attribute': return attribute(x, node.attr);
      case 'BinOp': return binary(node.op, x, all[1]);
      case 'Compare': return node.ops.map((op, k) => compare(op, all[k], all[k + 1])).reduce((a, b) => both(a, b, '&'));
      case 'UnaryOp':
        if (node.op === 'not') return x instanceof Tensor ? inverted(compare('!=', x, 0n)) : !truth(x);
        return node.op === '-' ? negated(x) : node.op === '~' ? inverted(x) : x;
      case 'List': return frame.kernel.jit ? all : List.from(all);
      case 'Dict':
        if (frame.kernel.jit) refuse('kernel 里没有字典。', 'A kernel has no dictionaries.');
        return new Map(node.keys.map((_, k) => [say(all[k]), all[k + node.keys.length]]));
      case 'Constant': return node.ellipsis ? null : node.value;
      case 'Tuple': return all;
      default: return x;
    }
  }

  // A function within a formula sees the names around it, as they are when it is called.
  inner(node, {kernel, variables}) {
    return new Kernel(node, new Proxy(kernel.names, {
      get: (names, id) => variables.has(id) ? variables.get(id) : names[id],
      getOwnPropertyDescriptor: (names, id) => variables.has(id) ? {configurable: true, value: variables.get(id)} : Object.getOwnPropertyDescriptor(names, id),
    }));
  }

  * each(node, k, frame) {  // the values of a comprehension
    if (k === node.loops.length) return [yield* this.value(node.elt, frame)];
    const {target, iter, ifs} = node.loops[k], found = [];
    for (const item of items(yield* this.value(iter, frame))) {
      this.begin(node, frame);
      yield* this.assign(target, item, frame);
      let taken = true;
      for (const test of ifs) taken = taken && truth(yield* this.value(test, frame));
      if (taken) found.push(...yield* this.each(node, k + 1, frame));
    }
    return found;
  }

  * bounds({lower, upper, step}, frame) {
    const found = [];
    for (const each of [lower, upper, step]) found.push(each ? Number(yield* this.value(each, frame)) : undefined);
    return found;
  }

  * subscript(node, frame) {
    const value = yield* this.value(node.value, frame);
    if (value instanceof Map) {
      const key = yield* this.value(node.slice, frame);
      if (!value.has(say(key))) refuse(`字典里没有 ${say(key)}。`, `The dictionary has no ${say(key)}.`, {type: 'KeyError'});
      return value.get(say(key));
    }
    if (value instanceof Argument) {
      const parts = [];
      for (const each of node.slice.type === 'Tuple' ? node.slice.elts : [node.slice]) parts.push(each.type === 'Slice' ? yield* this.bounds(each, frame) : Number(yield* this.value(each, frame)));
      return sliced(value, parts);
    }
    if (Array.isArray(value) && node.slice.type === 'Slice') return value.slice(...yield* this.bounds(node.slice, frame));
    if (!(value instanceof Tensor)) {
      const index = yield* this.value(node.slice, frame), k = index instanceof Tensor ? Number(index.item) : Number(index);
      const found = value?.at?.(k);
      if (found === undefined) refuse(`${say(value)} 没有第 ${k} 个。`, `${say(value)} has no item ${k}.`, {type: 'IndexError'});
      return found;
    }
    const shape = [], parts = node.slice.type === 'Tuple' ? node.slice.elts : [node.slice];
    let axis = 0;
    for (const part of parts) {
      if (part.type === 'Constant' && part.value === null) shape.push(1);
      else if (part.type === 'Slice' && !part.lower && !part.upper) shape.push(value.shape[axis++] ?? 1);
      else refuse('块只能用 : 和 None 取下标，不能取其中的元素。', 'A block takes : and None as indices; its elements cannot be picked.');
    }
    return reshape(value, [...shape, ...value.shape.slice(axis)]);
  }

  name(id, frame) {
    if (frame.variables.has(id)) return frame.variables.get(id);
    const {names} = frame.kernel;
    if (names && Object.hasOwn(names, id)) return names[id];
    if (Object.hasOwn(PYTHON, id)) return PYTHON[id];
    if (!frame.kernel.jit && Object.hasOwn(FORMULA, id)) return FORMULA[id];
    throw unknown(id, [...frame.variables.keys(), ...Object.keys(names ?? {}), ...Object.keys(PYTHON)]);
  }
}

// What is called, with what, in order and by name.
function handed({args, keywords}, [what, ...all]) {
  const named = Object.fromEntries(keywords.map((each, k) => [each.name, all[args.length + k]]));
  return [what, args.flatMap((each, k) => each.type === 'Starred' ? all[k] : [all[k]]), named];
}

const both = (a, b, op) => a instanceof Tensor || b instanceof Tensor ? binary(op, compare('!=', a, 0n), compare('!=', b, 0n)) : op === '&' ? truth(a) && b : truth(a) || b;

// What is assigned to a name becomes a number of Triton's, as in a compiled kernel.
const made = (value, frame) => plain(value) && frame.kernel.jit ? tensor(value) : value;

function bound(kernel, positional, named) {
  const variables = new Map(), {parameters} = kernel.node;
  if (positional.length > parameters.length) refuse(`${kernel.name} 有 ${parameters.length} 个参数，给了 ${positional.length} 个。`, `${kernel.name} takes ${parameters.length} arguments; ${positional.length} were given.`);
  parameters.forEach((each, k) => {
    if (k < positional.length) variables.set(each.name, positional[k]);
    else if (Object.hasOwn(named, each.name)) variables.set(each.name, named[each.name]);
    else if (each.value) variables.set(each.name, finish(new Run(null, {}).value(each.value, {variables: new Map(), kernel})));
    else refuse(`${kernel.name} 少了参数 ${each.name}。`, `${kernel.name} needs the argument ${each.name}.`);
  });
  for (const name of Object.keys(named)) if (!parameters.some(each => each.name === name)) refuse(`${kernel.name} 没有参数 ${name}。`, `${kernel.name} has no argument ${name}.`);
  return variables;
}

const OPTIONS = ['num_warps', 'num_stages', 'num_ctas', 'maxnreg', 'launch_pdl'];

// A launch, ready to go: its memory, and a generator for each program.
function prepare(kernel, grid, positional, named = {}, options = {}) {
  const memory = new Memory();
  memory.undefined = !!options.undefined;
  named = Object.fromEntries(Object.entries(named).filter(([name]) => !OPTIONS.includes(name) || kernel.node.parameters.some(each => each.name === name)));
  const variables = bound(kernel, positional, named);
  for (const [name, value] of variables) {
    if (value instanceof Argument) variables.set(name, memory.add(name, value));
    else if (!kernel.constants.has(name) && (typeof value === 'bigint' || typeof value === 'boolean')) variables.set(name, tensor(value));
  }
  return {memory, variables, grid: [...grid, 1, 1].slice(0, 3)};
}

// One after another. Gives every access that strayed; what was stored is in the arguments.
function launch(kernel, grid, positional, named = {}, options = {}) {
  const ready = prepare(kernel, grid, positional, named, options), astray = [];
  ready.memory.heard = access => {
    access.program = run.index;
    if (access.astray) astray.push(access);
    options.heard?.(access, run);
  };
  const run = new Run(ready.memory, {...options, grid: ready.grid});
  const [nx, ny, nz] = ready.grid;
  for (let x = 0; x < nx; x++) for (let y = 0; y < ny; y++) for (let z = 0; z < nz; z++) {
    run.index = [x, y, z];
    run.frames = [];
    if (options.only && options.only.join() !== run.index.join() && options.skip) continue;
    run.listener = options.only && options.only.join() !== run.index.join() ? null : options.listener ?? null;
    try { finish(run.enter(kernel, new Map(ready.variables))); }
    catch (error) { throw located(error, run); }
  }
  return {astray, memory: ready.memory, unwritten: ready.memory.unwritten, run};
}

function located(error, run) {
  if (error instanceof RangeError || error instanceof TypeError && /BigInt/.test(error.message)) error = new Refusal(`算不下去：${error.message}`, error.message);
  if (!(error instanceof Refusal)) return error;
  const frame = run.frames.at(-1);
  error.line = frame?.line ?? 0;
  error.name = 'KernelError';
  error.within = frame?.kernel.name;
  return error;
}

// Programs that take turns, as on a GPU: `places` of them at a time, a turn ends at each access. Whose accesses repeat with
// nothing changed in memory is waiting; where all that have a place wait, nothing will ever change.
function together(kernel, grid, positional, named = {}, {places = Infinity, order = 'up', repeats = 50, heard, barrier, undefined: strict, seconds = settings.seconds, until = performance.now() + 1000 * seconds} = {}) {
  const ready = prepare(kernel, grid, positional, named, {undefined: strict}), astray = [], programs = [];
  const [nx, ny, nz] = ready.grid;
  for (let x = 0; x < nx; x++) for (let y = 0; y < ny; y++) for (let z = 0; z < nz; z++) {
    const run = new Run(ready.memory, {grid: ready.grid, until});
    run.index = [x, y, z];
    run.turns = true;
    programs.push({number: programs.length, run, body: run.enter(kernel, new Map(ready.variables)), seen: new Map(), fruitless: 0});
  }
  let now = null;
  ready.memory.barrier = () => barrier?.(now);
  ready.memory.heard = access => { access.program = now.run.index; if (access.astray) astray.push(access); heard?.(access, now); };
  let seed = typeof order === 'number' ? order : 0;
  const chance = n => { seed = seed * 1103515245 + 12345 & 0x7fffffff; return (seed >>> 8) % n; };
  const queue = [...programs];
  if (order === 'down' || order === 'eager') queue.reverse();
  if (typeof order === 'number') for (let i = queue.length - 1; i > 0; i--) { const j = chance(i + 1); [queue[i], queue[j]] = [queue[j], queue[i]]; }
  const resident = [], script = Array.isArray(order) ? [...order] : [];
  let last = -1;
  while (queue.length || resident.length) {
    while (queue.length && resident.length < places) resident.push(queue.shift());
    const busy = resident.filter(each => each.fruitless < 2), choice = busy.length ? busy : resident, woken = order === 'eager' && choice.find(each => each.woken);
    let next = null;
    while (!next && script.length) { const number = script.shift(); next = resident.find(each => each.number === number); }
    now = next ?? (typeof order === 'number' ? resident[chance(resident.length)] : woken || (order === 'eager' && choice.includes(now) && now.fruitless < 2 && now)
      || (choice.find(each => resident.indexOf(each) > last) ?? choice[0]));
    last = resident.indexOf(now);
    let step;
    try { step = now.body.next(); } catch (error) { throw located(error, now.run); }
    if (step.done) { resident.splice(last--, 1); continue; }
    const access = step.value, key = `${access.place.name}:${access.place.line}:${access.kind}`, what = [...access.offset, ...access.values].join();
    if (access.changed || now.seen.get(key) !== what) now.fruitless = 0;
    else { now.fruitless++; now.waits = access; now.woken &&= now.fruitless < 2; }
    now.seen.set(key, what);
    if (access.changed) for (const each of programs) { each.woken ||= each.fruitless > 1; each.fruitless = 0; }
    if (resident.length && resident.every(each => each.fruitless >= repeats)) return {astray, memory: ready.memory, deadlock: resident, queue};
  }
  return {astray, memory: ready.memory};
}

// A function called as Python would, with plain values: an exercise whose answer is a formula.
function calculate(formula, positional, named = {}, options = {}) {
  const run = new Run(null, options);
  try { return finish(run.call(formula, positional, named)); } catch (error) { throw located(error, run); }
}
