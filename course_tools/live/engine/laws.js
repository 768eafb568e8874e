// What a right result must also keep to, as course_utils.exercises.laws has it.

function moved([name, of], got, right, exercise, parameters) {
  const over = of.includes('over'), names = over ? of.slice(0, -2) : of, sum = (seen, named) => names.reduce((sum, each) => sum + (seen[name][named(`${each}_ptr`)] ?? 0), 0);
  const count = sum(got, each => parameters[exercise.parameters.indexOf(each)]), most = sum(right, each => each);
  return count > (over ? of.at(-1) : 1) * most && {got: count, most};
}

const byProgram = (seen, wrong) => Object.entries(seen.rows).map(([program, rows]) => wrong(rows) && {program, ...wrong(rows)}).find(Boolean);

const LAWS = {
  loads: moved,
  stores: moved,
  together: (law, got) => byProgram(got, rows => Math.max(...rows) - Math.min(...rows) >= rows.length && {got: few(rows)}),
  evenly: (law, got, right) => { const most = Math.max(...Object.values(right.rows).map(rows => rows.length)); return byProgram(got, rows => rows.length > most && {got: rows.length, most}); },
};

function broken(exercise, seen, want, parameters) {
  for (const law of exercise.laws) for (const [k, probe] of exercise.probes.entries()) {
    const filled = LAWS[law[0]](law, seen[k], want[k], exercise, parameters);
    if (filled) return inWords(law.slice(2), {asked: probe.slice(0, 2), ...filled});
  }
  const block = exercise.constants.find(name => name.startsWith('BLOCK')), widths = all => new Set(all.map(one => one.widest)).size;
  return block && widths(seen) === 1 && widths(want) > 1 && seen[0].widest > 1 ? inWords(exercise.says.uses, {name: block, got: seen[0].widest}) : null;
}
