// What a run did, in words and tables: where it reached outside, what it read and wrote, what came out.
const prose = text => safe(text).replace(/`([^`]+)`/g, "<code>$1</code>");
const two = (zh, en) => both([prose(zh), prose(en)]);

const number = (x, dtype) => Number.isNaN(x) ? 'NaN' : dtype === 'bool' ? x ? 'True' : 'False' : Number.isInteger(x) && Math.abs(x) < 1e7 ? String(x) : general(x, phone.matches ? 3 : 4);

function outside(astray) {
  return make('ul', {}, ...astray.map(({line, kind, count, program, within}) => make('li', {}, ...two(
    `第 ${line} 行的 ${kind}：${count} 个元素，先是 program ${program}。`, `Line ${line}, ${kind}: ${count} element${count > 1 ? 's' : ''}, first in program ${program}.`))));
}

function ledgerOf(tensors) {
  const rows = tensors.map(({name, bytes}) => make('tr', {}, make('th', {scope: 'row'}, name), ...['load', 'store', 'atomic'].map(kind => make('td', {}, bytes[kind].toLocaleString('en')))));
  const total = kind => tensors.reduce((sum, {bytes}) => sum + bytes[kind], 0).toLocaleString('en');
  const sum = make('tr', {className: 'sum'}, make('th', {scope: 'row'}, ...both(['合计', 'total'])), ...['load', 'store', 'atomic'].map(kind => make('td', {}, total(kind))));
  const head = [['字节', 'bytes'], ['读', 'loaded'], ['写', 'stored'], ['原子', 'atomic']].map(each => make('th', {scope: 'col'}, ...both(each)));
  return make('div', {className: 'wide'}, make('table', {className: 'ledger'}, make('tr', {}, ...head), ...rows, sum));
}

// The corner of a tensor; of what was written, what each row sums to.
function matrix(tensor, most = [8, 8]) {
  const {name, dtype, data, written} = tensor, {places, columns} = layout(tensor), rows = places.length / columns, sums = /float/.test(dtype) && written.some(Boolean) && columns > 1;
  const said = place => !written[place] && tensor.blank ? '·' : number(data[place], dtype);
  const body = span(Math.min(rows, most[0])).map(row => {
    const mine = places.slice(row * columns, (row + 1) * columns);
    const cells = mine.slice(0, most[1]).map(place => make('td', {}, said(place)));
    const sum = !tensor.blank || mine.every(place => written[place]) ? mine.reduce((total, place) => total + data[place], 0).toFixed(6) : '·';
    return make('tr', {}, make('th', {scope: 'row'}, row), ...cells, columns > most[1] ? make('td', {}, '…') : '', sums ? make('td', {className: 'sum'}, sum) : '');
  });
  const head = make('tr', {}, make('th', {scope: 'col', colSpan: 1 + Math.min(columns, most[1]) + (columns > most[1])}, name, make('small', {}, ` ${dtype}[${tensor.shape.join('×')}]`)),
    sums ? make('th', {scope: 'col', className: 'sum'}, ...both(['一行的和', 'sum of the row'])) : '');
  return make('div', {className: 'wide'}, make('table', {className: 'values'}, head, ...body));
}

function resultOf({took, programs, printed, tensors, astray}) {
  const ms = took.toFixed(took < 10 ? 1 : 0), out = tensors.filter(each => each.written.some(Boolean)), rest = tensors.filter(each => !out.includes(each) && each.data.length);
  const said = astray.length ? two(`${programs} 个 program 跑完了，用了 ${ms} 毫秒。有元素越界：`, `${programs} program${programs > 1 ? 's' : ''} ran in ${ms} ms. Elements out of bounds:`)
    : two(`${programs} 个 program 跑完了，用了 ${ms} 毫秒，没有元素越界。`, `${programs} program${programs > 1 ? 's' : ''} ran in ${ms} ms; no element out of bounds.`);
  return [make('p', {className: astray.length ? 'wrong' : 'done'}, ...said), ...astray.length ? [outside(astray)] : [], ...out.map(each => matrix(each)),
    ...printed.length ? [make('pre', {}, printed.join('\n'))] : [], ledgerOf(tensors),
    ...rest.length ? [make('details', {}, make('summary', {}, ...both(['输入', 'Inputs'])), ...rest.map(each => matrix(each)))] : []];
}

const endings = each => each.map(values => values.split(' ').map(x => number(Number(x))).join(' '));

// Who races with whom, who waits for ever, what depends on the order.
function racesOf({races, deadlock, outcomes, programs}) {
  const said = [
    ...races.map(({tensor, first, second}) => two(
      `${tensor}：第 ${first.line} 行的 ${first.kind}（program ${first.program}）和第 ${second.line} 行的 ${second.kind}（program ${second.program}）碰同一个元素，谁先谁后没有定。`,
      `${tensor}: the ${first.kind} in line ${first.line} (program ${first.program}) and the ${second.kind} in line ${second.line} (program ${second.program}) touch one element, and nothing says which comes first.`)),
    ...deadlock ? [two(`program ${deadlock.map(each => each.program).join('、')} 一直在等：第 ${deadlock[0].line} 行。`, `Programs ${deadlock.map(each => each.program).join(', ')} wait for ever: line ${deadlock[0].line}.`)] : [],
    // With no race it is the rounding of a sum that follows the order.
    ...outcomes.map(([name, each]) => two(`${name} 的结果随次序而变：${endings(each).join('；')}。`, `What ${name} ends with depends on the order: ${endings(each).join('; ')}.`)),
  ];
  const bad = races.length || deadlock, list = said.length ? [make('ul', {}, ...said.map(each => make('li', {}, ...each)))] : [];
  return [make('p', {className: bad ? 'wrong' : 'done'}, ...races.length ? two('这些 program 互相竞争：', 'These programs race:')
    : deadlock ? two('这些 program 互相等，停不下来：', 'These programs deadlock:')
    : two(`${programs} 个 program 轮流走，试了五种次序，没有竞争。`, `${programs} programs took turns in five orders: no race.`)), ...list];
}
