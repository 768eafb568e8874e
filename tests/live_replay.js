// Replays what the recorder wrote down, in the page's engine; every difference is a sentence.
const FLOATS = {inf: Infinity, '-inf': -Infinity, nan: NaN};
const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt()).buffer;

// Of 16 bits a float is a float32 in the engine, whose last bits are 0.
const HALVES = {float16: fromHalf, bfloat16: bits => new Float32Array(new Uint32Array([bits << 16]).buffer)[0]};
function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}
const elementsOf = (dtype, told) => HALVES[dtype] ? Float32Array.from(new Uint16Array(bytesOf(told)), HALVES[dtype]) : new Live.T[dtype].Store(bytesOf(told));

function constant(told) {
  if ('i' in told) return BigInt(told.i);
  if ('f' in told) return FLOATS[told.f] ?? Number(told.f);
  if ('t' in told) return Live.T[told.t];
  return 'tuple' in told ? told.tuple.map(constant) : told.b ?? told.s ?? null;
}

function kernelOf({kernel, functions}) {
  const made = {};
  const make = key => {
    if (made[key]) return made[key];
    const {source, first, names: told} = functions[key], names = {};
    made[key] = new Live.Kernel(Live.parse(source).body.find(node => node.type === 'FunctionDef'), names, source);
    made[key].first = first;
    for (const [name, value] of Object.entries(told)) names[name] = value.fn ? make(value.fn) : constant(value);
    return made[key];
  };
  return make(kernel);
}

function argumentsOf({args, before}) {
  const storages = [], named = {};
  for (const [name, value] of args) {
    if (!value.tensor) { named[name] = constant(value); continue; }
    const {dtype, shape, strides, start, storage} = value.tensor;
    storages[storage] ??= elementsOf(dtype, before[storage]);
    named[name] = Object.assign(new Live.Argument(Live.T[dtype], shape, null, {strides, start, raw: storages[storage]}), {storage});
  }
  return {named, storages};
}

// As the recorder counts an access: of the lanes that the mask lets through, how many, how many astray, the sum of their offsets.
function counted(access) {
  let asked = 0, astray = 0, total = 0n;
  for (let lane = 0; lane < access.lanes; lane++) if (access.asked[lane]) {
    asked++;
    astray += !access.inside[lane];
    total += BigInt(access.offset[lane]);
  }
  const {kernel, line, name} = access.place;
  return [access.kind, name, line - 1 + kernel.first, access.program[0], asked, astray, String(total)].join(' ');
}

function replay(record) {
  Live.settings.truncate = true;
  const {named, storages} = argumentsOf(record), heard = [], {turns} = record;
  const options = {heard: access => heard.push(access), seconds: 60};
  let error = null, done = {};
  try {
    const kernel = kernelOf(record);
    if (turns) done = Live.together(kernel, record.grid, [], named, {...options, places: turns.places ?? Infinity, order: turns.order});
    else done = Live.launch(kernel, record.grid, [], named, options);
  } catch (found) { if (found.en === undefined) throw found; error = found; }
  if (error || record.error) return !error === !record.error ? '' : `error: ${error?.en} for ${record.error}`;
  if (!!done.deadlock !== record.deadlock) return `deadlock: ${!!done.deadlock} for ${record.deadlock}`;
  if (done.deadlock) return '';
  if (!turns) {
    const mine = heard.map(counted), theirs = record.accesses.map(access => access.join(' ')), k = mine.findIndex((each, i) => each !== theirs[i]);
    if (k >= 0 || mine.length !== theirs.length) return `access ${k}: ${mine[k]} for ${theirs[k]} (${mine.length} for ${theirs.length})`;
  }
  return differing(named, storages, record.after);
}

function differing(named, storages, after) {
  const half = Object.values(named).some(each => each?.dtype?.bits === 16);
  for (const [name, {dtype, storage}] of Object.entries(named)) {
    if (storage === undefined) continue;
    const [mine, theirs] = [storages[storage], elementsOf(dtype.name, after[storage])].map(each => [...each]);
    const scale = Math.max(1, ...theirs.map(x => Math.abs(Number(x))).filter(Number.isFinite));
    const [relative, absolute] = half ? [2 ** -7, 2e-3 * scale] : [1e-4, 1e-6 * scale];
    const k = mine.findIndex((x, i) => typeof x === 'bigint' ? x !== theirs[i] && !near(x, theirs[i]) : !close(x, theirs[i], relative, absolute));
    if (k >= 0) return `${name}[${k}]: ${mine[k]} for ${theirs[k]}`;
  }
  return '';
}

const close = (a, b, relative, absolute) => a === b || (a !== a && b !== b) || Math.abs(a - b) <= relative * Math.abs(b) + absolute;

// A mailbox holds two float32 in an int64.
function near(...pair) {
  const [a, b, c, d] = new Float32Array(new BigInt64Array(pair).buffer);
  return close(a, c, 1e-5, 1e-30) && close(b, d, 1e-5, 1e-30);
}

// ---- what the stepper and the race finder see

function placed(record) {
  const kernel = kernelOf(record), {named} = argumentsOf(record);
  return {kernel, positional: kernel.node.parameters.map(each => named[each.name]).filter(each => each !== undefined)};
}

// A launch with one program watched; those after it go on too.
function watched(kernel, grid, program, positional) {
  Live.settings.truncate = true;
  const {memory, variables, programs, grid: sizes} = Live.prepare(kernel, grid, positional), trace = new Live.Trace(), run = new Live.Run(memory, {grid: sizes, seconds: 60});
  memory.heard = access => { access.program = run.index; trace.heard(access, run); };
  try {
    programs.forEach((index, number) => Live.located(run, () => Live.finish(run.enter(kernel, new Map(variables))), {index, frames: [], listener: number === program ? trace : null}));
  } catch (error) { if (error.en === undefined) throw error; trace.error = error; }
  return Object.assign(trace, {memory});
}

function stepped(record) {
  const {kernel, positional} = placed(record), mine = watched(kernel, record.grid, record.program, positional);
  const said = [];
  for (const [k, want] of record.steps.entries()) {
    const got = mine.steps[k], where = `step ${k}, line ${want.line}`;
    if (!got) return [...said, `${where}: missing (${mine.error?.en})`];
    // The definition: the stepper's line is the decorator's or that of `def`, as inspect has it.
    const line = got.line - 1 + kernel.first, own = got.name === kernel.name && got.kind !== 'enter';
    if (got.kind !== want.kind || got.name !== want.name || (own && line !== want.line)) said.push(`${where}: ${got.kind} ${got.name} ${line}`);
    const changed = Object.keys(got.changed).sort().join(), wanted = Object.keys(want.changed).sort().join();
    if (changed !== wanted) said.push(`${where}: ${changed} changed for ${wanted}`);
    for (const [name, values] of Object.entries(want.changed)) {
      if (!(name in got.changed) || !values) continue;
      const {data} = Live.plainly(got.changed[name], mine.memory), list = [...ArrayBuffer.isView(data) ? data : [data]].map(Number);
      const at = values.findIndex((x, i) => !close(list[i], FLOATS[x] ?? Number(x), 2e-6, 2e-6));
      if (at >= 0 || list.length !== values.length) said.push(`${where}: ${name}[${at}] ${list[at]} for ${values[at]}`);
    }
    const touched = got.touches.map(access => {
      const sum = list => list.reduce((a, b) => a + b, 0);
      return [access.kind, mine.memory.arguments[access.owner[0]]?.name, sum(access.inside), sum(access.asked)].join(' ');
    });
    if (touched.join() !== want.touched.map(each => each.join(' ')).join()) said.push(`${where}: ${touched} for ${want.touched}`);
  }
  return mine.steps.length === record.steps.length ? said : [...said, `${mine.steps.length} steps for ${record.steps.length}`];
}

function raced(record) {
  const {kernel} = placed(record), fresh = () => placed(record).positional;
  const {races, deadlock} = Live.findRaces(kernel, record.grid, fresh, {}, {places: record.places ?? Infinity, seconds: 60});
  const line = place => place.line - 1 + kernel.first;
  const mine = races.map(each => [each.tensor, line(each.first), line(each.second), each.first.kind, each.second.kind].join(' ')).sort().join('; ');
  const theirs = record.races.map(each => each.join(' ')).sort().join('; ');
  if (!!deadlock !== record.deadlock) return `${kernel.name}: deadlock ${!!deadlock} for ${record.deadlock}`;
  return mine === theirs ? '' : `${kernel.name}: ${mine} for ${theirs}`;
}

// [expression, type of a, type of b, a, b, the type that came out, its values]
function evaluated([expression, source, a, b, first, second, dtype, values]) {
  const made = (type, told) => new Live.Argument(Live.T[type], [8], null, {raw: elementsOf(type, told)});
  const found = watched(Live.load(source).evaluate, [1], 0, [made(a, first), made(b, second)]);
  const value = found.steps.at(-1)?.changed.c, label = `${expression}, a ${a}, b ${b}: `;
  if (dtype === null || value === undefined) return (dtype === null) === (value === undefined) ? '' : `${label}${found.error?.en ?? value.dtype?.name} for ${dtype ?? 'an error'}`;
  const {dtype: type, data} = Live.plainly(value, {arguments: []}), brain = [a, b].includes('bfloat16');
  if (type !== dtype) return `${label}${type} for ${dtype}`;
  const off = [data].flatMap(each => ArrayBuffer.isView(each) ? [...each] : [each]).some((x, i) => {
    const y = FLOATS[values[i]] ?? Number(values[i]);
    return typeof x === 'bigint' ? String(x) !== values[i] : !close(x, y, dtype === 'float16' ? 1e-3 : brain ? 1e-2 : 3e-7, 0);
  });
  return off ? `${label}${[...data]} for ${values}` : '';
}
