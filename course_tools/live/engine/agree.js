// Whether two programs did the same on a probe; and where they first differ, in words. As course_utils.exercises.agreement has it.

const NEAR = {float16: [2e-3, 1e-4], bfloat16: [1e-2, 1e-3]};  // what a type itself rounds away
const numeric = x => typeof x === 'number' || typeof x === 'bigint';
const closeTo = (a, b, [relative, absolute]) => a === b || (a !== a && b !== b) || (Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= relative * Math.abs(b) + absolute);
const nearOf = (near, dtype) => near.map((one, k) => Math.max(one, NEAR[dtype.name]?.[k] ?? 0));

// The first element where they differ; -1 where they agree.
function differing(a, b, near) {
  const x = a.values(), y = b.values(), close = nearOf(near, b.dtype);
  return y.findIndex((one, i) => !closeTo(Number(x[i]), Number(one), close));
}

function valuesAgree(a, b, near) {
  if (b instanceof Argument) return differing(a, b, near) < 0;
  if (Array.isArray(b)) return Array.isArray(a) && a.length === b.length && b.every((one, i) => valuesAgree(a[i], one, near));
  return numeric(b) ? numeric(a) && closeTo(Number(a), Number(b), near) : typeof a === typeof b && a === b;
}

// `rows`: who did which row counts as well.
function same(a, b, near, rows) {
  for (const [fate, what] of [['raised', 'type'], ['astray', 'kind']])
    if (a[fate] || b[fate]) return a[fate]?.[what] === b[fate]?.[what] && a.reach === b.reach;
  const [mine, theirs] = [a, b].map(each => rows && JSON.stringify(Object.entries(each.rows).sort()));
  if (mine !== theirs) return false;
  if (b.written) return Object.entries(b.written).every(([name, value]) => valuesAgree(a.written[name], value, near));
  return valuesAgree(a.value, b.value, near);
}

// ---- in words: the tables that the notebook's judge speaks from

const few = numbers => numbers.slice(0, 4).map(x => general(x, 4)).join(', ') + (numbers.length > 4 ? ', …' : '');

function general(x, digits) {  // as Python's ".4g"
  x = Number(x);
  if (!Number.isFinite(x)) return String(x).toLowerCase().replace('infinity', 'inf');
  const [mantissa, power] = x.toExponential(digits - 1).split('e'), trimmed = text => text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  if (power >= -4 && power < digits) return trimmed(x.toFixed(digits - 1 - power));
  return `${trimmed(mantissa)}e${power[0]}${power.slice(1).padStart(2, '0')}`;
}

// A value that is a pair goes in half by half.
function inWords(sentence, values) {
  const [zh, en] = [0, 1].map(half => sentence[half].replace(/\{(\w+)(?::\.(\d)g)?\}/g, (_, name, digits) => {
    const value = Array.isArray(values[name]) ? values[name][half] : values[name];
    return digits ? general(value, Number(digits)) : value;
  }));
  return {zh, en: en.replace(/(?<![\d.,-])1 (row|column|element|part|block|program|stage|warp|byte|register)s\b/g, '1 $1')};
}

const short = x => Array.isArray(x) ? `(${x.map(short).join(', ')})` : typeof x === 'number' ? general(x, 6) : say(x);

function difference(got, want, [zh, en, , near], {kind, says}) {
  const tell = (key, values) => inWords(says[key], {asked: [zh, en], ...values});
  if (got.astray) return {...tell(got.astray.kind, got.astray), line: got.astray.line};
  if (kind === 'exposing') return tell('slips');
  if (kind === 'choice' && got.value === 'no choice') return tell('no choice');
  if (kind === 'choice' && numeric(got.value)) return tell('costs', {got: got.value, want: want.value});
  if (kind !== 'kernel') return valueDiffers(got.value, want.value, tell);
  if (Object.values(got.written).every(one => one.values().every(x => Number(x) === UNTOUCHED))) return tell('nothing written');
  for (const [name, value] of Object.entries(want.written)) {
    const at = differing(got.written[name], value, near);
    if (at < 0) continue;
    const place = [], mine = Number(got.written[name].values()[at]);
    value.shape.reduceRight((rest, size) => { place.unshift(rest % size); return Math.floor(rest / size); }, at);
    return tell(mine === UNTOUCHED ? 'unwritten' : NEAR[value.dtype.name] ? 'narrow' : 'place', {name, place: `[${place.join(', ')}]`, want: value.values()[at], got: mine});
  }
  const program = [...Object.keys(got.rows), ...Object.keys(want.rows)].sort().find(each => say(got.rows[each]) !== say(want.rows[each]));
  return tell('shares', {program, got: few(got.rows[program] ?? []) || '–', want: few(want.rows[program] ?? []) || '–'});
}

function valueDiffers(got, want, tell) {
  if (got === null) return tell('nothing returned');
  const name = typeName(got), a = 'aeiou'.includes(name[0]) ? 'an' : 'a', wanted = Array.isArray(want) && !(want instanceof List) ? 'tuple' : numeric(want) ? 'number' : '';
  if (wanted === 'number' ? !numeric(got) : wanted && !Array.isArray(got)) return tell('kind', {zh: wanted === 'tuple' ? '几个数' : '一个数', en: wanted === 'tuple' ? 'A tuple' : 'A number', a, got: name});
  if (Array.isArray(want) && got.length !== want.length) return tell('count', {want: want.length, got: got.length});
  return tell('number', {want: short(want), got: short(got)});
}
