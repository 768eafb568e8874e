// The part of Python that kernels are written in: text to a tree of nodes that carry the names of CPython's ast.
// By hand, so that what it refuses is said in the course's two languages, at the line.

const quoted = '"""(?:\\\\[^]|[^\\\\])*?"""|"(?:\\\\[^]|[^"\\\\\\n])*"';
const PIECE = new RegExp([
  '(?<string>([rRbBuUfF]{0,2})(', quoted, '|', quoted.replaceAll('"', "'"), '))',
  '|(?<name>[\\p{L}_][\\p{L}\\p{N}_]*)',
  '|(?<number>0[xX][\\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?)',
  '|(?<operator>\\.\\.\\.|->|:=|(?:\\*\\*|//|<<|>>|[-+*/%&|^@<>=!])=|\\*\\*|//|<<|>>|[-+*/%@&|^~<>()[\\]{}:,.=;])',
].join(''), 'uy');
const NAMES = ['string', 'name', 'number', 'operator'];
const BLANK = /[ \t\f]*/y, SPACE = /[ \t\f]+|#.*|\\\n/y;
const WIDE = {'。': '.', '、': ','};  // and what lies 0xfee0 above ASCII
const narrow = letter => WIDE[letter] ?? (/[！-～]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 0xfee0) : null);
const ESCAPES = {n: '\n', t: '\t', r: '\r', '0': '\0', '\n': ''};
const CLOSE = {'(': ')', '[': ']', '{': '}'};
const mistake = ({line}, zh, en) => refuse(zh, en, {line});
const unclosed = place => mistake(place, `这个 ${place.sign} 没有配对。`, `This ${place.sign} was never closed.`);
const misplaced = (place, zh, en = zh) => mistake(place, `这里不该是 ${zh}。`, `${en} is out of place here.`);

function tokens(text) {
  const found = [], indents = [0], open = [];
  let at = 0, line = 1, fresh = true;
  const here = pattern => { pattern.lastIndex = at; return pattern.exec(text)?.[0]; };
  const push = (kind, value = '') => found.push({kind, value, line});
  while (at < text.length) {
    if (fresh) {
      const blank = here(BLANK), width = blank.replaceAll('\t', '        ').length;
      at += blank.length;
      fresh = '#\n'.includes(text[at] ?? '\n');
      if (!fresh) {
        if (width > indents.at(-1)) { indents.push(width); push('indent'); }
        while (width < indents.at(-1)) { indents.pop(); push('dedent'); }
        if (width !== indents.at(-1)) mistake({line}, '缩进和前面哪一层都对不上。', 'This indentation matches no line above.');
      }
    }
    const letter = text[at] ?? '\n', space = here(SPACE);
    if (space) {
      at += space.length;
      line += space === '\\\n';
    } else if (letter === '\n') {
      if (!open.length && !fresh) { push('newline'); fresh = true; }
      at++; line++;
    } else {
      PIECE.lastIndex = at;
      const {groups = {}, 0: all, 2: prefix = '', 3: inner} = PIECE.exec(text) ?? {}, kind = NAMES.find(each => groups[each] !== undefined);
      if (letter === '　') mistake({line}, '这里是一个全角空格，要用半角的。', 'This space is a full-width one; type an ordinary space.');
      if (!kind && `'"`.includes(letter)) unclosed({line, sign: letter});
      if (!kind) narrow(letter) ? mistake({line}, `${letter} 是全角的，要写半角的 ${narrow(letter)}。`, `${letter} is a full-width sign; type ${narrow(letter)} instead.`) : misplaced({line}, letter);
      if (CLOSE[all]) open.push({line, sign: all});
      if (Object.values(CLOSE).includes(all) && CLOSE[open.pop()?.sign] !== all) mistake({line}, `多了一个 ${all}。`, `This ${all} closes nothing.`);
      push(kind, all);
      if (kind === 'string') {
        const quotes = /^("""|''')/.test(inner) ? 3 : 1, bare = inner.slice(quotes, -quotes);
        found.at(-1).formatted = /f/i.test(prefix);
        found.at(-1).value = /r/i.test(prefix) ? bare : bare.replace(/\\(\n|.)/g, (_, c) => ESCAPES[c] ?? c);
        line += all.split('\n').length - 1;
      }
      at += all.length;
    }
  }
  if (open.length) unclosed(open.at(-1));
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
const KEYWORDS = new Set([...MISSING, ...'and or not if else elif for while in is def return pass break continue lambda import from assert None True False'.split(' ')]);
const CONSTANTS = {None: null, True: true, False: false};

function parse(text) {
  const list = tokens(text.replace(/\r\n?/g, '\n').replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\u00a0/g, ' '));  // what phones make of quotes
  let at = 0, kernel = false;
  // What Python has, and a kernel or this page does not.
  const absent = what => refuse(...kernel ? [`kernel 里不能用 ${what}：编译器不认。`, `A kernel has no ${what}: the compiler does not take it.`] : UNKNOWN(what), {line: list[at].line, absent: true});
  const is = kind => list[at].kind === kind;
  const peek = (...values) => values.includes(list[at].value) && !is('string');
  const taboo = (...words) => kernel && peek(...words) && absent(list[at].value);  // in a kernel
  const node = (type, {line}, rest) => ({type, line, ...rest});
  const accept = value => peek(value) ? list[at++] : null;
  const unexpected = () => is('indent') ? mistake(list[at], '这一行多缩进了。', 'This line is indented for nothing.')
    : misplaced(list[at], ...is('operator') || list[at].value ? [list[at].value] : ['一行的末尾', 'the end of the line']);
  const notAName = place => mistake(place, '等号左边要是名字。比较两个数用 ==。', 'The left of = must be a name. To compare, write ==.');

  function expect(value) {
    if (peek(value)) return list[at++];
    if (peek('=')) notAName(list[at]);
    if (')]}'.includes(value)) value = ['name', 'number', 'string'].some(is) ? ',' : unexpected();
    value === 'in' ? unexpected() : mistake(list[at], `这里少了 ${value}。`, `A ${value} is missing here.`);
  }

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
    if (!is('indent')) mistake(list[is('end') ? at - 1 : at], '下面应当是缩进的几行。', 'Indented lines are missing here.');
    at++;
    const body = [];
    while (!is('dedent')) body.push(...statement());
    at++;
    return body;
  }

  const otherwise = () => accept('else') ? block() : [];

  function statement() {
    if (is('indent')) unexpected();
    const place = list[at];
    taboo('def');
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
      if (accept('*')) return peek(',') ? null : absent('*');
      const {line} = list[at], name = word(), annotation = accept(':') && expression();
      return {name, line, annotation, value: accept('=') && expression()};
    }).filter(Boolean);
    if (accept('->')) expression();
    const outer = kernel;
    kernel = decorators.length > 0;
    const body = block();
    kernel = outer;
    return node('FunctionDef', place, {name, parameters, decorators, body});
  }

  function simple() {
    const body = [];
    do body.push(small()); while (accept(';') && !is('newline'));
    newline();
    return body;
  }

  function newline() {
    if (is('newline')) at++;
    else if (!is('end') && !is('dedent')) unexpected();
  }

  function small() {
    const place = list[at];
    taboo('import', 'from', 'break', 'continue');
    if (peek(...MISSING)) absent(place.value);
    for (const type of ['Pass', 'Break', 'Continue']) if (accept(type.toLowerCase())) return node(type, place);
    if (accept('return')) return node('Return', place, {value: is('newline') || peek(';') ? null : expressions()});
    if (accept('assert')) return node('Assert', place, {test: expression(), message: accept(',') && expression()});
    if (peek('import', 'from')) {
      while (!is('newline')) at++;
      return node('Pass', place);
    }
    const all = [expressions()], [left] = all;
    if (left.type === 'Call' && peek(':')) unexpected();
    if (accept(':')) return node('AnnAssign', place, {target: assignable(left), annotation: expression(), value: accept('=') && expressions()});
    while (accept('=')) all.push(expressions());
    if (kernel && all.length > 2) absent('x = y = …');
    if (all.length > 1) return node('Assign', place, {targets: all.slice(0, -1).map(assignable), value: all.at(-1)});
    const [, op] = is('operator') && /^(\*\*|\/\/|<<|>>|[-+*/%&|^@])=$/.exec(list[at].value) || [];
    if (!op) return node('Expr', place, {value: left});
    at++;
    return node('AugAssign', place, {target: assignable(left), op, value: expressions()});
  }

  function assignable(found) {
    if (found.elts) found.elts.forEach(assignable);
    else if (!['Name', 'Attribute', 'Subscript', 'Starred'].includes(found.type)) notAName(found);
    return found;
  }

  const word = () => is('name') && !KEYWORDS.has(list[at].value) ? list[at++].value : unexpected();

  // ---- expressions

  // One, or a tuple of several.
  function tuple(end, one = expression) {
    const place = list[at], first = one();
    return accept(',') ? node('Tuple', place, {elts: [first, ...several(end, one)]}) : first;
  }

  const expressions = () => tuple(['=', ')', ']']);

  function expression() {
    const place = list[at];
    taboo('lambda');
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
    if (kernel) absent('[… for …]');
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
      if (peek('**')) absent('**');
      const place = list[at];
      if (is('name') && list[at + 1].value === '=') {
        const name = word();
        at++;
        keywords.push({name, value: expression()});
      } else if (keywords.length && !peek('*')) mistake(place, '按名字给的参数要写在最后。', 'Arguments given by name come last.');
      else args.push(accept('*') ? node('Starred', place, {value: expression()}) : comprehension(expression()));
    });
    return node('Call', func, {func, args, keywords});
  }

  function atom() {
    const token = list[at], {value} = token, constant = (value, more) => node('Constant', token, {value, ...more});
    if (is('number')) { at++; return constant(literal(value)); }
    if (is('string')) {
      let text = '';
      while (is('string')) list[at].formatted ? absent('f"…"') : text += list[at++].value;
      return constant(text);
    }
    if (accept('...')) return constant(undefined, {ellipsis: true});
    if (accept('(')) {
      const inner = peek(')') ? node('Tuple', token, {elts: []}) : comprehension(expressions());
      expect(')');
      return inner;
    }
    if (kernel && peek('{')) absent('{}');
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
    taboo('torch', 'np', 'numpy');
    if (is('name') && !KEYWORDS.has(value)) { at++; return node('Name', token, {id: value}); }
    unexpected();
  }

  const body = [];
  while (!is('end')) body.push(...statement());
  return node('Module', {line: 1}, {body});
}

// A Python int is a BigInt, a float a number: so they stay apart.
function literal(text) {
  text = text.replaceAll('_', '');
  return /^(0[xbo].*|\d+)$/i.test(text) ? BigInt(text) : Number(text);
}
