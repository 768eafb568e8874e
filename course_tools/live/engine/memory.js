// What a launch is given and touches. Every tensor argument lies in a range of made-up addresses of its own: an address tells
// which argument it was computed from, and what falls outside reaches no memory. (As course_utils.interpreter.addresses has it.)

const RANGE = 2 ** 44;  // bytes between two arguments

// A tensor as torch has it: a view of a buffer. `data`: numbers to begin with.
class Argument {
  constructor(dtype, shape, data = null, {strides, buffer, start = 0} = {}) {
    if (!strides) { strides = []; let step = 1; for (let k = shape.length - 1; k >= 0; k--) { strides[k] = step; step *= shape[k]; } }
    this.span = shape.includes(0) ? 0 : 1 + shape.reduce((sum, size, k) => sum + (size - 1) * strides[k], 0);
    Object.assign(this, {dtype, shape, strides, start, bytes: Math.max(1, dtype.bits >> 3)});
    this.buffer = buffer ?? new ArrayBuffer((start + this.span) * this.bytes);
    this.raw = new (rawStore(dtype))(this.buffer);
    this.owned = new Uint8Array(this.span);
    this.each(offset => { this.owned[offset] = 1; });
    if (data) { let i = 0; this.each(offset => { this.put(offset, data[i++]); }); }
  }

  each(visit) {
    if (!this.span) return;
    const index = this.shape.map(() => 0);
    while (true) {
      visit(index.reduce((sum, place, k) => sum + place * this.strides[k], 0), index);
      let k = this.shape.length - 1;
      while (k >= 0 && ++index[k] === this.shape[k]) index[k--] = 0;
      if (k < 0) return;
    }
  }

  get(offset) { const from = fromRaw(this.dtype), x = this.raw[this.start + offset]; return from ? from(x) : x; }
  put(offset, x) {
    const to = toRaw(this.dtype);
    this.raw[this.start + offset] = to ? to(Number(x)) : this.dtype.big ? BigInt(x) : Number(x);
  }
  values() { const found = []; this.each(offset => found.push(this.get(offset))); return found; }
  copy() { return new Argument(this.dtype, this.shape, null, {strides: this.strides, start: this.start, buffer: this.buffer.slice(0)}); }
}

class Memory {
  constructor() { this.arguments = []; this.heard = null; this.undefined = false; this.unwritten = 0; }

  add(name, argument) {
    this.arguments.push({name, argument});
    return scalar(pointerTo(argument.dtype), this.arguments.length * RANGE);
  }

  // Visits every lane that the mask lets through: its number, its argument (-1: none), and its place there; counts those astray.
  touch(kind, pointers, mask, place, visit, more = {}) {
    const width = Math.max(1, pointers.dtype.element.bits >> 3), {data} = pointers, size = data.length;
    const access = {kind, place, lanes: size, owner: new Int16Array(size).fill(-1), offset: new Float64Array(size), asked: new Uint8Array(size), inside: new Uint8Array(size), width, ...more};
    for (let i = 0; i < size; i++) {
      let owner = Math.floor((data[i] + RANGE / 2) / RANGE) - 1;
      const given = this.arguments[owner];
      access.owner[i] = given ? owner : -1;
      access.offset[i] = given ? Math.floor((data[i] - (owner + 1) * RANGE) / given.argument.bytes) : data[i];
      if (mask && !mask.data[mask.size === 1 ? 0 : i]) continue;
      access.asked[i] = 1;
      if (!given) { access.astray = true; visit(i, null); continue; }
      const {argument} = given, first = access.offset[i], last = Math.floor((data[i] - (owner + 1) * RANGE + width - 1) / argument.bytes);
      if (first >= 0 && last < argument.span && argument.owned[first] && argument.owned[last]) {
        access.inside[i] = 1;
        visit(i, argument, first);
      } else { access.astray = true; visit(i, null); }
    }
    return access;
  }

  view(argument, dtype) {  // the same bytes, as another type
    if (dtype === argument.dtype) return argument.raw;
    return new (rawStore(dtype))(argument.buffer);
  }

  at(argument, dtype, pointer) {
    return dtype === argument.dtype ? null : (argument.start * argument.bytes + pointer) / (dtype.bits >> 3);
  }

  tell(access) {
    this.last = access;
    this.heard?.(access);
  }

  load(pointers, mask, other, place, volatile = false) {
    const dtype = pointers.dtype.element, out = store(dtype, pointers.size), from = fromRaw(dtype);
    const nothing = dtype.floating ? NaN : dtype.big ? 0n : 0;
    if (other) out.set(other.size === 1 ? store(dtype, pointers.size).fill(other.item) : other.data);
    else if (mask && pointers.size > 1 && mask.data.some(one => !one)) {
      const rubbish = dtype.floating ? NaN : dtype.big ? BigInt.asIntN(64, (1n << BigInt(dtype.bits - dtype.signed)) - 1n) : 2 ** (dtype.bits - dtype.signed) - 1;
      this.unwritten++;
      if (this.undefined) out.fill(rubbish);
    }
    const access = this.touch('load', pointers, mask, place, (i, argument, offset) => {
      if (!argument) { out[i] = nothing; return; }
      const other = this.at(argument, dtype, pointers.data[i] % RANGE);
      const x = other === null ? argument.raw[argument.start + offset] : this.view(argument, dtype)[other];
      out[i] = from ? from(x) : x;
    }, {volatile, masked: mask && 1});
    access.values = out;
    this.tell(access);
    const masked = mask && mask.size > 1 && mask.data.some(one => !one) ? Uint8Array.from(mask.data, one => !one) : null;
    return new Tensor(dtype, pointers.shape, out, masked);
  }

  store(pointers, value, mask, place) {
    const dtype = pointers.dtype.element, to = toRaw(dtype);
    const access = this.touch('store', pointers, mask, place, (i, argument, offset) => {
      if (!argument) return;
      const x = value.data[value.size === 1 ? 0 : i], other = this.at(argument, dtype, pointers.data[i] % RANGE);
      (other === null ? argument.raw : this.view(argument, dtype))[other ?? argument.start + offset] = to ? to(x) : x;
    }, {changed: true, masked: mask && 1});
    access.values = value.data;
    this.tell(access);
  }

  // One lane after another, as a GPU does it in some order.
  atomic(pointers, value, mask, combine, place, order) {
    const dtype = pointers.dtype.element, to = toRaw(dtype), from = fromRaw(dtype), out = store(dtype, pointers.size);
    let changed = false;
    const access = this.touch('atomic', pointers, mask, place, (i, argument, offset) => {
      if (!argument) return;
      const raw = argument.raw, at = argument.start + offset, before = from ? from(raw[at]) : raw[at];
      const was = raw[at], after = combine(before, value.data[value.size === 1 ? 0 : i], i);
      raw[at] = to ? to(after) : after;
      changed ||= raw[at] !== was;
      out[i] = before;
    }, {order});
    Object.assign(access, {changed, values: out});
    this.tell(access);
    return new Tensor(dtype, pointers.shape, out);
  }
}
