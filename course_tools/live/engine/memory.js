// What a launch is given and touches. Every tensor argument lies in a range of made-up addresses of its own: an address tells
// which argument it was computed from, and what falls outside reaches no memory. (As course_utils.interpreter.addresses has it.)

const RANGE = 2 ** 44;  // bytes between two arguments

// A tensor as torch has it: a view of a buffer. `data`: numbers to begin with.
class Argument {
  constructor(dtype, shape, data = null, {strides = stepsOf(shape), buffer, start = 0} = {}) {
    const places = layout(shape, strides), span = places.length && places.at(-1) + 1, bytes = Math.max(1, dtype.bits >> 3);
    buffer ??= new ArrayBuffer((start + span) * bytes);
    Object.assign(this, {dtype, shape, strides, start, places, span, bytes, buffer, raw: new (rawStore(dtype))(buffer), owned: new Uint8Array(span)});
    for (let k = 0; k < places.length; k++) {
      this.owned[places[k]] = 1;
      if (data) this.put(places[k], data[k]);
    }
  }

  get(offset) { const from = fromRaw(this.dtype), x = this.raw[this.start + offset]; return from ? from(x) : x; }
  put(offset, x) {
    const to = toRaw(this.dtype);
    this.raw[this.start + offset] = to ? to(Number(x)) : this.dtype.big ? BigInt(x) : Number(x);
  }
  values() { return Array.from(this.places, offset => this.get(offset)); }
  copy() {
    const buffer = this.buffer.slice(0);
    return Object.assign(Object.create(Argument.prototype), this, {buffer, raw: new this.raw.constructor(buffer)});
  }
}

class Memory {
  constructor() { this.arguments = []; this.heard = null; this.undefined = false; this.unwritten = 0; }

  add(name, argument) {
    this.arguments.push({name, argument});
    return scalar(pointerTo(argument.dtype), this.arguments.length * RANGE);
  }

  // Visits every lane that the mask lets through: its number, its argument (null: none), and its place there; marks what strays.
  touch(kind, pointers, mask, place, visit, more = {}) {
    const width = Math.max(1, pointers.dtype.element.bits >> 3), {data} = pointers, size = data.length;
    const access = {kind, place, lanes: size, owner: new Int16Array(size), offset: new Float64Array(size), asked: new Uint8Array(size), inside: new Uint8Array(size), width, ...more};
    let base = NaN, owner = -1, argument = null;  // of the lane before, and mostly of this one
    for (let i = 0; i < size; i++) {
      if (!(Math.abs(data[i] - base) < RANGE / 2)) {
        owner = Math.floor((data[i] + RANGE / 2) / RANGE) - 1;
        argument = this.arguments[owner]?.argument;
        base = (owner + 1) * RANGE;
        if (!argument) { owner = -1; base = NaN; }
      }
      const first = argument ? Math.floor((data[i] - base) / argument.bytes) : data[i];
      access.owner[i] = owner;
      access.offset[i] = first;
      if (mask && !mask.data[mask.size === 1 ? 0 : i]) continue;
      access.asked[i] = 1;
      if (argument && argument.owned[first] && argument.owned[Math.floor((data[i] - base + width - 1) / argument.bytes)]) {
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

  load(pointers, mask, other, at, volatile = false) {
    const dtype = pointers.dtype.element, out = store(dtype, pointers.size), from = fromRaw(dtype), some = mask && mask.size > 1 && mask.data.includes(0);
    const nothing = dtype.floating ? NaN : dtype.big ? 0n : 0;
    if (other) out.set(other.size === 1 ? store(dtype, pointers.size).fill(other.item) : other.data);
    else if (mask && pointers.size > 1 && mask.data.includes(0)) {
      const rubbish = dtype.floating ? NaN : dtype.big ? BigInt.asIntN(64, (1n << BigInt(dtype.bits - dtype.signed)) - 1n) : 2 ** (dtype.bits - dtype.signed) - 1;
      this.unwritten++;
      if (this.undefined) out.fill(rubbish);
    }
    const access = this.touch('load', pointers, mask, at.place(), (i, argument, offset) => {
      if (!argument) { out[i] = nothing; return; }
      const other = this.at(argument, dtype, pointers.data[i] % RANGE);
      const x = other === null ? argument.raw[argument.start + offset] : this.view(argument, dtype)[other];
      out[i] = from ? from(x) : x;
    }, {volatile});
    access.values = out;
    this.tell(access);
    return new Tensor(dtype, pointers.shape, out, some && at.listener ? mask.data.map(one => 1 - one) : null);  // padding is for who looks on
  }

  store(pointers, value, mask, place) {
    const dtype = pointers.dtype.element, to = toRaw(dtype);
    const access = this.touch('store', pointers, mask, place, (i, argument, offset) => {
      if (!argument) return;
      const x = value.data[value.size === 1 ? 0 : i], other = this.at(argument, dtype, pointers.data[i] % RANGE);
      (other === null ? argument.raw : this.view(argument, dtype))[other ?? argument.start + offset] = to ? to(x) : x;
    }, {changed: true});
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
