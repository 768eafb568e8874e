// A textarea over the same text in colours: the textarea is what one types in, the text below is what one sees.
const PIECES = /(?<c1>#.*)|(?<s1>"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<nd>@[\w.]+)|(?<k>\b(?:and|or|not|if|else|elif|for|while|in|is|def|return|pass|break|continue|import|from|assert|None|True|False)\b)|(?<mi>\b\d[\w.]*)/g;

const piecesOf = text => [...text.matchAll(PIECES)].map(match => [Object.entries(match.groups).find(([, piece]) => piece !== undefined)[0], match[0], match.index]);

function coloured(text) {
  const found = document.createDocumentFragment();
  let at = 0;
  for (const [kind, piece, index] of piecesOf(text)) {
    found.append(text.slice(at, index), make('span', {className: kind}, piece));
    at = index + piece.length;
  }
  found.append(text.slice(at));
  return found;
}

class Editor {
  constructor(box, label, changed) {
    this.field = make('textarea', {spellcheck: false, autocapitalize: 'off', autocomplete: 'off', wrap: 'off'});
    this.field.setAttribute('autocorrect', 'off');
    this.field.setAttribute('aria-label', label);
    this.numbers = make('div', {className: 'numbers', ariaHidden: 'true'});
    this.shown = make('pre', {ariaHidden: 'true'});
    this.leaving = false;
    box.replaceChildren(this.numbers, make('div', {className: 'code highlight'}, this.shown, this.field));
    this.field.addEventListener('input', changed);
    this.field.addEventListener('keydown', event => this.key(event));
    this.field.addEventListener('blur', () => { this.leaving = false; });
  }

  get text() { return this.field.value; }
  set text(text) { this.field.value = text; this.mark(null); }

  // One line in a colour of its own: where a mistake is, or where a program stands.
  mark(line, kind = 'now') {
    this.shown.replaceChildren(coloured(this.text), '\n');
    const lines = this.text.split('\n');
    this.field.rows = lines.length;
    this.numbers.replaceChildren(...lines.map((_, k) => make('div', {className: k + 1 === line ? kind : ''}, k + 1)));
    this.shown.style.setProperty('--line', (line ?? 0) - 1);
    this.shown.dataset.mark = line ? kind : '';
  }

  // Tab indents, unless Escape was pressed before: so the keyboard gets out again.
  key(event) {
    const {field} = this, {selectionStart: start, selectionEnd: end} = field;
    if (event.key === 'Escape') { this.leaving = true; return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = field.value.slice(0, start).split('\n').at(-1);
    if (event.key === 'Tab' && !this.leaving && !event.shiftKey) this.type(event, ' '.repeat(4 - line.length % 4));
    if (event.key === 'Enter') this.type(event, `\n${/^ */.exec(line)[0]}${/:\s*(#.*)?$/.test(line) ? '    ' : ''}`);
    if (event.key === 'Backspace' && start === end && /^(?: {4})+$/.test(line)) { field.selectionStart = start - 4; this.type(event, ''); }
    if (event.key !== 'Shift') this.leaving = false;
  }

  type(event, text) {
    event.preventDefault();
    // The old command keeps the browser's undo; where it is gone, the text is put in without.
    const done = text ? document.execCommand('insertText', false, text) : document.execCommand('delete');
    if (done) return;
    this.field.setRangeText(text, this.field.selectionStart, this.field.selectionEnd, 'end');
    this.field.dispatchEvent(new Event('input'));
  }
}
