// What the programs of a launch do to each other: vector clocks over the accesses, as course_utils.races.log has it.

const ACQUIRES = new Set(['acquire', 'acquire_release']), RELEASES = new Set(['release', 'acquire_release']);
const join = (a, b) => a.map((x, k) => Math.max(x, b[k]));

class Log {
  constructor(programs) {
    this.clocks = Array.from({length: programs}, (_, a) => Array.from({length: programs}, (_, b) => +(a === b)));
    this.told = new Map();
    this.unsettled = this.clocks.map(() => []);  // blocks since the last barrier
    this.entries = new Map();
  }

  heard(access, number) {
    const elements = new Set();
    for (let i = 0; i < access.lanes; i++) if (access.asked[i] && access.inside[i]) elements.add(`${access.owner[i]}:${access.offset[i]}`);
    if (ACQUIRES.has(access.order)) for (const each of elements) if (this.told.has(each)) this.clocks[number] = join(this.clocks[number], this.told.get(each));
    const clock = this.clocks[number], {line, name} = access.place;
    const entry = {program: number, line, name, kind: access.kind, alone: access.kind === 'atomic' || access.volatile, writes: access.kind !== 'load', known: [...clock], told: access.lanes > 1 ? Infinity : clock[number]};
    if (access.lanes > 1) this.unsettled[number].push(entry);
    for (const each of elements) {
      const list = this.entries.get(each) ?? this.entries.set(each, []).get(each);
      const same = list.map((one, k) => one.program === number && one.line === line && one.name === name ? k : -1).filter(k => k >= 0);
      if (same.length > 1) list.splice(same.at(-1), 1);
      list.push(entry);
    }
    if (RELEASES.has(access.order)) {
      for (const each of elements) this.told.set(each, this.told.has(each) ? join(clock, this.told.get(each)) : [...clock]);
      clock[number]++;
    }
  }

  // Only from here on do releases of this program tell of its blocks: until then, other threads of it may still be at them.
  barrier(number) { for (const entry of this.unsettled[number].splice(0)) entry.told = this.clocks[number][number]; }

  * races() {
    for (const [element, list] of this.entries) for (let k = 0; k < list.length; k++) for (let j = 0; j < k; j++) {
      const earlier = list[j], later = list[k];
      if (earlier.program !== later.program && (earlier.writes || later.writes) && !(earlier.alone && later.alone) && later.known[earlier.program] < earlier.told)
        yield [element, earlier, later];
    }
  }
}

// `fresh` makes the arguments anew for each order.
function findRaces(kernel, grid, fresh, named = {}, {places = Infinity, orders = ['up', 'down', 'eager', 1, 2, 3], seconds = settings.seconds} = {}) {
  const until = performance.now() + 1000 * seconds;
  const races = new Map(), outcomes = new Map();
  let deadlock = null;
  for (const order of orders) {
    const log = new Log(grid.reduce((a, b) => a * b, 1)), given = fresh();
    const done = together(kernel, grid, given, named, {places, order, until, heard: (access, now) => log.heard(access, now.number), barrier: now => log.barrier(now.number)});
    for (let [element, a, b] of log.races()) {
      if (!a.writes || (b.writes && b.line < a.line)) [a, b] = [b, a];  // of a load and a store, the store comes first
      const [owner, offset] = element.split(':').map(Number), tensor = done.memory.arguments[owner].name;
      const key = [tensor, a.line, b.line, a.kind, b.kind].join();
      if (!races.has(key)) races.set(key, {tensor, element: offset, first: a, second: b});
    }
    if (done.deadlock) deadlock ??= done.deadlock.map(each => ({program: each.number, line: each.waits?.place.line}));
    else for (const {name, argument} of done.memory.arguments) if (argument.span <= 16) (outcomes.get(name) ?? outcomes.set(name, new Set()).get(name)).add(argument.values().join(' '));
  }
  return {races: [...races.values()].sort((a, b) => a.first.line - b.first.line), deadlock, outcomes};
}
