// "Your own kernel": write, run, step, find races; what was written stays in the address and in storage.
const $ = name => document.querySelector(`.own [data-own="${name}"]`);
const safe = text => String(text).replace(/[&<>]/g, letter => `&#${letter.charCodeAt()};`);
const two = (zh, en) => both([safe(zh), safe(en)]);
const shown = x => typeof x === 'bigint' ? String(x) : Number.isFinite(x) ? Number.isInteger(x) ? String(x) : String(+x.toPrecision(4)) : String(x).replace('Infinity', 'inf');

const HEAD = '@triton.jit\ndef kernel(y_ptr, x_ptr, n_cols, y_stride, x_stride, BLOCK_SIZE: tl.constexpr):\n';
const STARTS = {
  empty: `${HEAD}    row = tl.program_id(0)\n    \n`,
  broken: `${HEAD}    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * x_stride + cols, mask=mask, other=0.0)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * y_stride + cols, e / tl.sum(e, axis=0), mask=mask)
`,
  race: `@triton.jit
def kernel(total_ptr, x_ptr, n_cols, x_stride, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + cols, mask=cols < n_cols, other=0.0)
    so_far = tl.load(total_ptr)
    tl.store(total_ptr, so_far + tl.sum(x, axis=0))
`,
};
const CONTROLS = ['kind', 'dtype', 'rows', 'columns', 'seed'];
const FIRST = {kind: 'low', dtype: 'float32', rows: 4, columns: 5, seed: 1};

const editor = new Editor($('editor'), said('kernel 的代码 · The kernel’s code'), changed);
let stepped = null, later = 0;

// ---- what is kept

const packed = text => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const unpacked = text => new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt()));

function state() {
  return {text: editor.text, ...Object.fromEntries(CONTROLS.map(name => [name, $(name).value]))};
}

function restore(kept) {
  for (const name of CONTROLS) if (kept[name] !== undefined) $(name).value = kept[name];
  editor.text = kept.text;
}

function remember() {
  const kept = packed(JSON.stringify(state()));
  try { history.replaceState(null, '', `${location.search}#own=${kept}`); } catch { location.hash = `own=${kept}`; }
  try { localStorage.setItem('course.own', kept); } catch { /* a private window */ }
}

function recalled() {
  const fromAddress = /^#own=([\w-]+)$/.exec(location.hash)?.[1];
  let kept = fromAddress;
  try { kept ??= localStorage.getItem('course.own'); } catch { /* a private window */ }
  try { if (kept) return JSON.parse(unpacked(kept)); } catch { /* a link cut short */ }
  return {...FIRST, text: STARTS.broken};
}

function changed() {
  $('out').replaceChildren();
  $('steps').hidden = true;
  stepped = null;
  clearTimeout(later);
  later = setTimeout(remember, 400);
}

// ---- what is done

function setting() {
  const whole = (name, most) => Math.min(Math.max(Math.trunc(+$(name).value) || 1, 1), most);
  const chosen = {kind: $('kind').value, dtype: $('dtype').value, rows: whole('rows', 64), columns: whole('columns', 4096), seed: whole('seed', 999)};
  for (const name of ['rows', 'columns', 'seed']) $(name).value = chosen[name];
  return chosen;
}

function prepared() {
  const kernel = lastKernel(editor.text), given = inputs(setting());
  return {kernel, given, grid: [given.rows], positional: argumentsFor(kernel, given)};
}

// Does it, and says what was refused at its line. A mistake of the page's own is no mistake of the learner's.
function attempt(does) {
  $('steps').hidden = true;
  stepped = null;
  editor.mark(null);
  remember();
  try { does(); } catch (error) { refused(error); }
}

function refused(error) {
  if (error.en === undefined) throw error;
  editor.mark(error.line || null, 'wrong');
  const [zh, en] = error.line ? [`第 ${error.line} 行：`, `Line ${error.line}: `] : ['', ''];
  say('wrong', two(zh + error.zh, en + error.en));
}

function say(kind, text, ...more) { $('out').replaceChildren(make('p', {className: kind}, ...text), ...more); }

function run() {
  const {kernel, given, grid, positional} = prepared(), heard = [], printed = [], begun = performance.now();
  const {memory} = Live.launch(kernel, grid, positional, {}, {heard: access => heard.push(access), printed: text => printed.push(text)});
  const took = (performance.now() - begun).toFixed(1), astray = strayed(heard);
  editor.mark(heard.find(each => each.astray)?.place.line ?? null, 'wrong');
  say(astray.length ? 'wrong' : 'done', two(
    `${grid[0]} 个 program 跑完了，用了 ${took} 毫秒。${astray.length ? '有元素落在张量之外：' : '没有元素落在张量之外。'}`,
    `${grid[0]} programs ran in ${took} ms. ${astray.length ? 'Elements fall outside their tensors:' : 'No element falls outside its tensor.'}`),
    ...astray.length ? [make('ul', {}, ...astray.map(each => make('li', {}, ...each)))] : [],
    ledger(heard, memory), ...memory.arguments.map(({name, argument}) => name === 'x_ptr' ? '' : matrix(name, argument)),
    ...printed.length ? [make('pre', {}, printed.slice(0, 50).join('\n'))] : []);
}

// A sentence for each line that reaches outside.
function strayed(heard) {
  const found = new Map();
  for (const access of heard.filter(each => each.astray)) {
    const {line} = access.place, entry = found.get(line) ?? found.set(line, {kind: access.kind, count: 0, program: access.program[0]}).get(line);
    for (let lane = 0; lane < access.lanes; lane++) entry.count += access.asked[lane] && !access.inside[lane];
  }
  return [...found].map(([line, {kind, count, program}]) => two(
    `第 ${line} 行的 ${kind}：${count} 个元素，先是 program ${program}。`, `Line ${line}, ${kind}: ${count} elements, first in program ${program}.`));
}

function ledger(heard, memory) {
  const rows = memory.arguments.map(({name, argument}, owner) => {
    const bytes = {load: 0, store: 0, atomic: 0};
    for (const access of heard) for (let lane = 0; lane < access.lanes; lane++)
      if (access.inside[lane] && access.owner[lane] === owner) bytes[access.kind] += argument.bytes;
    return make('tr', {}, make('th', {scope: 'row'}, name), ...Object.values(bytes).map(each => make('td', {}, each.toLocaleString('en'))));
  });
  const head = [['字节', 'bytes'], ['读', 'loaded'], ['写', 'stored'], ['原子', 'atomic']].map(each => make('th', {scope: 'col'}, ...both(each)));
  return make('div', {className: 'wide'}, make('table', {}, make('tr', {}, ...head), ...rows));
}

// The corner of a matrix, and what each row sums to.
function matrix(name, argument, most = [8, 8]) {
  const [rows, columns] = argument.shape.length === 2 ? argument.shape : [1, argument.shape[0]], values = argument.values().map(Number);
  const body = Array.from({length: Math.min(rows, most[0])}, (_, row) => {
    const whole = values.slice(row * columns, (row + 1) * columns), untouched = whole.includes(EMPTY);
    const cells = whole.slice(0, most[1]).map(x => make('td', {}, x === EMPTY ? '·' : shown(x)));
    return make('tr', {}, ...cells, columns > most[1] ? make('td', {}, '…') : '', make('td', {className: 'sum'}, untouched ? '·' : whole.reduce((a, b) => a + b, 0).toFixed(6)));
  });
  const head = make('tr', {}, make('th', {scope: 'col', colSpan: Math.min(columns, most[1]) + (columns > most[1])}, name), make('th', {scope: 'col', className: 'sum'}, ...both(['一行的和', 'sum of the row'])));
  return make('div', {className: 'wide'}, make('table', {className: 'values'}, head, ...body));
}

// ---- races

const endings = each => [...each].map(values => values.split(' ').map(Number).map(shown).join(' '));

function races() {
  const {kernel, grid} = prepared(), given = setting();
  const {races: found, deadlock, outcomes} = Live.findRaces(kernel, grid, () => argumentsFor(kernel, inputs(given)));
  const differing = [...outcomes].filter(([, each]) => each.size > 1);
  const sentences = [
    ...found.map(({tensor, first, second}) => two(
      `${tensor}：第 ${first.line} 行的 ${first.kind}（program ${first.program}）和第 ${second.line} 行的 ${second.kind}（program ${second.program}）碰同一个元素，谁先谁后没有定。`,
      `${tensor}: the ${first.kind} in line ${first.line} (program ${first.program}) and the ${second.kind} in line ${second.line} (program ${second.program}) touch one element, and nothing says which comes first.`)),
    ...deadlock ? [two(`program ${deadlock.map(each => each.program).join('、')} 一直在等：第 ${deadlock[0].line} 行。`, `Programs ${deadlock.map(each => each.program).join(', ')} wait for ever: line ${deadlock[0].line}.`)] : [],
    // With no race it is the rounding of a sum that follows the order.
    ...differing.map(([name, each]) => two(`${name} 的结果随次序而变：${endings(each).join('；')}。`, `What ${name} ends with depends on the order: ${endings(each).join('; ')}.`)),
  ];
  editor.mark(found[0]?.first.line ?? null, 'wrong');
  const list = sentences.length ? [make('ul', {}, ...sentences.map(each => make('li', {}, ...each)))] : [];
  if (found.length || deadlock) say('wrong', two('这些 program 互相竞争：', 'These programs race:'), ...list);
  else say('done', two(`${grid[0]} 个 program 轮流走，试了五种次序，没有竞争。`, `${grid[0]} programs took turns in five orders: no race.`), ...list);
}

// ---- steps

function step() {
  const {kernel, grid, positional} = prepared(), program = Math.min(Math.max(Math.trunc(+$('program').value) || 0, 0), grid[0] - 1);
  $('program').value = program;
  stepped = Live.trace(kernel, grid, [program], positional, {}, {most: 5000, skip: false});
  stepped.given = positional;
  $('out').replaceChildren();
  if (stepped.error) refused(stepped.error);
  $('steps').hidden = false;
  Object.assign($('at'), {max: stepped.steps.length - 1, value: 0});
  show();
}

function show() {
  const at = +$('at').value, {steps, memory} = stepped, now = steps[at], owners = memory?.arguments ?? [];
  editor.mark(now.line);
  $('where').textContent = `${at} / ${steps.length - 1}`;
  const rows = [...stepped.values(at)].map(([name, value]) => {
    const told = Live.plainly(value, {arguments: owners}), data = told.data?.length === undefined || typeof told.data === 'string' ? [told.data] : [...told.data];
    const cells = data.slice(0, 64).map((x, k) => make('i', {className: told.padding?.[k] ? 'padding' : ''}, told.kind === 'pointer' ? String(x) : told.dtype === 'bool' ? x ? 'T' : 'F' : shown(x ?? 'None')));
    return make('tr', {className: name in now.changed ? 'changed' : ''}, make('th', {scope: 'row'}, name, make('small', {}, told.kind === 'pointer' ? `→ ${told.tensor}` : told.dtype ?? '')),
      make('td', {}, ...cells, data.length > 64 ? ` … ${data.length}` : ''));
  });
  $('variables').replaceChildren(...rows);
  $('touched').replaceChildren(...now.touches.flatMap(access => {
    const inside = access.inside.reduce((a, b) => a + b, 0), asked = access.asked.reduce((a, b) => a + b, 0), where = owners[access.owner[0]]?.name ?? '?';
    return two(`${access.kind} ${where}：${access.lanes} 条 lane，${asked} 条放行，${asked - inside} 条落在外面。`, `${access.kind} ${where}: ${access.lanes} lanes, ${asked} let through, ${asked - inside} outside.`);
  }));
}

const move = by => { $('at').value = +$('at').value + by; show(); };

// ---- the page

for (const [name, does] of Object.entries({run, step, races})) $(name).addEventListener('click', () => attempt(does));
for (const name of CONTROLS) $(name).addEventListener('change', changed);
$('program').addEventListener('change', () => attempt(step));
$('at').addEventListener('input', show);
$('back').addEventListener('click', () => move(-1));
$('forth').addEventListener('click', () => move(1));
$('start').addEventListener('change', () => {
  if (!$('start').value) return;
  editor.text = STARTS[$('start').value];
  $('start').value = '';
  changed();
});
$('share').addEventListener('click', async () => {
  remember();
  try { await navigator.clipboard.writeText(location.href); say('done', two('链接已复制。', 'The link is copied.')); } catch { say('done', two('链接在地址栏里。', 'The link is in the address bar.')); }
});
editor.field.addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); $('run').click(); } });
// An option holds no element, so it shows one language by being written again.
const options = [...document.querySelectorAll('.own option')].map(option => [option, option.textContent]);
const speakOptions = () => { for (const [option, text] of options) option.textContent = said(text); };
root.addEventListener('language', speakOptions);
speakOptions();
restore(recalled());
