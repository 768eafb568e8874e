// What one program did, statement by statement: as course_utils.stepper.trace has it. Tensors never change, so nothing is copied.

class Trace {
  constructor(most = 100_000) { Object.assign(this, {steps: [], frames: [], waiting: [], most}); }

  entered(run, frame) {
    this.frames[frame.number] = new Map();
    this.close(run, frame, 'enter', frame.kernel.node.line);
  }

  stepped(run, frame, node, returned) { this.close(run, frame, 'line', node.line, returned); }

  close(run, frame, kind, line, returned) {
    const seen = this.frames[frame.number], changed = {};
    for (const [name, value] of [...frame.variables, ...returned === undefined || returned === null ? [] : [['return', returned]]]) if (seen.get(name) !== value) {
      seen.set(name, value);
      Object.assign(changed, parts(name, value));
    }
    const mine = each => each.frame === frame;
    this.steps.push({kind, line, name: frame.kernel.name, frame: frame.number, callers: run.frames.slice(0, -1).map(each => [each.kernel.name, each.line]), changed, touches: this.waiting.filter(mine).map(each => each.access)});
    this.waiting = this.waiting.filter(each => !mine(each));
    if (this.steps.length >= this.most) throw Object.assign(new Error('enough'), {enough: true});
  }

  heard(access, run) { if (run.listener && access.asked.some(Boolean)) this.waiting.push({frame: run.frames.at(-1), access}); }
}

const parts = (name, value) => Array.isArray(value) ? Object.assign({}, ...value.map((each, k) => parts(`${name}[${k}]`, each))) : {[name]: value};

// A variable in plain terms: of addresses, the tensor that they point into and the elements.
const KINDS_OF = {bigint: 'int', number: 'float', boolean: 'bool'};

function plainly(value, memory) {
  if (!(value instanceof Tensor)) return plain(value) ? {kind: 'number', dtype: KINDS_OF[typeof value], shape: [], data: value} : {kind: 'plain', dtype: 'str', shape: [], data: typeof value === 'string' ? value : String(value?.name ?? value)};
  const {dtype, shape, padding} = value, told = (kind, dtype, data, tensor) => ({kind, dtype: dtype === 'int1' ? 'bool' : dtype, shape, padding, tensor, data: value.block ? data : data[0]});
  if (!(dtype instanceof Pointer)) return told(value.block ? 'block' : 'number', dtype.name, value.data);
  const owner = Math.floor((value.item + RANGE / 2) / RANGE) - 1;
  return told('pointer', dtype.element.name, value.data.map(each => Math.floor((each - (owner + 1) * RANGE) / dtype.element.bytes)), memory.arguments[owner]?.name ?? '?');
}
