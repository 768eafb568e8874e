// What a launch is given and touches. Every tensor argument lies in a range of made-up addresses of its own: an address tells
// which argument it was computed from, and what falls outside reaches no memory. (As course_utils.interpreter.addresses has it.)

const RANGE = 2 ** 44;  // bytes between two arguments

// A tensor as torch has it: a view of elements that lie in `raw`. `data`: numbers to begin with.
class Argument {
  constructor(dtype, shape, data = null, {strides = stepsOf(shape), raw, start = 0} = {}) {
    const places = layout(shape, strides), span = places.length && places.at(-1) + 1;
    raw ??= store(dtype, start + span);
    Object.assign(this, {dtype, shape, strides, start, places, span, raw, owned: new Uint8Array(span)});
    places.forEach((place, k) => {
      this.owned[place] = 1;
      if (data) this.put(place, data[k]);
    });
  }

  get(offset) { return this.raw[this.start + offset]; }
  put(offset, x) { this.raw[this.start + offset] = fit(this.dtype, x); }
  values() { return Array.from(this.places, offset => this.get(offset)); }
  copy() { return Object.assign(Object.create(Argument.prototype), this, {raw: this.raw.slice()}); }
}

class Memory {
  constructor() { Object.assign(this, {arguments: [], heard: null, undefined: false, unwritten: 0}); }

  add(name, argument) {
    this.arguments.push({name, argument});
    return scalar(pointerTo(argument.dtype), this.arguments.length * RANGE);
  }

  // Visits every lane that the mask lets through and that lies in an argument; marks what strays; tells who listens.
  touch(kind, pointers, mask, place, visit, more) {
    const {data, size, dtype: {element}} = pointers, width = element.bytes;
    const access = {kind, place, lanes: size, owner: new Int16Array(size), offset: new Float64Array(size), asked: new Uint8Array(size), inside: new Uint8Array(size), width, ...more};
    let base = NaN, owner = -1, argument = null;  // of the lane before, and mostly of this one
    for (let i = 0; i < size; i++) {
      if (!(Math.abs(data[i] - base) < RANGE / 2)) {
        owner = Math.floor((data[i] + RANGE / 2) / RANGE) - 1;
        argument = this.arguments[owner]?.argument;
        base = (owner + 1) * RANGE;
        if (!argument) { owner = -1; base = NaN; }
      }
      const offset = argument ? (data[i] - base) / width : data[i];
      access.owner[i] = owner;
      access.offset[i] = Math.floor(offset);
      if (mask && !mask.data[mask.size === 1 ? 0 : i]) continue;
      access.asked[i] = 1;
      if (argument?.owned[offset]) {
        access.inside[i] = 1;
        visit(i, argument.raw, argument.start + offset);
      } else access.astray = true;
    }
    this.last = access;
    return access;
  }

  load(pointers, mask, other, at, volatile) {
    const dtype = pointers.dtype.element, out = store(dtype, pointers.size), some = mask?.size > 1 && mask.data.includes(0);
    if (other) other.size === 1 ? out.fill(other.item) : out.set(other.data);
    else if (mask && pointers.size > 1 && mask.data.includes(0)) {
      this.unwritten++;
      if (this.undefined) out.fill(fit(dtype, dtype.floating ? NaN : dtype.big ? 1n << 62n : Infinity));
    }
    const access = this.touch('load', pointers, mask, at.place(), (i, raw, k) => { out[i] = raw[k]; }, {volatile, values: out});
    if (access.astray) for (let i = 0; i < out.length; i++) if (access.asked[i] && !access.inside[i]) out[i] = fit(dtype, NaN);
    this.heard?.(access);
    return new Tensor(dtype, pointers.shape, out, some && at.listener ? mask.data.map(one => 1 - one) : null);  // padding is for who looks on
  }

  store(pointers, {data}, mask, at) {
    this.heard?.(this.touch('store', pointers, mask, at.place(), (i, raw, k) => { raw[k] = data[data.length === 1 ? 0 : i]; }, {changed: true, values: data}));
  }

  // One lane after another, as a GPU does it in some order.
  atomic(pointers, {data}, mask, combine, at, order) {
    const dtype = pointers.dtype.element, out = store(dtype, pointers.size);
    let changed = false;
    const access = this.touch('atomic', pointers, mask, at.place(), (i, raw, k) => {
      const was = out[i] = raw[k], after = combine(was, data[data.length === 1 ? 0 : i], i);
      raw[k] = dtype.floating ? fit(dtype, after) : after;
      changed ||= raw[k] !== was;
    }, {order, values: out});
    access.changed = changed;
    this.heard?.(access);
    return new Tensor(dtype, pointers.shape, out);
  }
}
