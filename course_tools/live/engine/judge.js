// The judge, as course_utils.exercises.judging has it: the learner's program and the course's on the same probes; where they
// differ, the known mistake, or two of them, that does the same on every probe.

function changed(text, change) {
  if (typeof change === 'string') return change;
  for (let k = 0; k < change.length; k += 2) {
    const old = change[k];
    if (!text.includes(old)) return null;
    const line = text.split('\n').find(each => each.includes(old.split('\n')[0])) ?? '', indent = /^ */.exec(line)[0];
    text = text.replaceAll(old, () => change[k + 1].replace(/ *⏎/g, `\n${indent}`));
  }
  return text;
}

// The line where the outermost loop around a line begins; that line, where there is none.
function loopAround(lines, line) {
  let found = line, depth = Infinity;
  for (let number = line; number > 0; number--) {
    const [, {length}, word] = /^( *)(\w*)/.exec(lines[number - 1]);
    if (word && length < depth) [depth, found] = [length, /^(while|for)$/.test(word) ? number : found];
  }
  return found;
}

// The simplest explanations first: the mistakes in it, and the program; of pairs, those with one that is suspected by then.
function* explanations(wrong, right, suspects) {
  for (const one of wrong) { const program = changed(right, one.change); if (program) yield [[one], program]; }
  for (const [k, one] of wrong.entries()) for (const other of wrong.slice(k + 1)) {
    if (!suspects.has(one) && !suspects.has(other)) continue;
    if (typeof one.change === 'string' || typeof other.change === 'string' || one.en === other.en) continue;
    const program = changed(right, one.change), both = program && changed(program, other.change);
    if (both) yield [[one, other], both];
  }
  const given = wrong.filter(each => each.given), some = [];
  for (let bits = 0; bits < 1 << given.length; bits++) some.push(given.filter((_, k) => bits >> k & 1));
  for (const chosen of some.filter(each => each.length > 2).sort((a, b) => a.length - b.length)) {
    const program = chosen.reduce((text, each) => text && changed(text, each.change), right);
    if (program) yield [chosen, program];
  }
}

class Judge {
  constructor(exercise) {
    this.exercise = exercise;
    this.known = new Map();  // a program of the course's → what it does, probe by probe
    this.helpers = load(exercise.helpers);
    this.wrong = exercise.wrong.flatMap(([zh, en, given, ...changes]) => changes.map(change => ({zh, en, given, change})));
  }

  program(text) { return load(text, this.helpers)[this.exercise.name]; }

  // What a program of the course's own does on a probe: run when it is asked for, and once.
  does(text, k) {
    if (!this.known.has(text)) this.known.set(text, {seen: []});
    const one = this.known.get(text);
    try { one.program ??= this.program(text); } catch (error) { one.seen[k] = {raised: {type: 'SyntaxError'}}; }
    return one.seen[k] ??= observe(one.program, this.exercise, this.exercise.probes[k]);
  }

  judge(text) {
    const {exercise} = this, {name, probes, kind, right, rows, says} = exercise, tell = (key, values = {}) => inWords(says[key], values);
    const wrong = said => ({status: 'wrong', ...said}), what = ({zh, en}) => [zh, en];
    const at = (said, line) => wrong({line, ...tell('where', {said: what(said), line, code: (text.split('\n')[line - 1] ?? '').trim()})});
    const raised = error => at(tell('raised', {what: what(error)}), error.line);
    let program;
    try { program = this.program(text); } catch (error) {
      if (error.en === undefined) throw error;
      return error.absent ? raised(error) : wrong({line: error.line, ...tell('syntax', {name, line: error.line, what: what(error)})});
    }
    if (!(program instanceof Kernel)) return {status: program === undefined ? 'not yet' : 'wrong', ...tell('missing', {name})};
    if (dots(program.node)) return {status: 'not yet', ...tell('stub', {name})};
    const parameters = program.node.parameters.map(each => each.name);
    if (kind === 'kernel' || kind === 'combine') {
      if (!program.jit) return wrong(tell('no kernel'));
      const missing = exercise.constants.find(each => !parameters.includes(each));
      if (missing) return wrong(tell('renamed', {name: missing}));
    }
    const seen = [], does = k => {
      seen[k] ??= observe(program, exercise, probes[k], {most: 20 * MOST_STEPS});
      if (seen[k].raised?.late) throw seen[k].raised;
      return seen[k];
    };
    try {
      const differs = k => does(k).raised || !same(seen[k], this.does(right, k), probes[k][3], rows), first = probes.findIndex((_, k) => differs(k)), touched = seen.find(one => one.changed && !one.astray);
      if (touched) return wrong(tell(kind === 'kernel' ? 'kernel changed' : 'function changed', {name: touched.changed}));
      if (first < 0) {
        const said = seen.some(one => one.undefined) ? tell('undefined') : broken(exercise, seen, probes.map((_, k) => this.does(right, k)), parameters);
        return said ? wrong(said) : {status: 'right', zh: exercise.praise[0], en: exercise.praise[1]};
      }
      const {raised: error, astray} = seen[first], line = error?.line ?? astray?.line, known = this.named(does, this.ordered.find(differs), rows);
      if (known) return wrong({zh: known.zh, en: known.en, line});
      if (error) return line ? raised(error) : wrong(tell('parameters', {name, parameters: exercise.parameters.join(', ')}));
      return wrong(difference(seen[first], this.does(right, first), probes[first], exercise));
    } catch (error) {
      if (!error.late) throw error;
      return at(tell('late'), loopAround(text.split('\n'), error.line));
    }
  }

  // The probes, the quick before the slow.
  get ordered() {
    const {exercise, exercise: {probes, kind}} = this, size = k => kind === 'kernel' && launchOf(exercise, probes[k]).size;
    return this.order ??= span(probes.length).sort((a, b) => size(a) - size(b));
  }

  // What the course's own program does, and its mistakes: found out while somebody still writes, a little at a time.
  foresee() {
    this.ahead ??= this.everything();
    for (const until = performance.now() + 40; performance.now() < until;) if (this.ahead.next().done) return true;
    return false;
  }

  * everything() {
    for (const k of this.ordered) for (const [, program] of explanations(this.wrong, this.exercise.right, new Set())) yield this.does(program, k);
  }

  // The simplest mistakes that explain all that is seen. `first`: where it differs, and is quick.
  named(does, first, rows) {
    const {probes, right} = this.exercise, others = this.ordered.filter(k => k !== first);
    const written = one => JSON.stringify(one.astray && one.rows);
    const fits = (program, k, {length}) => (length < 2 || written(does(k)) === written(this.does(program, k))) && same(does(k), this.does(program, k), probes[k][4] ?? probes[k][3], rows), suspects = new Set(), until = performance.now() + 750 * settings.seconds;
    for (const [chosen, program] of explanations(this.wrong, right, suspects)) {
      if (performance.now() > until) return null;
      if (!fits(program, first, chosen)) continue;
      if (chosen.length === 1) suspects.add(chosen[0]);
      if (others.every(k => fits(program, k, chosen))) return chosen[0];
    }
    return null;
  }
}

// Whether a `...` still stands where the answer goes; in `x[..., 0]` it stands for something else.
function dots(node) {
  if (Array.isArray(node)) return node.some(dots);
  if (!node || typeof node !== 'object') return false;
  return !!node.ellipsis || Object.entries(node).some(([name, each]) => !(node.type === 'Subscript' && name === 'slice') && dots(each));
}

const judges = new WeakMap();
const judgeOf = exercise => judges.get(exercise) ?? judges.set(exercise, new Judge(exercise)).get(exercise);

// {status: right, wrong or not yet; zh, en; line?}
const check = (exercise, text) => judgeOf(exercise).judge(text);
const foresee = exercise => judgeOf(exercise).foresee();
