// The part of Python that kernels are written in: text to a tree of nodes that carry the names of CPython's ast.
// By hand, so that what it refuses is said in the course's two languages, at the line.

const quoted = '"""(?:\\\\[^]|[^\\\\])*?"""|"(?:\\\\[^]|[^"\\\\\\n])*"';
const PIECE = new RegExp([
  '(?<string>([rRbBuUfF]{0,2})(', quoted, '|', quoted.replaceAll('"', "'"), '))',
  '|(?<name>[\\p{L}_][\\p{L}\\p{N}_]*)',
  '|(?<number>0[xX][\\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?)',
  '|(?<operator>\\.\\.\\.|->|:=|(?:\\*\\*|//|<<|>>|[-+*/%&|^@<>=!])=|\\*\\*|//|<<|>>|[-+*/%@&|^~<>()[\\]{}:,.=;])',
].join(''), 'uy');
const WIDE = {'。': '.', '、': ','};  // and what lies 0xfee0 above ASCII
const narrow = letter => WIDE[letter] ?? (/[！-～]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 0xfee0) : null);
const ESCAPES = {n: '\n', t: '\t', r: '\r', '0': '\0', '\n': ''};
const CLOSE = {'(': ')', '[': ']', '{': '}'};
const mistake = ({line}, zh, en) => refuse(zh, en, {line});

function tokens(text) {
  const found = [], indents = [0], open = [];
  let at = 0, line = 1, fresh = true;
  const push = (kind, value = '') => found.push({kind, value, line});
  while (at < text.length) {
    if (fresh) {
      const [blank] = /[ \t\f]*/.exec(text.slice(at)), width = blank.replaceAll('\t', '        ').length;
      at += blank.length;
      fresh = '#\n'.includes(text[at] ?? '\n');
      if (!fresh) {
        if (width > indents.at(-1)) { indents.push(width); push('indent'); }
        while (width < indents.at(-1)) { indents.pop(); push('dedent'); }
        if (width !== indents.at(-1)) mistake({line}, '缩进和前面哪一层都对不上。', 'This indentation matches no line above.');
      }
    }
    const letter = text[at] ?? '\n', [space] = /^(?:[ \t\f]+|#.*|\\\n)?/.exec(text.slice(at));
    if (space) {
      at += space.length;
      line += space === '\\\n';
    } else if (letter === '\n') {
      if (!open.length && !fresh) { push('newline'); fresh = true; }
      at++; line++;
    } else {
      PIECE.lastIndex = at;
      const {groups = {}, 0: all, 2: prefix = '', 3: inner} = PIECE.exec(text) ?? {}, kind = Object.keys(groups).find(each => groups[each] !== undefined);
      if (letter === '　') mistake({line}, '这里是一个全角空格，要用半角的。', 'This space is a full-width one; type an ordinary space.');
      if (!kind) narrow(letter) ? mistake({line}, `${letter} 是全角的，要写半角的 ${narrow(letter)}。`, `${letter} is a full-width sign; type ${narrow(letter)} instead.`) : mistake({line}, `看不懂这里的 ${letter}。`, `${letter} means nothing here.`);
      if (/f/i.test(prefix)) unavailable('f"…"', {line});
      if (CLOSE[all]) open.push({line, sign: all});
      if (Object.values(CLOSE).includes(all) && CLOSE[open.pop()?.sign] !== all) mistake({line}, `多了一个 ${all}。`, `This ${all} closes nothing.`);
      push(kind, all);
      if (kind === 'string') {
        const quotes = /^("""|''')/.test(inner) ? 3 : 1, bare = inner.slice(quotes, -quotes);
        found.at(-1).value = /r/i.test(prefix) ? bare : bare.replace(/\\(\n|.)/g, (_, c) => ESCAPES[c] ?? c);
        line += all.split('\n').length - 1;
      }
      at += all.length;
    }
  }
  if (open.length) mistake(open.at(-1), `这个 ${open.at(-1).sign} 没有配对。`, `This ${open.at(-1).sign} was never closed.`);
  if (!fresh) push('newline');
  while (indents.pop()) push('dedent');
  push('end');
  return found;
}

// How tightly what stands between two values binds.
const BINDS = {};
['or', 'and', 'not', 'in is not < > <= >= == !=', '|', '^', '&', '<< >>', '+ -', '* / // % @'].forEach((signs, k) => { for (const sign of signs.split(' ')) BINDS[sign] = k + 1; });
const [NOT, COMPARISON, BITS] = [3, 4, 5];
const MISSING = 'class with try async raise del global nonlocal yield'.split(' ');
const KEYWORDS = new Set([...MISSING, ...'and or not if else elif for while in is def return pass break continue lambda import from as except finally assert await None True False'.split(' ')]);
const CONSTANTS = {None: null, True: true, False: false};

function parse(text) {
  const list = tokens(text.replace(/\r\n?/g, '\n').replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\u00a0/g, ' '));  // what phones make of quotes
  let at = 0;
  const is = kind => list[at].kind === kind;
  const peek = (...values) => values.includes(list[at].value) && !is('string');
  const node = (type, {line}, rest) => ({type, line, ...rest});
  const accept = value => peek(value) ? list[at++] : null;
  const shown = () => is('newline') || is('end') ? ['一行的末尾', 'the end of the line'] : [list[at].value || '缩进', list[at].value || 'an indentation'];
  const expected = (zh, en) => mistake(list[at], `这里应当是${zh}，却是 ${shown()[0]}。`, `Expected ${en} here, found ${shown()[1]}.`);
  const expect = value => accept(value) ?? expected(` ${value}`, value);

  // What `one` gives, with commas between, up to `end`.
  function several(end, one) {
    const all = [];
    while (!is('newline') && !peek(...end)) { all.push(one()); if (!accept(',')) break; }
    return all;
  }

  function closed(end, one) {
    const all = several([end], one);
    expect(end);
    return all;
  }

  // ---- statements

  function block() {
    expect(':');
    if (!is('newline')) return simple();
    at++;
    if (!is('indent')) expected('缩进的几行', 'indented lines');
    at++;
    const body = [];
    while (!is('dedent')) body.push(...statement());
    at++;
    return body;
  }

  const otherwise = () => accept('else') ? block() : [];

  function statement() {
    if (is('indent')) expected('没有缩进的一行', 'a line without more indentation');
    const place = list[at];
    if (peek('@', 'def')) return [definition()];
    if (accept('if')) return [branch(place)];
    if (accept('while')) return [node('While', place, {test: expression(), body: block(), orelse: otherwise()})];
    if (accept('for')) return [node('For', place, {...loop(expressions), body: block(), orelse: otherwise()})];
    return simple();
  }

  function loop(over) {
    const target = tuple(['in'], () => operation(BITS));
    expect('in');
    return {target: assignable(target), iter: over()};
  }

  function branch(place) {
    const test = expression(), body = block(), next = list[at];
    return node('If', place, {test, body, orelse: accept('elif') ? [branch(next)] : otherwise()});
  }

  function definition() {
    const decorators = [];
    while (accept('@')) { decorators.push(expression()); newline(); }
    const place = expect('def'), name = word();
    expect('(');
    const parameters = closed(')', () => {
      if (accept('*')) return peek(',') ? null : unavailable('*', {line: list[at].line});
      const {line} = list[at], name = word(), annotation = accept(':') && expression();
      return {name, line, annotation, value: accept('=') && expression()};
    }).filter(Boolean);
    if (accept('->')) expression();
    return node('FunctionDef', place, {name, parameters, decorators, body: block()});
  }

  function simple() {
    const body = [];
    do body.push(small()); while (accept(';') && !is('newline'));
    newline();
    return body;
  }

  function newline() {
    if (is('newline')) at++;
    else if (!is('end') && !is('dedent')) expected('一行的末尾', 'the end of the line');
  }

  function small() {
    const place = list[at];
    if (peek(...MISSING)) unavailable(place.value, {line: place.line});
    for (const type of ['Pass', 'Break', 'Continue']) if (accept(type.toLowerCase())) return node(type, place);
    if (accept('return')) return node('Return', place, {value: is('newline') || peek(';') ? null : expressions()});
    if (accept('assert')) return node('Assert', place, {test: expression(), message: accept(',') && expression()});
    if (peek('import', 'from')) {
      while (!is('newline')) at++;
      return node('Pass', place);
    }
    const all = [expressions()], [left] = all;
    if (accept(':')) return node('AnnAssign', place, {target: assignable(left), annotation: expression(), value: accept('=') && expressions()});
    while (accept('=')) all.push(expressions());
    if (all.length > 1) return node('Assign', place, {targets: all.slice(0, -1).map(assignable), value: all.at(-1)});
    const [, op] = is('operator') && /^(\*\*|\/\/|<<|>>|[-+*/%&|^@])=$/.exec(list[at].value) || [];
    if (!op) return node('Expr', place, {value: left});
    at++;
    return node('AugAssign', place, {target: assignable(left), op, value: expressions()});
  }

  function assignable(found) {
    if (found.elts) found.elts.forEach(assignable);
    else if (!['Name', 'Attribute', 'Subscript', 'Starred'].includes(found.type)) mistake(found, '等号左边要是名字。比较两个数用 ==。', 'The left of = must be a name. To compare, write ==.');
    return found;
  }

  const word = () => is('name') && !KEYWORDS.has(list[at].value) ? list[at++].value : expected('一个名字', 'a name');

  // ---- expressions

  // One, or a tuple of several.
  function tuple(end, one = expression) {
    const place = list[at], first = one();
    return accept(',') ? node('Tuple', place, {elts: [first, ...several(end, one)]}) : first;
  }

  const expressions = () => tuple(['=', ')', ']']);

  function expression() {
    const place = list[at];
    if (accept('lambda')) {
      const parameters = closed(':', () => ({name: word()}));
      return node('Lambda', place, {name: '<lambda>', decorators: [], parameters, body: [node('Return', place, {value: expression()})]});
    }
    const body = operation(1);
    if (!accept('if')) return body;
    const test = operation(1);
    expect('else');
    return node('IfExp', body, {test, body, orelse: expression()});
  }

  function operation(least) {
    const place = list[at];
    let left = least <= NOT && accept('not') ? node('UnaryOp', place, {op: 'not', operand: operation(NOT)}) : unary();
    while (!is('string') && BINDS[list[at].value] >= least) {
      let op = list[at++].value;
      const binds = BINDS[op];
      if (op === 'is' && accept('not') || op === 'not' && expect('in')) op = `${op} ${list[at - 1].value}`;
      const right = operation(binds + 1);
      if (binds === COMPARISON) {
        if (left.type !== 'Compare' || left.closed) left = node('Compare', left, {ops: [], operands: [left]});
        left.ops.push(op);
        left.operands.push(right);
      } else left = node(binds < COMPARISON ? 'BoolOp' : 'BinOp', left, {op, left, right});
    }
    if (left.type === 'Compare') left.closed = true;
    return left;
  }

  function unary() {
    const place = list[at];
    if (is('operator') && peek('-', '+', '~')) return node('UnaryOp', place, {op: list[at++].value, operand: unary()});
    const base = primary();
    return accept('**') ? node('BinOp', base, {left: base, op: '**', right: unary()}) : base;
  }

  function primary() {
    let found = atom();
    while (true) {
      if (accept('.')) found = node('Attribute', found, {value: found, attr: word()});
      else if (accept('(')) found = call(found);
      else if (accept('[')) {
        found = node('Subscript', found, {value: found, slice: tuple([']'], slice)});
        expect(']');
      } else return found;
    }
  }

  // An expression, or one for each of a loop.
  function comprehension(elt) {
    if (!peek('for')) return elt;
    const place = list[at], loops = [];
    while (accept('for')) {
      loops.push({...loop(() => operation(1)), ifs: []});
      while (accept('if')) loops.at(-1).ifs.push(operation(1));
    }
    return node('ListComp', place, {elt, loops});
  }

  function slice() {
    const place = list[at], bound = () => peek(':', ']', ',') ? null : expression(), lower = bound();
    return accept(':') ? node('Slice', place, {lower, upper: bound(), step: accept(':') && bound()}) : lower;
  }

  function call(func) {
    const args = [], keywords = [];
    closed(')', () => {
      if (peek('**')) unavailable('**', {line: list[at].line});
      const place = list[at];
      if (is('name') && list[at + 1].value === '=') {
        const name = word();
        at++;
        keywords.push({name, value: expression()});
      } else args.push(accept('*') ? node('Starred', place, {value: expression()}) : comprehension(expression()));
    });
    return node('Call', func, {func, args, keywords});
  }

  function atom() {
    const token = list[at], {value} = token, constant = (value, more) => node('Constant', token, {value, ...more});
    if (is('number')) { at++; return constant(literal(value)); }
    if (is('string')) {
      let text = '';
      while (is('string')) text += list[at++].value;
      return constant(text);
    }
    if (accept('...')) return constant(undefined, {ellipsis: true});
    if (accept('(')) {
      const inner = peek(')') ? node('Tuple', token, {elts: []}) : comprehension(expressions());
      expect(')');
      return inner;
    }
    if (accept('{')) {
      const values = [], keys = closed('}', () => { const key = expression(); expect(':'); values.push(expression()); return key; });
      return node('Dict', token, {keys, values});
    }
    if (accept('[')) {
      const elts = several([']'], expression), made = comprehension(elts[0]);
      expect(']');
      return made === elts[0] ? node('List', token, {elts}) : made;
    }
    if (is('name') && value in CONSTANTS) { at++; return constant(CONSTANTS[value]); }
    if (is('name') && !KEYWORDS.has(value)) { at++; return node('Name', token, {id: value}); }
    expected('一个值', 'a value');
  }

  const body = [];
  while (!is('end')) body.push(...statement());
  return node('Module', {line: 1}, {body});
}

// A Python int is a BigInt, a float a number: so they stay apart.
function literal(text) {
  text = text.replaceAll('_', '');
  return /^0[xXbBoO]/.test(text) || /^\d+$/.test(text) ? BigInt(text) : Number(text);
}
