// What the programs of a launch do to each other: vector clocks over the accesses, as course_utils.races.log has it.

const join = (a, b) => a.map((x, k) => Math.max(x, b[k]));

class Log {
  constructor(programs) {
    const all = span(programs);
    this.clocks = all.map(a => all.map(b => +(a === b)));
    this.unsettled = all.map(() => []);  // blocks since the last barrier
    this.told = new Map();
    this.entries = new Map();
  }

  heard({kind, order = '', lanes, asked, inside, owner, offset, volatile, place: {line, name}}, number) {
    const elements = new Set(), {clocks, told} = this;
    for (let i = 0; i < lanes; i++) if (asked[i] && inside[i]) elements.add(`${owner[i]}:${offset[i]}`);
    if (order.startsWith('acquire')) for (const each of elements) if (told.has(each)) clocks[number] = join(clocks[number], told.get(each));
    const clock = clocks[number], entry = {program: number, line, name, kind, alone: kind === 'atomic' || volatile, writes: kind !== 'load', known: [...clock], told: lanes > 1 ? Infinity : clock[number]};
    if (lanes > 1) this.unsettled[number].push(entry);
    for (const each of elements) {
      const list = this.entries.get(each) ?? [], same = one => one.program === number && one.line === line && one.name === name;
      if (list.filter(same).length > 1) list.splice(list.findLastIndex(same), 1);
      list.push(entry);
      this.entries.set(each, list);
    }
    if (order.endsWith('release')) {
      for (const each of elements) told.set(each, join(clock, told.get(each) ?? clock));
      clock[number]++;
    }
  }

  // Only from here on do releases of this program tell of its blocks: until then, other threads of it may still be at them.
  barrier(number) { for (const entry of this.unsettled[number].splice(0)) entry.told = this.clocks[number][number]; }

  * races() {
    for (const [element, list] of this.entries) for (const [k, later] of list.entries()) for (const earlier of list.slice(0, k)) {
      if (earlier.program !== later.program && (earlier.writes || later.writes) && !(earlier.alone && later.alone) && later.known[earlier.program] < earlier.told)
        yield [element, earlier, later];
    }
  }
}

// `fresh` makes the arguments anew for each order.
function findRaces(kernel, grid, fresh, named, {seconds = settings.seconds, ...options} = {}) {
  const until = performance.now() + 1000 * seconds, races = new Map(), outcomes = new Map();
  let deadlock = null;
  for (const order of ['up', 'down', 'eager', 1, 2, 3]) {
    const log = new Log(count(grid));
    const done = together(kernel, grid, fresh(), named, {...options, order, until, heard: (access, now) => log.heard(access, now.number), barrier: now => log.barrier(now.number)});
    for (let [element, a, b] of log.races()) {
      if (!a.writes || (b.writes && b.line < a.line)) [a, b] = [b, a];  // of a load and a store, the store comes first
      const [owner, offset] = element.split(':').map(Number), tensor = done.memory.arguments[owner].name, key = [tensor, a.line, b.line, a.kind, b.kind].join();
      if (!races.has(key)) races.set(key, {tensor, element: offset, first: a, second: b});
    }
    if (done.deadlock) deadlock ??= done.deadlock.map(each => ({program: each.number, line: each.waits?.place.line}));
    else for (const {name, argument} of done.memory.arguments) if (argument.span <= 16) outcomes.set(name, new Set(outcomes.get(name)).add(argument.values().join(' ')));
  }
  return {races: [...races.values()].sort((a, b) => a.first.line - b.first.line), deadlock, outcomes};
}
