// The part of Python that kernels are written in: text to a tree of nodes that carry the names of CPython's ast.
// By hand, so that what it refuses is said in the course's two languages, at the line.

class Mistake extends Error {
  constructor(node, zh, en) {
    super(en);
    Object.assign(this, {line: node?.line ?? 0, column: node?.column ?? 0, zh, en});
  }
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?(?:[\d_]*)|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y;
const STRING = /([rRbBuUfF]{0,2})("""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*')/y;
const OPERATOR = /\.\.\.|\*\*=|\/\/=|<<=|>>=|->|:=|\*\*|\/\/|<<|>>|<=|>=|==|!=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|@=|[-+*/%@&|^~<>()[\]{}:,.=;]/y;
const WIDE = {'，': ',', '。': '.', '；': ';', '：': ':', '、': ',', '【': '[', '】': ']', '《': '<', '》': '>', '　': ' '};  // and what lies 0xfee0 above ASCII
const narrow = letter => WIDE[letter] ?? (/[！-～]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 0xfee0) : null);
const ESCAPES = {n: '\n', t: '\t', r: '\r', '0': '\0', '\n': ''};

function tokens(text) {
  const found = [], indents = [0], open = [];
  let at = 0, line = 1, begin = 0, fresh = true;
  const here = () => ({line, column: at - begin});
  const match = expression => { expression.lastIndex = at; return expression.exec(text); };
  const push = (kind, value, place = here()) => found.push({kind, value, ...place});
  while (at < text.length) {
    if (fresh) {
      let width = 0, start = at;
      while (' \t\f'.includes(text[at] ?? '-')) { width = text[at] === '\t' ? (width | 7) + 1 : width + 1; at++; }
      if ('#\n\r'.includes(text[at] ?? '\n')) {
        while (at < text.length && text[at] !== '\n') at++;
        at++; line++; begin = at;
        continue;
      }
      fresh = false;
      if (width > indents.at(-1)) { indents.push(width); push('indent', ''); }
      while (width < indents.at(-1)) { indents.pop(); push('dedent', ''); }
      if (width !== indents.at(-1)) throw new Mistake(here(), '缩进和前面哪一层都对不上。', 'This indentation matches no line above.');
    }
    const letter = text[at];
    if (letter === '\n') {
      if (!open.length) { push('newline', ''); fresh = true; }
      at++; line++; begin = at;
    } else if (' \t\r\f'.includes(letter)) at++;
    else if (letter === '#') while (at < text.length && text[at] !== '\n') at++;
    else if (letter === '\\' && /\r?\n/y.test(text.slice(at + 1, at + 3))) { at = text.indexOf('\n', at) + 1; line++; begin = at; }
    else {
      const place = here();
      let one;
      if ((one = match(STRING))) {
        if (/f/i.test(one[1])) throw new Mistake(place, '这里用不了 f 字符串。', 'f-strings are not understood here.');
        const quotes = one[2].startsWith('"""') || one[2].startsWith("'''") ? 3 : 1;
        const inner = one[2].slice(quotes, -quotes);
        push('string', /r/i.test(one[1]) ? inner : inner.replace(/\\(\n|.)/g, (_, c) => ESCAPES[c] ?? c), place);
        for (const c of one[0]) if (c === '\n') line++;
        if (one[0].includes('\n')) begin = at + one[0].lastIndexOf('\n') + 1;
      } else if ((one = match(NAME))) push('name', one[0], place);
      else if ((one = match(NUMBER))) push('number', one[0], place);
      else if ((one = match(OPERATOR))) {
        if ('([{'.includes(one[0])) open.push({...place, sign: one[0]});
        if (')]}'.includes(one[0]) && '([{'.indexOf(open.pop()?.sign) !== ')]}'.indexOf(one[0]))
          throw new Mistake(place, `多了一个 ${one[0]}。`, `This ${one[0]} closes nothing.`);
        push('operator', one[0], place);
      } else if (letter === '　') throw new Mistake(place, '这里是一个全角空格，要用半角的。', 'This space is a full-width one; type an ordinary space.');
      else if (narrow(letter)) throw new Mistake(place, `${letter} 是全角的，要写半角的 ${narrow(letter)}。`, `${letter} is a full-width sign; type ${narrow(letter)} instead.`);
      else throw new Mistake(place, `看不懂这里的 ${letter}。`, `${letter} means nothing here.`);
      at += one[0].length;
    }
  }
  if (open.length) throw new Mistake(open.at(-1), `这个 ${open.at(-1).sign} 没有配对。`, `This ${open.at(-1).sign} was never closed.`);
  if (!fresh) push('newline', '');
  while (indents.pop()) push('dedent', '');
  push('end', '');
  return found;
}

const BINARY = {'|': 5, '^': 6, '&': 7, '<<': 8, '>>': 8, '+': 9, '-': 9, '*': 10, '/': 10, '//': 10, '%': 10, '@': 10};
const COMPARE = new Set(['<', '>', '<=', '>=', '==', '!=']);
const KEYWORDS = new Set('and or not if else elif for while in is def return pass break continue lambda import from as class with try except finally raise assert del global nonlocal yield async await None True False'.split(' '));

function parse(text) {
  const list = tokens(text.replace(/\r\n?/g, '\n').replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\u00a0/g, ' '));  // what phones make of quotes
  let at = 0;
  const peek = (value, ahead = 0) => list[at + ahead].value === value && list[at + ahead].kind !== 'string' && list[at + ahead].kind !== 'end';
  const is = kind => list[at].kind === kind;
  const node = (type, place, rest) => ({type, line: place.line, column: place.column, ...rest});
  const accept = value => peek(value) ? list[at++] : null;

  function expect(value) {
    const found = accept(value);
    if (found) return found;
    const got = list[at], shown = got.kind === 'newline' || got.kind === 'end' ? ['一行的末尾', 'the end of the line'] : [`${got.value || '缩进'}`, `${got.value || 'an indentation'}`];
    throw new Mistake(got, `这里应当是 ${value}，却是${shown[0]}。`, `Expected ${value} here, found ${shown[1]}.`);
  }

  // ---- statements

  function block() {
    expect(':');
    if (!is('newline')) return simple();
    at++;
    if (!is('indent')) throw new Mistake(list[at], '冒号下面要有缩进的几行。', 'Indented lines must follow the colon.');
    at++;
    const body = [];
    while (!is('dedent')) body.push(...statement());
    at++;
    return body;
  }

  function statement() {
    if (is('indent')) throw new Mistake(list[at], '这一行缩进多了。', 'This line is indented too far.');
    const place = list[at];
    if (peek('@') || peek('def')) return [definition()];
    if (accept('if')) return [branch(place)];
    if (accept('while')) {
      const test = expression();
      return [node('While', place, {test, body: block(), orelse: accept('else') ? block() : []})];
    }
    if (accept('for')) {
      const target = targets();
      expect('in');
      const iter = expressions();
      return [node('For', place, {target, iter, body: block(), orelse: accept('else') ? block() : []})];
    }
    for (const word of ['class', 'with', 'try', 'async'])
      if (peek(word)) throw new Mistake(place, `kernel 里不能用 ${word}。`, `A kernel has no ${word}.`);
    return simple();
  }

  function branch(place) {
    const test = expression(), body = block(), next = list[at];
    const orelse = accept('elif') ? [branch(next)] : accept('else') ? block() : [];
    return node('If', place, {test, body, orelse});
  }

  function definition() {
    const decorators = [];
    while (accept('@')) { decorators.push(expression()); newline(); }
    const place = expect('def'), name = word(), parameters = [];
    expect('(');
    while (!peek(')')) {
      if (accept('*')) { if (!peek(',')) throw new Mistake(list[at], 'kernel 的参数不能有 *。', 'A kernel takes no * arguments.'); accept(','); continue; }
      const where = list[at], parameter = {name: word(), line: where.line};
      if (accept(':')) parameter.annotation = expression();
      if (accept('=')) parameter.value = expression();
      parameters.push(parameter);
      if (!accept(',')) break;
    }
    expect(')');
    const returns = accept('->') ? expression() : null;
    return node('FunctionDef', place, {name, parameters, decorators, returns, body: block()});
  }

  function simple() {
    const body = [];
    do body.push(small()); while (accept(';') && !is('newline'));
    newline();
    return body;
  }

  function newline() {
    if (is('newline')) at++;
    else if (!is('end') && !is('dedent')) {
      const got = list[at];
      throw new Mistake(got, `看不懂从 ${got.value} 起的部分。`, `This line makes no sense from ${got.value} on.`);
    }
  }

  function small() {
    const place = list[at];
    if (accept('pass')) return node('Pass', place);
    if (accept('break')) return node('Break', place);
    if (accept('continue')) return node('Continue', place);
    if (accept('return')) return node('Return', place, {value: is('newline') || peek(';') ? null : expressions()});
    if (accept('assert')) return node('Assert', place, {test: expression(), message: accept(',') ? expression() : null});
    if (peek('import') || peek('from')) {
      while (!is('newline')) at++;
      return node('Import', place);
    }
    for (const word of ['raise', 'del', 'global', 'nonlocal', 'yield'])
      if (peek(word)) throw new Mistake(place, `kernel 里不能用 ${word}。`, `A kernel has no ${word}.`);
    const left = expressions();
    if (accept(':')) {
      const annotation = expression();
      return node('AnnAssign', place, {target: target(left), annotation, value: accept('=') ? expressions() : null});
    }
    if (accept('=')) {
      const all = [left, expressions()];
      while (accept('=')) all.push(expressions());
      return node('Assign', place, {targets: all.slice(0, -1).map(target), value: all.at(-1)});
    }
    const sign = list[at].value;
    if (is('operator') && /^(\*\*|\/\/|<<|>>|[-+*/%&|^@])=$/.test(sign)) {
      at++;
      return node('AugAssign', place, {target: target(left), op: sign.slice(0, -1), value: expressions()});
    }
    return node('Expr', place, {value: left});
  }

  function target(found) {
    if (found.type === 'Tuple' || found.type === 'List') found.elts.forEach(target);
    else if (!['Name', 'Attribute', 'Subscript', 'Starred'].includes(found.type))
      throw new Mistake(found, '等号左边要是名字。比较两个数用 ==。', 'The left of = must be a name. To compare, write ==.');
    return found;
  }

  function targets() {
    const place = list[at], elts = [binary(5)];
    let comma = false;
    while (accept(',')) { comma = true; if (peek('in')) break; elts.push(binary(5)); }
    return target(comma ? node('Tuple', place, {elts}) : elts[0]);
  }

  function word() {
    if (!is('name') || KEYWORDS.has(list[at].value)) throw new Mistake(list[at], '这里要有一个名字。', 'A name must stand here.');
    return list[at++].value;
  }

  // ---- expressions

  function expressions() {
    const place = list[at], first = expression();
    if (!peek(',')) return first;
    const elts = [first];
    while (accept(',')) {
      if (is('newline') || peek('=') || peek(')') || peek(']')) break;
      elts.push(expression());
    }
    return node('Tuple', place, {elts});
  }

  function expression() {
    const place = list[at];
    if (accept('lambda')) {
      const names = [];
      while (!peek(':')) { names.push({name: word()}); if (!accept(',')) break; }
      expect(':');
      return node('Lambda', place, {name: '<lambda>', decorators: [], parameters: names, body: [node('Return', place, {value: expression()})]});
    }
    const body = disjunction();
    if (!accept('if')) return body;
    const test = disjunction();
    expect('else');
    return node('IfExp', body, {test, body, orelse: expression()});
  }

  function disjunction() { return joined('or', conjunction); }
  function conjunction() { return joined('and', negation); }

  function joined(sign, inner) {
    const first = inner();
    if (!peek(sign)) return first;
    const values = [first];
    while (accept(sign)) values.push(inner());
    return node('BoolOp', first, {op: sign, values});
  }

  function negation() {
    const place = list[at];
    return accept('not') ? node('UnaryOp', place, {op: 'not', operand: negation()}) : comparison();
  }

  function comparison() {
    const left = binary(5), ops = [], comparators = [];
    while (true) {
      let op = null;
      if (is('operator') && COMPARE.has(list[at].value)) op = list[at++].value;
      else if (peek('is')) { at++; op = accept('not') ? 'is not' : 'is'; }
      else if (peek('in')) { at++; op = 'in'; }
      else if (peek('not') && peek('in', 1)) { at += 2; op = 'not in'; }
      else break;
      ops.push(op);
      comparators.push(binary(5));
    }
    return ops.length ? node('Compare', left, {left, ops, comparators}) : left;
  }

  function binary(least) {
    let left = unary();
    while (is('operator') && BINARY[list[at].value] >= least) {
      const op = list[at++].value;
      left = node('BinOp', left, {left, op, right: binary(BINARY[op] + 1)});
    }
    return left;
  }

  function unary() {
    const place = list[at];
    for (const op of ['-', '+', '~']) if (is('operator') && accept(op)) return node('UnaryOp', place, {op, operand: unary()});
    const base = primary();
    return accept('**') ? node('BinOp', base, {left: base, op: '**', right: unary()}) : base;
  }

  function primary() {
    let found = atom();
    while (true) {
      if (accept('.')) found = node('Attribute', found, {value: found, attr: word()});
      else if (peek('(')) found = call(found);
      else if (accept('[')) {
        const slices = [slice()];
        let comma = false;
        while (accept(',')) { comma = true; if (peek(']')) break; slices.push(slice()); }
        expect(']');
        found = node('Subscript', found, {value: found, slice: comma ? node('Tuple', slices[0], {elts: slices}) : slices[0]});
      } else return found;
    }
  }

  function comprehension(elt, place) {
    const loops = [];
    while (accept('for')) {
      const target = targets(), ifs = [];
      expect('in');
      loops.push({target, iter: disjunction(), ifs});
      while (accept('if')) ifs.push(disjunction());
    }
    return node('ListComp', place, {elt, loops});
  }

  function slice() {
    const place = list[at], bound = () => peek(':') || peek(']') || peek(',') ? null : expression();
    const lower = bound();
    if (!accept(':')) return lower;
    const upper = bound();
    return node('Slice', place, {lower, upper, step: accept(':') ? bound() : null});
  }

  function call(func) {
    const args = [], keywords = [];
    expect('(');
    while (!peek(')')) {
      if (peek('**')) throw new Mistake(list[at], '这里不能用 **。', '** is not understood here.');
      if (is('name') && peek('=', 1)) {
        const place = list[at], name = word();
        at++;
        keywords.push({name, value: expression(), line: place.line});
      } else if (accept('*')) args.push(node('Starred', list[at], {value: expression()}));
      else args.push(expression());
      if (peek('for')) args.push(comprehension(args.pop(), list[at]));
      if (!accept(',')) break;
    }
    expect(')');
    return node('Call', func, {func, args, keywords});
  }

  function atom() {
    const token = list[at];
    if (token.kind === 'number') { at++; return node('Constant', token, {value: literal(token)}); }
    if (token.kind === 'string') {
      let value = '';
      while (is('string')) value += list[at++].value;
      return node('Constant', token, {value});
    }
    if (accept('...')) return node('Constant', token, {value: undefined, ellipsis: true});
    if (accept('(')) {
      if (accept(')')) return node('Tuple', token, {elts: []});
      const inner = expressions();
      if (peek('for')) { const all = comprehension(inner, token); expect(')'); return all; }
      expect(')');
      return inner.type === 'Tuple' && inner.line === list[at - 1].line ? {...inner, column: token.column} : inner;
    }
    if (accept('{')) {
      const keys = [], values = [];
      while (!peek('}')) { keys.push(expression()); expect(':'); values.push(expression()); if (!accept(',')) break; }
      expect('}');
      return node('Dict', token, {keys, values});
    }
    if (accept('[')) {
      const elts = [];
      while (!peek(']')) { elts.push(expression()); if (!accept(',')) break; }
      if (peek('for')) { const all = comprehension(elts[0], token); expect(']'); return all; }
      expect(']');
      return node('List', token, {elts});
    }
    for (const [name, value] of [['None', null], ['True', true], ['False', false]])
      if (accept(name)) return node('Constant', token, {value});
    if (token.kind === 'name' && !KEYWORDS.has(token.value)) { at++; return node('Name', token, {id: token.value}); }
    const shown = token.kind === 'newline' || token.kind === 'end' ? ['这一行没有写完。', 'This line is not finished.'] : [`这里不该是 ${token.value || '缩进'}。`, `${token.value || 'An indentation'} cannot stand here.`];
    throw new Mistake(token, ...shown);
  }

  const body = [];
  while (!is('end')) body.push(...statement());
  return node('Module', {line: 1, column: 0}, {body});
}

// A Python int is a BigInt, a float a number: so they stay apart.
function literal(token) {
  const text = token.value.replaceAll('_', '');
  if (/^0[xXbBoO]/.test(text) || /^\d+$/.test(text)) return BigInt(text);
  return Number(text);
}
