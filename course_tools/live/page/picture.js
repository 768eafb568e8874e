// The picture of a step, as the notebook's stepper draws it (course_utils/stepper/view.py): the source with its line, the
// variables as strips of lanes, the tensors. Text in, text out.
const LANES = 16, ROWS = 6, LINES = 24;
const GAP = '<td class="gap">⋯</td>', CORNER = '<td class="gap"></td>';
const DOT = '<span class="dot" title="刚刚改变 · just changed">●</span> ';
const safe = text => String(text).replace(/[&<>"]/g, letter => `&#${letter.charCodeAt()};`);
const spans = (zh, en) => zh === en ? zh : `<span lang="zh">${zh}</span><span class="course-both"> · </span><span lang="en">${en}</span>`;
const span = length => Array.from({length}, (_, k) => k);

const {general} = Live;  // a number with so many digits

const phone = matchMedia('(max-width: 40rem)');

// In at most so many characters, with as many digits as fit.
function brief(x, dtype, most = phone.matches ? 5 : 6) {
  if (dtype === 'bool') return x ? '✓' : '✗';
  if (Number.isNaN(x)) return 'NaN';
  if (x === Infinity || x === -Infinity) return x > 0 ? '∞' : '−∞';
  const said = [...whole(dtype) ? [String(x)] : [], ...[6, 5, 4, 3, 2, 1].filter(digits => digits < most).map(digits => general(x, digits))];
  return said.find(text => text.length <= most) ?? said.at(-1);
}
const whole = dtype => /int|pointer/.test(dtype);

// Which of `count` places to draw: all of a few; else both ends and both sides of each mark, null for a gap.
function chosen(count, marks, most) {
  if (count <= most) return span(count);
  const wanted = new Set([0, 1, 2, 3, count - 1]);
  for (const mark of [...marks].sort((a, b) => a - b)) {
    const near = [mark - 2, mark - 1, mark, mark + 1].filter(place => place >= 0 && place < count);
    if (new Set([...wanted, ...near]).size <= most) near.forEach(each => wanted.add(each));
  }
  for (let place = 0; place < count && wanted.size < most - 2; place++) wanted.add(place);
  const sorted = [...wanted].sort((a, b) => a - b);
  return sorted.flatMap((place, k) => k && place !== sorted[k - 1] + 1 ? [null, place] : [place]);
}

// From a value to how strongly its cell is coloured.
function shades(data) {
  let low = Infinity, high = -Infinity;
  for (const each of data) { const x = Number(each); if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); } }
  return x => high > low ? (Number(x) - low) / (high - low) : .1;
}

const UNWRITTEN = '<td title="没有写过 · not written">·</td>';

function cell(x, dtype, shade, kind = '', tip = '') {
  const odd = dtype === 'bool' ? x ? 'yes' : 'no' : Number.isNaN(x) ? 'nan' : Math.abs(Number(x)) === Infinity ? 'inf' : '';
  const style = odd || kind === 'pad' ? '' : ` style="--a:${(.08 + .6 * shade(x)).toFixed(2)}"`, tag = {pad: 'i', rd: 'u', wr: 'b'}[kind] ?? 'span';
  const full = dtype === 'bool' ? x ? 'True' : 'False' : whole(dtype) ? x : general(x, 6);
  return `<td class="${[kind, odd].filter(Boolean).join(' ')}"${style} title="${safe(tip || full)}"><${tag}>${brief(x, dtype)}</${tag}></td>`;
}

const laneNumbers = columns => `<tr>${CORNER}${columns.map(each => each === null ? CORNER : `<th>${each}</th>`).join('')}</tr>`;

// ---- the parts

function source({functions}, step) {
  const text = functions[step.name] ?? {first: 1, lines: []}, {first, lines} = text;
  const callers = step.callers.map(([name, line]) => `<span class="caller">${safe(name)} ${spans(`第 ${line} 行`, `line ${line}`)} ▸ ${colouredLine((functions[name]?.lines[line - functions[name].first] ?? '').trim())}\n</span>`);
  const start = lines.length > LINES ? Math.min(Math.max(0, step.line - first - LINES / 2), lines.length - LINES) : 0;
  return `<pre class="src">${callers.join('')}${listing(text, start, LINES, step.line)}</pre>`;
}

// A kernel once, and before each line the programs that are there; who is inside a helper is at the line that called it.
function sourceOfAll({functions}, kernel, steps, now) {
  const text = functions[kernel], at = steps.map(step => step && (step.callers[0]?.[1] ?? step.line));
  const who = number => `${at.map((line, program) => line === number ? program : ' ').join('')} `;
  return `<pre class="src">${listing(text, 0, text.lines.length, at[now], who)}</pre>`;
}

// So many lines of a function from one on, with their numbers, the one that runs marked; `who` says what stands before a number.
function listing({first, lines}, start, count, now, who = () => '') {
  const digits = String(first + lines.length).length;
  return lines.slice(start, start + count).map((line, k) => {
    const number = first + start + k, before = who(number), code = `${before}${String(number).padStart(digits)}</span> ${colouredLine(line)}\n`;
    return number === now ? `<b class="now" aria-current="step"><span class="no">▶ ${code}</b>` : `<span${before.trim() && ' class="at"'}><span class="no">  ${code}</span>`;
  }).join('');
}

const HTML = {c1: 'i', s1: 's', nd: 'd', k: 'k', mi: 'm'};

// A line in the colours of course_utils/stepper/coloured.py.
function colouredLine(line) {
  let found = '', at = 0;
  for (const [kind, text, index] of piecesOf(line)) {
    found += safe(line.slice(at, index)) + (kind === 'c1' ? `<i>${safe(text)}</i>` : `<span class="${HTML[kind]}">${safe(text)}</span>`);
    at = index + text.length;
  }
  return found + safe(line.slice(at));
}

function valuesAt(side, index) {
  const {frame} = side.steps[index], found = new Map();
  for (const step of side.steps.slice(0, index + 1)) if (step.frame === frame) for (const [name, value] of Object.entries(step.changed)) found.set(name, value);
  return found;
}

// What that function is yet to name, as it will first be.
function laterThan(side, index) {
  const {frame} = side.steps[index], known = valuesAt(side, index), found = new Map();
  for (const step of side.steps.slice(index + 1)) if (step.frame === frame) for (const [name, value] of Object.entries(step.changed)) if (!known.has(name) && !found.has(name)) found.set(name, value);
  return found;
}

const rowsOf = value => { const wide = value.shape.at(-1); return span(value.data.length / wide).map(row => [row * wide, wide]); };

function edges(values) {
  const marks = new Map();
  for (const value of values.values()) if (value.shape.length) {
    const found = marks.get(value.shape.at(-1)) ?? marks.set(value.shape.at(-1), new Set()).get(value.shape.at(-1));
    for (const list of [value.padding, value.dtype === 'bool' ? value.data : null]) if (list) {
      const turns = span(value.shape.at(-1)).slice(1).filter(k => rowsOf(value).some(([from]) => list[from + k] !== list[from + k - 1]));
      turns.slice(0, 4).forEach(each => found.add(each));
    }
  }
  return marks;
}

const typed = value => `${value.kind === 'pointer' ? '*' : ''}${value.dtype}${value.shape.length ? `[${value.shape.join('×')}]` : ''}`;

// What a later step brings is there, and hidden: nothing jumps while one steps.
function variables(side, index) {
  const {changed} = side.steps[index], values = valuesAt(side, index), later = laterThan(side, index), all = new Map([...values, ...later]), singles = [], tables = new Map();
  const columns = new Map([...edges(all)].map(([lanes, marks]) => [lanes, chosen(lanes, marks, LANES)]));
  for (const [name, value] of all) {
    const fresh = name in changed, kind = fresh ? ' class="new"' : '', hidden = later.has(name) ? ' hidden' : '', label = `${fresh ? DOT : ''}<span>${safe(name)}</span>`;
    if (!value.shape.length) {
      if (value.kind === 'pointer' && value.tensor === name && !value.data) continue;  // a tensor's own pointer says no more than the tensor
      const shown = value.kind === 'pointer' ? `${safe(value.tensor)} + ${value.data}` : value.kind === 'number' ? brief(value.data, value.dtype, 12) : safe(value.data);
      singles.push(`<span${kind}${hidden} title="${typed(value)}">${label} = ${shown}</span>`);
      continue;
    }
    const lanes = value.shape.at(-1);
    tables.set(lanes, `${tables.get(lanes) ?? ''}<tbody${hidden}>${block(value, columns.get(lanes), `${label} <small>${typed(value)}</small>`, kind)}</tbody>`);
  }
  const shown = new Set([...values.values()].map(value => value.shape.at(-1)));
  const blocks = [...tables].map(([lanes, rows]) => `<table${shown.has(lanes) ? '' : ' hidden'}>${laneNumbers(columns.get(lanes))}${rows}</table>`);
  return `<div class="vars"><div class="singles">${singles.join(' &nbsp; ')}</div>${blocks.join('')}</div>`;
}

function block(value, columns, label, kind) {
  const rows = rowsOf(value), dtype = value.kind === 'pointer' ? 'pointer' : value.dtype, shade = shades(value.data), drawn = chosen(rows.length, [], ROWS);
  if (value.kind === 'pointer') label += ` <small>${safe(value.tensor)} +</small>`;
  const lines = drawn.map((row, k) => {
    const head = k ? '' : `<th class="name" rowspan="${drawn.length}">${label}</th>`;
    return `<tr${kind}>${head}${columns.map(column => row === null || column === null ? GAP : cell(value.data[rows[row][0] + column], dtype, shade, value.padding?.[rows[row][0] + column] ? 'pad' : '')).join('')}</tr>`;
  });
  return lines.join('');
}

// What a tensor holds after a step; and, of a blank one, which places hold nothing yet.
function contents(side, owner, index) {
  const data = side.tensors[owner].data.slice(), empty = new Set(side.tensors[owner].blank ? data.keys() : []);
  for (const [step, whose, offset, x] of side.writes) if (step <= index && whose === owner) {
    data[offset] = x;
    empty.delete(offset);
  }
  return [data, empty];
}

function layout({shape, strides}) {
  let places = [0];
  for (const [axis, size] of shape.entries()) places = places.flatMap(from => span(size).map(k => from + k * strides[axis]));
  return {places, columns: shape.at(-1) ?? 1};
}

function tensor(side, owner, index) {
  const {name, dtype, shape} = side.tensors[owner], step = side.steps[index], touches = step.touches.filter(each => each.tensor === name);
  const title = `<b>${safe(name)}</b> <small>${dtype}[${shape.join('×')}]</small>`, [data, empty] = contents(side, owner, index), {places, columns: wide} = layout(side.tensors[owner]);
  const said = touches.map(touch => `<div>${reached(touch, data.length)}</div>`).join('') || '<div>&nbsp;</div>';
  if (!data.length) return `<div class="tensor">${title}${said}</div>`;
  const marked = kinds => new Set(touches.filter(each => kinds.includes(each.kind)).flatMap(each => each.offsets.filter((_, k) => each.inside[k])));
  const written = marked(['store', 'atomic']), read = marked(['load']);
  const [rows, columns] = shownWindow(side, name, index, places, wide), shade = shades(places.filter(each => !empty.has(each)).map(each => data[each]));
  const lines = rows.map(row => `<tr>${row === null ? CORNER : `<th>${row}</th>`}${columns.map(column => {
    if (row === null || column === null) return GAP;
    const offset = places[row * wide + column];
    if (empty.has(offset) && !read.has(offset)) return UNWRITTEN;
    const x = dtype === 'bool' ? !!data[offset] : data[offset];
    return cell(x, dtype, shade, written.has(offset) ? 'wr' : read.has(offset) ? 'rd' : '', `${name}[${row}, ${column}] = ${whole(dtype) ? x : general(x, 6)} (+${offset})`);
  }).join('')}</tr>`);
  return `<div class="tensor">${title}${said}<table>${laneNumbers(columns)}${lines.join('')}</table></div>`;
}

// Which rows and columns to draw: those that this step touched, else those touched last.
function shownWindow(side, name, index, places, wide) {
  const tall = places.length / wide;
  if (tall <= ROWS && wide <= LANES) return [span(tall), span(wide)];
  const latest = side.steps.slice(0, index + 1).findLast(step => step.touches.some(each => each.tensor === name));
  const touched = new Set(latest?.touches.filter(each => each.tensor === name).flatMap(each => each.offsets.filter((_, k) => each.inside[k])) ?? []);
  const at = [...places.keys()].filter(k => touched.has(places[k])), rows = at.map(k => Math.floor(k / wide)), columns = at.map(k => k % wide);
  const least = list => list.reduce((a, b) => Math.min(a, b)), most = list => list.reduce((a, b) => Math.max(a, b));
  return [chosen(tall, at.length ? [rows[0], rows.at(-1) + 1] : [], ROWS), chosen(wide, at.length ? [least(columns), most(columns) + 1] : [], LANES)];
}

// Places as a few runs: 0–4, 8.
function ranges(list) {
  const sorted = [...new Set(list)].sort((a, b) => a - b), runs = [];
  for (const each of sorted) if (runs.length && runs.at(-1)[1] === each - 1) runs.at(-1)[1] = each; else runs.push([each, each]);
  const said = runs.slice(0, 4).map(([a, b]) => a === b ? a : `${a}–${b}`);
  return said.join(', ') + (runs.length > 4 ? ', …' : '');
}

const VERBS = {load: ['读', 'loads'], store: ['写', 'stores'], atomic: ['原子更新', 'updates']};

function reached(touch, size) {
  const inside = touch.offsets.filter((_, k) => touch.inside[k]), astray = touch.offsets.filter((_, k) => !touch.inside[k]), [verbZh, verbEn] = VERBS[touch.kind];
  const elements = ranges(inside), more = inside.length ? [`，元素 ${elements}`, `, elements ${elements}`] : ['', ''];
  const what = touch.lanes === 1 && inside.length === 1 ? [`${verbZh}元素 ${elements}`, `${verbEn} element ${elements}`]
    : [`${verbZh}块里的 ${inside.length} / ${touch.lanes}${more[0]}`, `${verbEn} ${inside.length} / ${touch.lanes} of the block${more[1]}`];
  const said = `<span class="chip ${touch.kind === 'load' ? 'rd' : 'wr'}">${touch.kind === 'load' ? '<u>3</u>' : '<b>3</b>'}</span> `
    + spans(...what);
  if (!astray.length) return said;
  const where = ranges(astray), between = astray.every(each => each >= 0 && each < size);
  const [zh, en] = between ? [`${astray.length} 个元素越界：${where} 夹在张量的元素之间，却不是它的`, `${astray.length} elements out of bounds: ${where} lie between the tensor's own, where the view skips`]
    : [`${astray.length} 个元素越界：要的是 ${where}，而有效的是 0–${size - 1}`, `${astray.length} elements out of bounds: ${where} are asked for, but 0–${size - 1} are valid`];
  return `${said}<div class="bad"><div lang="zh">${zh}</div><div lang="en">${en}</div></div>`;
}

const memoryOf = (side, index) => `<div class="mem">${side.tensors.map((_, owner) => tensor(side, owner, index)).join('')}${
  side.steps[index].touches.filter(each => each.tensor === '?').map(() => `<div class="bad">${spans('指针不属于任何张量', 'a pointer that belongs to no tensor')}</div>`).join('')}</div>`;

const LEGEND = `<div class="legend">${[['rd', '<u>3</u>', '这一步读', 'read by this step'], ['wr', '<b>3</b>', '这一步写', 'written by this step'], ['pad', '<i>3</i>', '掩码关掉的元素', 'masked-off element'],
  ['inf', '−∞', '无穷', 'infinite'], ['nan', 'NaN', '不是数', 'not a number']].map(([kind, sample, zh, en]) => `<span><span class="chip ${kind}">${sample}</span> ${spans(zh, en)}</span>`).join('')}<span><span class="chip" style="--a:0.08">3</span> … <span class="chip" style="--a:0.68">3</span> ${
  spans('从小到大', 'smallest to largest')}</span><span>${DOT}${spans('这一步改变', 'changed by this step')}</span></div>`;

const plainError = error => error && `<div class="bad">${spans(safe(error.zh), safe(error.en))}</div>`;

// ---- one program, or several side by side

function drawStep(film, index) {
  const [side] = film.sides, several = side.grid.filter(size => size > 1).length > 1, last = side.steps.length - 1;
  const number = several ? `(${side.program.join(', ')})` : side.program[0], count = several ? side.grid.join('×') : side.grid[0];
  const head = `<b>${safe(side.kernel)}</b> ${spans(`第 ${number} 号 program（共 ${count} 个）`, `program ${number} (of ${count})`)} &nbsp; ${spans(`第 ${index} / ${last} 步`, `step ${index} / ${last}`)}`;
  const bad = index < last ? '' : plainError(film.error) || (film.stopped ? `<div class="bad">${spans(`记录了 ${last + 1} 步就停下了`, `The recording stops after ${last + 1} steps`)}</div>` : '');
  return `<div class="course-step"><div class="head">${head}</div>${bad}${source(film, side.steps[index])}<div class="cols">${memoryOf(side, index)}${variables(side, index)}</div>${LEGEND}</div>`;
}

const STATES = {ready: ['可以走', 'can go on'], moving: ['走了这一步', 'took this step'], waiting: ['在等', 'waiting'], ended: ['结束了', 'ended']};

function drawTogether(film, index) {
  const [number, step, states] = film.moves[index], last = film.moves.length - 1, latest = {};
  for (const [program, at] of film.moves.slice(0, index + 1)) latest[program] = at;
  const columns = film.sides.map((side, k) => {
    const at = side.steps[latest[k]], helper = at?.callers.length ? ` <code>${at.name}</code>` : '';
    const head = `<div class="head ${states[k]}">${k === number ? '▶ ' : ''}<b>program ${k}</b> ${spans(...STATES[states[k]])}${helper}</div>`;
    return `<div class="one">${head}<div${k in latest ? '' : ' hidden'}>${variables(side, latest[k] ?? 0)}</div></div>`;
  });
  const code = sourceOfAll(film, film.sides[number].kernel, film.sides.map((side, k) => side.steps[latest[k]]), number);
  const end = index < last ? '' : plainError(film.error) || (film.deadlock ? `<div class="bad"><b>${spans('死锁：驻留的都在等。', 'Deadlock: all that have a place are waiting.')}</b></div>` : '');
  return `<div class="course-step"><div class="head"><b>${safe(film.sides[number].kernel)}</b> &nbsp; ${spans(`第 ${index} / ${last} 步，program ${number} 走`, `step ${index} / ${last}, program ${number} moves`)}</div>${end}${memoryOf(film.sides[number], step)}${code}<div class="together">${columns.join('')}</div>${LEGEND}</div>`;
}
