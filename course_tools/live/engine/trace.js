// What one program did, statement by statement: as course_utils.stepper.trace has it. Tensors never change, so nothing is copied.

class Trace {
  constructor(most = 100_000) { Object.assign(this, {steps: [], frames: [], waiting: [], most, error: null}); }

  entered(run, frame) {
    this.frames[frame.number] = new Map();
    this.close(run, frame, 'enter', frame.kernel.node.line);
  }

  stepped(run, frame, node, returned) { this.close(run, frame, 'line', node.line, returned); }

  close(run, frame, kind, line, returned) {
    const seen = this.frames[frame.number], changed = {};
    const variables = returned === undefined || returned === null ? frame.variables : new Map([...frame.variables, ['return', returned]]);
    for (const [name, value] of variables) if (seen.get(name) !== value) {
      seen.set(name, value);
      for (const [part, item] of parts(name, value)) changed[part] = item;
    }
    const mine = this.waiting.filter(each => each.frame === frame).map(each => each.access);
    this.waiting = this.waiting.filter(each => each.frame !== frame);
    this.steps.push({kind, line, name: frame.kernel.name, frame: frame.number, callers: run.frames.slice(0, -1).map(each => [each.kernel.name, each.line]), changed, touches: mine});
    if (this.steps.length >= this.most) throw Object.assign(new Error('enough'), {enough: true});
  }

  heard(access, run) { if (run.listener && access.asked.some(Boolean)) this.waiting.push({frame: run.frames.at(-1), access}); }

  // The variables of the function that step is in, as they are after it.
  values(index) {
    const {frame} = this.steps[index], found = new Map();
    for (const step of this.steps.slice(0, index + 1)) if (step.frame === frame) for (const [name, value] of Object.entries(step.changed)) found.set(name, value);
    return found;
  }
}

function* parts(name, value) {
  if (!Array.isArray(value)) yield [name, value];
  else for (let k = 0; k < value.length; k++) yield* parts(`${name}[${k}]`, value[k]);
}

// A variable in plain terms: of addresses, the tensor that they point into and the elements.
function plainly(value, memory) {
  if (!(value instanceof Tensor)) return {kind: value instanceof DType ? 'plain' : typeof value, data: value};
  if (!(value.dtype instanceof Pointer)) return {kind: value.block ? 'block' : 'number', dtype: value.dtype.name === 'int1' ? 'bool' : value.dtype.name, data: value.data, padding: value.padding};
  const bytes = Math.max(1, value.dtype.element.bits >> 3);
  const owner = Math.floor((value.data[0] + RANGE / 2) / RANGE) - 1;
  return {kind: 'pointer', dtype: value.dtype.element.name, tensor: memory.arguments[owner]?.name ?? '?', data: value.data.map(each => Math.floor((each - (owner + 1) * RANGE) / bytes))};
}

function trace(kernel, grid, program, positional, named = {}, options = {}) {
  const found = new Trace(options.most);
  const copies = positional.map(each => each?.copy ? each.copy() : each), kept = Object.fromEntries(Object.entries(named).map(([name, each]) => [name, each?.copy ? each.copy() : each]));
  found.before = null;
  try {
    const done = launch(kernel, grid, copies, kept, {...options, only: [...program, 0, 0].slice(0, 3), skip: options.skip ?? false, listener: found, heard: (access, run) => found.heard(access, run)});
    found.memory = done.memory;
  } catch (error) { if (!error.enough) { if (error.en === undefined) throw error; found.error = error; } }
  return found;
}
