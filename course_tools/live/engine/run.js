// Runs kernels. Programs are generators: one may stop at an access to memory, and another go on.

class Kernel {
  constructor(node, names, text = '') {
    Object.assign(this, {node, names, name: node.name, text});
    this.constants = new Set(node.parameters.filter(each => each.annotation && attributeName(each.annotation) === 'constexpr').map(each => each.name));
    this.jit = node.decorators.some(each => attributeName(each.func ?? each) === 'jit');
  }

  // What `bind` asks for; a value is found out when it is needed.
  get parameters() {
    return this.values ??= this.node.parameters.map(({name, value}) => ({name, value: value ? constantOf(value, this) : undefined}));
  }
}

const constantOf = (node, kernel) => finish(new Run(null).value(node, {variables: new Map(), kernel}));
const attributeName = node => node.attr ?? node.id;

// What is evaluated before a node itself is; of the others it depends.
const OPERANDS = {
  Constant: () => [], Name: () => [], Attribute: node => [node.value], UnaryOp: node => [node.operand], BinOp: node => [node.left, node.right],
  Compare: node => node.operands, Tuple: node => node.elts, List: node => node.elts, Dict: node => [...node.keys, ...node.values],
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

// The kernels and constants of a text, by name.
function load(text, names = {}) {
  const found = {...names};
  for (const node of parse(text).body) {
    const target = node.targets?.[0] ?? node.target;
    if (node.type === 'FunctionDef') found[node.name] = new Kernel(node, found, text);
    else if (target?.type === 'Name' && node.value) try { found[target.id] = constantOf(node.value, {names: found}); } catch { /* not for kernels */ }
  }
  return found;
}

const finish = generator => { let step = generator.next(); while (!step.done) step = generator.next(); return step.value; };

class Returned { constructor(value) { this.value = value; } }
const BREAK = {}, CONTINUE = {};
const MOST_STEPS = 2_000_000;

class Run {
  constructor(memory, {most = MOST_STEPS, seconds = settings.seconds, until = performance.now() + 1000 * seconds, printed = () => {}, ...more} = {}) {
    Object.assign(this, {memory, most, until, printed, frames: [], steps: 0, frameCount: 0}, more);
  }

  place() {
    const {line, kernel} = this.frames.at(-1) ?? {};
    return {line: line ?? 0, name: kernel?.name ?? '?', kernel};
  }

  // ---- functions

  * call(what, positional, named) {
    if (what?.bound) { positional = [what.value, ...positional]; what = what.bound; }
    if (what instanceof Kernel) return yield* this.enter(what, new Map(Object.entries(bind(what, positional, named))));
    if (!(what instanceof Builtin)) notA(typeName(what), '函数', 'function');
    const before = this.memory?.last, said = what.does(bind(what, positional, named), this), value = said?.next ? yield* said : said;
    if (this.turns && this.memory.last !== before) yield this.memory.last;
    return value;
  }

  * enter(kernel, variables) {
    if (this.frames.length > 60) refuse('函数一直在调用自己，没有停下来（RecursionError）。', 'The function calls itself without end (RecursionError).', {type: 'RecursionError'});
    const frame = {kernel, variables, line: kernel.node.line, number: this.frameCount++};
    this.frames.push(frame);
    this.listener?.entered(this, frame);
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
    if ((this.steps & 15) === 0 && performance.now() > this.until || ++this.steps > this.most) endless();
  }

  end(node, frame, returned) { this.listener?.stepped(this, frame, node, returned); }

  * statement(node, frame) {
    const {type, value: right} = node;
    this.begin(node, frame);
    if (this.byLine) yield null;
    if (type === 'For' || type === 'While') return yield* this.loop(node, frame);
    const test = node.test ? truth(yield* this.value(node.test, frame)) : null, old = type === 'AugAssign' ? yield* this.value(node.target, frame) : null;
    const text = type === 'Expr' && typeof right.value === 'string', value = right && !text ? yield* this.value(right, frame) : null;
    if (text) return null;
    switch (type) {
      case 'Assign':
        for (const target of node.targets) yield* this.assign(target, made(value, frame), frame);
        break;
      case 'AnnAssign': if (right) yield* this.assign(node.target, attributeName(node.annotation) === 'constexpr' ? value : made(value, frame), frame); break;
      case 'AugAssign': yield* this.assign(node.target, binary(node.op, old, value), frame); break;
      case 'Assert': if (!test) failed(); break;
      case 'FunctionDef': frame.variables.set(node.name, this.inner(node, frame));
    }
    this.end(node, frame, type === 'Return' ? value : undefined);
    if (type === 'If') return yield* this.body(test ? node.body : node.orelse, frame);
    return type === 'Return' ? new Returned(value) : type === 'Break' ? BREAK : type === 'Continue' ? CONTINUE : null;
  }

  * loop(node, frame) {
    const over = node.iter && (yield* this.value(node.iter, frame)), list = Array.isArray(over);
    if (node.iter && !list && !over?.made) noItems(over);
    const {first = 0n, last, by = 1n} = list ? {first: 0n, last: BigInt(over.length), by: 1n} : over ?? {};
    for (let i = first, going = true; going; i += by) {
      this.begin(node, frame);
      going = over ? by > 0n ? i < last : i > last : truth(yield* this.value(node.test, frame));
      if (over && going) yield* this.assign(node.target, list ? over[Number(i)] : frame.kernel.jit ? over.made(i) : i, frame);
      this.end(node, frame);
      const said = going ? yield* this.body(node.body, frame) : null;
      if (said === BREAK) return null;
      if (said && said !== CONTINUE) return said;
    }
    return yield* this.body(node.orelse, frame);
  }

  * assign(target, value, frame) {
    if (target.type === 'Name') frame.variables.set(target.id, value);
    else if (target.elts) {
      const {length} = target.elts;
      if (!Array.isArray(value)) noItems(value);
      if (value.length !== length) refuse('等号两边的个数不一样。', 'The two sides of = differ in number.', {unpacks: true});
      for (const [k, each] of target.elts.entries()) yield* this.assign(each, value[k], frame);
    } else if (target.type === 'Subscript' && !frame.kernel.jit) {
      const list = yield* this.value(target.value, frame);
      if (list instanceof Argument) return overwrite(yield* this.subscript(target, frame), value);
      list[itemOf(list instanceof List ? list : null, yield* this.value(target.slice, frame))] = value;
    } else oneValue();
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
        const left = yield* this.value(node.left, frame);
        if (!(left instanceof Tensor) && truth(left) === (node.op === 'or')) return left;
        const right = yield* this.value(node.right, frame);
        return left instanceof Tensor ? both(left, right, node.op === 'and' ? '&' : '|') : right;
      }
      case 'IfExp': return yield* this.value(truth(yield* this.value(node.test, frame)) ? node.body : node.orelse, frame);
      case 'Subscript': return yield* this.subscript(node, frame);
    }
    return node.type === 'Lambda' ? this.inner(node, frame) : List.from(yield* this.each(node, 0, {...frame, variables: new Map(frame.variables)}));
  }

  still(node, frame) { return this.apply(node, node.operands.map(each => this.still(each, frame)), frame); }

  // What a node makes of its operands.
  apply(node, all, frame) {
    const [x] = all, {jit} = frame.kernel;
    switch (node.type) {
      case 'Name': return this.name(node.id, frame);
      case 'Attribute': return attribute(x, node.attr);
      case 'BinOp': return binary(node.op, x, all[1]);
      case 'Compare': return node.ops.map((op, k) => compare(op, all[k], all[k + 1])).reduce((a, b) => both(a, b, '&'));
      case 'UnaryOp':
        if (node.op === 'not') return x instanceof Tensor ? inverted(compare('!=', x, 0n)) : !truth(x);
        return node.op === '-' ? negated(x) : node.op === '~' ? inverted(x) : x;
      case 'Tuple': return all;
      case 'List': return jit ? all : List.from(all);
      case 'Dict': return new Map(node.keys.map((_, k) => [say(all[k]), all[k + node.keys.length]]));
      case 'Constant': return node.ellipsis ? null : node.value;
    }
    return x;
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

  // An index, or the bounds of a slice, as an array.
  * part(node, frame) {
    if (node.type !== 'Slice') return yield* this.value(node, frame);
    const found = [];
    for (const each of [node.lower, node.upper, node.step]) found.push(each ? Number(yield* this.value(each, frame)) : undefined);
    return found;
  }

  * subscript({value: of, slice}, frame) {
    const value = yield* this.value(of, frame), parts = [];
    for (const each of slice.type === 'Tuple' ? slice.elts : [slice]) parts.push(yield* this.part(each, frame));
    const [key] = parts;
    if (value instanceof Map) return value.has(say(key)) ? value.get(say(key)) : lacks(JSON.stringify(say(key)).replaceAll('"', "'"), 'KeyError');
    if (value instanceof Argument) return sliced(value, parts);
    if (!Array.isArray(value) && !(value instanceof Tensor)) noItems(value);
    if (Array.isArray(value)) return slice.type === 'Slice' ? value.slice(...key) : value[itemOf(value, key)];
    const shape = [];
    let axis = 0;
    for (const part of parts) {
      if (part === null) shape.push(1);
      else if (Array.isArray(part) && !part.some(each => each !== undefined)) shape.push(value.shape[axis++] ?? 1);
      else oneValue();
    }
    return reshape(value, [...shape, ...value.shape.slice(axis)]);
  }

  name(id, {variables, kernel: {names = {}, jit}}) {
    if (variables.has(id)) return variables.get(id);
    const known = [names, PYTHON, jit ? {} : FORMULA], found = known.find(each => Object.hasOwn(each, id));
    return found ? found[id] : unknown(id, [...variables.keys(), ...known.flatMap(each => Object.keys(each))]);
  }
}

// What is called, with what, in order and by name.
function handed({args, keywords}, [what, ...all]) {
  const named = {}, given = all.slice(0, args.length);
  keywords.forEach(({name}, k) => { named[name] = all[args.length + k]; });
  return [what, args.some(each => each.type === 'Starred') ? given.flatMap((each, k) => args[k].type === 'Starred' ? each : [each]) : given, named];
}

const both = (a, b, op) => a instanceof Tensor || b instanceof Tensor ? binary(op, compare('!=', a, 0n), compare('!=', b, 0n)) : op === '&' ? truth(a) && b : truth(a) || b;

// What is assigned to a name becomes a number of Triton's, as in a compiled kernel.
const made = (value, frame) => plain(value) && frame.kernel.jit ? tensor(value) : value;

const OPTIONS = ['num_warps', 'num_stages', 'maxnreg', 'launch_pdl'];

// A launch, ready to go: its memory, the arguments as variables, and where each program stands in the grid.
function prepare(kernel, grid, positional, named = {}) {
  const memory = new Memory(), own = kernel.parameters.map(each => each.name);
  const variables = new Map(Object.entries(bind(kernel, positional, Object.fromEntries(Object.entries(named).filter(([name]) => own.includes(name) || !OPTIONS.includes(name))))));
  for (const [name, value] of variables) {
    if (value instanceof Argument) variables.set(name, memory.add(name, value));
    else if (!kernel.constants.has(name) && (typeof value === 'bigint' || typeof value === 'boolean')) variables.set(name, tensor(value));
  }
  const sizes = [...grid, 1, 1].slice(0, 3), steps = stepsOf(sizes);
  return {memory, variables, grid: sizes, programs: span(count(sizes)).map(n => steps.map((step, k) => Math.floor(n / step) % sizes[k]))};
}

// One after another. Gives every access that strayed; what was stored is in the arguments.
function launch(kernel, grid, positional, named, options = {}) {
  const {memory, variables, programs, ...ready} = prepare(kernel, grid, positional, named), astray = [], run = new Run(memory, {...options, ...ready});
  memory.undefined = options.undefined;
  memory.heard = access => {
    access.program = run.index;
    if (access.astray) astray.push(access);
    options.heard?.(access, run);
  };
  for (const index of programs) located(run, () => finish(run.enter(kernel, new Map(variables))), {index, frames: []});
  return {astray, memory, unwritten: memory.unwritten};
}

// Where it goes wrong is where that run stood.
function located(run, does, more) {
  Object.assign(run, more);
  try { return does(); } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError && /BigInt/.test(error.message)) error = new Refusal(`算不下去：${error.message}`, error.message);
    if (!(error instanceof Refusal)) throw error;
    const frame = run.frames.at(-1);
    throw Object.assign(error, {line: frame?.line ?? 0, within: frame?.kernel.name});
  }
}

// A function called as Python would, with plain values: an exercise whose answer is a formula.
function calculate(formula, positional, named = {}, options = {}) {
  const run = new Run(null, options);
  return located(run, () => finish(run.call(formula, positional, named)));
}

// Whose accesses repeat with nothing changed in memory is waiting; whoever changes it wakes all.
function noted(program, access, all) {
  const {place: {name, line}, kind, offset, values, changed} = access, key = [name, line, kind].join(), what = [...offset, ...values].join();
  program.fruitless = changed || program.seen.get(key) !== what ? 0 : program.fruitless + 1;
  program.seen.set(key, what);
  if (program.fruitless) Object.assign(program, {waits: access, woken: program.woken && program.fruitless < 2});
  if (changed) for (const each of all) { each.woken ||= each.fruitless > 1; each.fruitless = 0; }
}

// Programs that take turns, as on a GPU: `places` of them at a time, a turn ends at each access. Where all that have a place wait,
// nothing will ever change.
function together(kernel, grid, positional, named, {places = Infinity, order = 'up', repeats = 50, heard, barrier, ...limits} = {}) {
  const {memory, variables, programs: indices, ...ready} = prepare(kernel, grid, positional, named);
  const programs = indices.map((index, number) => {
    const run = new Run(memory, {...ready, ...limits, index, turns: true});
    return {number, run, body: run.enter(kernel, new Map(variables)), seen: new Map(), fruitless: 0};
  });
  const queue = [...programs], resident = [], script = Array.isArray(order) ? [...order] : [], eager = order === 'eager', random = typeof order === 'number';
  let now = null, last = -1, seed = random && order;
  const chance = n => { seed = seed * 1103515245 + 12345 & 0x7fffffff; return (seed >>> 8) % n; };
  memory.barrier = () => barrier?.(now);
  memory.heard = access => { access.program = now.run.index; heard?.(access, now); };
  if (eager || order === 'down') queue.reverse();
  if (random) for (let i = queue.length - 1; i > 0; i--) { const j = chance(i + 1); [queue[i], queue[j]] = [queue[j], queue[i]]; }
  while (queue.length || resident.length) {
    while (queue.length && resident.length < places) resident.push(queue.shift());
    const busy = resident.filter(each => each.fruitless < 2), choice = busy.length ? busy : resident;
    let next = null;
    while (!next && script.length) { const number = script.shift(); next = resident.find(each => each.number === number); }
    now = next ?? (random ? resident[chance(resident.length)]
      : eager && (choice.find(each => each.woken) ?? (busy.includes(now) && now)) || choice.find(each => resident.indexOf(each) > last) || choice[0]);
    last = resident.indexOf(now);
    const {done, value} = located(now.run, () => now.body.next());
    if (done) resident.splice(last--, 1);
    else noted(now, value, programs);
    if (resident.length && resident.every(each => each.fruitless >= repeats)) return {memory, deadlock: resident};
  }
  return {memory};
}
