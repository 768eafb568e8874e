// A textarea over the same text in colours: the textarea is what one types in, the text below is what one sees.
const PIECES = /(?<c1>#.*)|(?<s1>"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<nd>@[\w.]+)|(?<k>\b(?:and|or|not|if|else|elif|for|while|in|is|def|return|pass|break|continue|import|from|assert|None|True|False)\b)|(?<mi>\b\d[\w.]*)/g;

const piecesOf = text => [...text.matchAll(PIECES)].map(match => [Object.entries(match.groups).find(([, piece]) => piece !== undefined)[0], match[0], match.index]);

// A line at a time, as HTML.
function coloured(text) {
  let html = '', at = 0;
  for (const [kind, piece, index] of piecesOf(text)) {
    html += safe(text.slice(at, index)) + piece.split('\n').map(part => `<span class="${kind}">${safe(part)}</span>`).join('\n');
    at = index + piece.length;
  }
  return (html + safe(text.slice(at))).split('\n');
}

class Editor {
  constructor(box, label, changed) {
    this.box = box;
    this.field = make('textarea', {spellcheck: false, autocapitalize: 'off', autocomplete: 'off'});
    this.field.setAttribute('autocorrect', 'off');
    this.field.setAttribute('aria-label', label);
    this.shown = make('pre', {ariaHidden: 'true'});
    this.leaving = false;
    box.replaceChildren(make('div', {className: 'code highlight'}, this.shown, this.field));
    this.field.addEventListener('input', changed);
    this.field.addEventListener('keydown', event => this.key(event));
    this.field.addEventListener('blur', () => { this.leaving = false; });
  }

  get text() { return this.field.value; }
  set text(text) { this.field.value = text; this.mark(null); }

  // One line in a colour of its own, and in sight: where a mistake is, or where a program stands. Only what changed is drawn.
  mark(line, kind = 'now') {
    const lines = coloured(this.text), {shown} = this;
    this.box.style.setProperty('--digits', String(lines.length).length);
    while (shown.childElementCount > lines.length) shown.lastChild.remove();
    for (const [k, html] of lines.entries()) {
      const row = shown.children[k] ?? shown.appendChild(make('div', {}));
      if (row.html !== html) row.innerHTML = `<i class="no">${k + 1}</i>${parted(row.html = html)}`;
      row.style.setProperty('--in', `${/^ */.exec(lines[k])[0].length + 4}ch`);
      row.className = k + 1 === line ? kind : '';
      if (k + 1 === line) this.box.scrollTo(0, row.offsetTop + row.offsetHeight <= this.box.clientHeight ? 0 : row.offsetTop - 2 * shown.firstChild.offsetHeight);
    }
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
