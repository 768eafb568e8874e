// A kernel that can be edited, run and stepped, wherever a page wants one:
//
//     Live.mount(element, {
//       id: '03.row_kernel',     // what was written is kept under this name; left out: not kept
//       text: '@triton.jit\ndef …',
//       kernel: 'row_kernel',    // the one to launch; left out: the last of the text
//       grid: [4],
//       args: […], storages: […],                                   // as course_tools.live.launches has it, or
//       setting: {kind: 'low', rows: 4, columns: 5, seed: 1, dtype: 'float32'},  // x_ptr, y_ptr, n_cols, … made by name
//       before: '…',             // text that the kernel needs and that is not shown
//       does: ['run', 'step', 'together', 'races'],                 // which buttons; left out: run and step
//       program: 0,              // which one Step follows at first
//       begin: 'run',            // what to do at once, before anybody presses a button; 'tl.load': step, to the line that holds it
//     })
//
// It gives a Cell: `text`, `do('run')` (a promise), `reset()`; the element hears `live`, with {kind, answer} or {kind, refused} as
// its detail. In a page made by Python, `course_tools.live.cell.markup(…)` is all that is needed: what has the class `kernel` and a task
// inside is mounted by itself. The page loads assets/live.js and assets/live.css; nothing else.

const DOES = {
  check: ['检查', 'Check'],
  run: ['运行', 'Run'],
  step: ['单步', 'Step'],
  together: ['几个 program 一起单步', 'Step programs together'],
  races: ['找竞争', 'Find races'],
};

// The stepper of the course's films, with pictures drawn as they are asked for.
class Stepper extends Film {
  load() { return Promise.resolve(); }
  frame(index) { return this.draw(index); }
}

// Comments in two languages, in the one shown.
const ownWords = text => text.replace(/(?<=# ).+ · .+$/gm, comment => said(comment));

class Cell {
  constructor(box, task) {
    Object.assign(this, {box, task, original: ownWords(task.text), program: task.program ?? 0, turn: 0});
    const [editor, controls, out, film] = ['editor', 'controls', 'out', 'film'].map(name => make('div', {className: name}));
    Object.assign(this, {controls, out, film});
    out.setAttribute('aria-live', 'polite');
    box.classList.add('kernel');
    box.replaceChildren(editor, controls, out, film);
    this.editor = new Editor(editor, said('kernel 的代码 · The kernel’s code'), () => this.changed());
    this.buttons = {};
    for (const [k, kind] of (task.does ?? ['run', 'step']).entries()) this.button(kind, DOES[kind], k ? '' : 'main', () => this.do(kind));
    this.choices();
    this.back = this.button('reset', ['还原', 'Reset'], '', () => this.reset());
    this.text = this.remembered() ?? this.original;
    editor.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      Object.values(this.buttons)[0].click();
    });
    box.addEventListener('keydown', event => event.stopPropagation());  // slides would take the arrow keys
    box.addEventListener('click', () => { this.pressed = true; }, true);
    root.addEventListener('language', () => {
      const as = this.text === this.original;
      this.original = ownWords(task.text);
      if (as) this.text = this.original;
    });
    if (task.begin) task.begin in DOES ? this.do(task.begin) : this.stepTo(task.begin);
  }

  button(name, label, kind, does) {
    const made = make('button', {type: 'button', className: kind}, ...both(label));
    made.dataset.live = name;
    // Whoever writes leaves the editor once the button has done its work: long lines may be drawn anew, and it would be missed.
    made.addEventListener('mousedown', event => event.preventDefault());
    made.addEventListener('click', event => { if (event.detail) made.focus({preventScroll: true}); does(); });
    this.controls.append(made);
    return this.buttons[name] = made;
  }

  // Which kernel, where the text has several; which program, where a launch has several.
  choices() {
    const {launches} = this.task;
    if (launches?.length > 1) {
      const select = make('select', {}, ...launches.map(({name}, k) => make('option', {value: k}, name)));
      select.addEventListener('change', () => this.choose(+select.value));
      this.controls.append(make('label', {}, make('span', {}, 'kernel'), select));
    }
    this.which = make('input', {type: 'number', inputMode: 'numeric', min: 0, value: this.program});
    this.which.dataset.live = 'program';
    this.which.addEventListener('change', () => { this.program = Math.min(Math.max(Math.floor(+this.which.value) || 0, 0), this.programs - 1); this.which.value = this.program; this.do('step'); });
    this.whichLabel = make('label', {}, make('span', {}, 'program'), this.which);
    if ((this.task.does ?? ['step']).includes('step')) this.controls.append(this.whichLabel);
    this.choose(0);
  }

  choose(k) {
    if (this.task.launches) Object.assign(this.task, this.task.launches[k]);
    this.grid();
    this.clear();
  }

  // How many programs, for the field that picks one.
  grid() {
    this.programs = (this.task.grid ?? [1]).reduce((a, b) => a * b, 1);
    this.which.max = this.programs - 1;
    this.whichLabel.hidden = this.programs < 2;
    if (this.program >= this.programs) this.which.value = this.program = 0;
  }

  get text() { return this.editor.text; }
  set text(text) { this.editor.text = text; this.back.disabled = text === this.original; }

  // The picture of what was written before stays where it is, pale, until something is run or stepped.
  changed() {
    this.empty();
    this.at = null;
    this.film.classList.add('stale');
    this.back.disabled = this.text === this.original;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.remember(), 300);
  }

  clear() {
    this.empty();
    this.film.replaceChildren();
    delete this.box.dataset.film;
    this.stepper = this.at = null;
  }

  empty() {
    this.box.removeAttribute('aria-busy');
    this.turn++;  // an answer still on its way is for a text that is gone
    this.out.replaceChildren();
    this.editor.mark(null);
  }

  reset() {
    this.text = this.original;
    this.changed();
    this.remember();
    this.editor.field.focus();
  }

  remembered() { return this.task.id ? kept.get(`code.${this.task.id}`) : undefined; }

  remember() {
    clearTimeout(this.later);
    if (!this.task.id) return;
    if (this.text === this.original) kept.forget(`code.${this.task.id}`);
    else kept.set(`code.${this.task.id}`, this.text);
  }

  // What the engine is asked.
  asked() {
    const {kernel, grid, args, storages, setting, before, turns} = this.task;
    return {text: this.text, kernel, grid, args, storages, setting, before, turns, program: this.program};
  }

  async do(kind) {
    this.remember();
    const {film} = this.box.dataset, draws = kind === 'step' || kind === 'together', redraws = !draws && film && this.film.matches('.stale');
    draws ? this.clear() : this.empty();
    const turn = this.turn;
    this.box.setAttribute('aria-busy', 'true');
    const {answer, refused} = await ask(kind, this.asked());
    const drawn = redraws && !refused ? await ask(film, this.asked()) : {};
    if (turn !== this.turn) return null;
    this.box.removeAttribute('aria-busy');
    if (drawn.answer) this[film](drawn.answer, this.stepper.shown[0]);
    if (refused) this.refuse(refused);
    else this[kind](answer);
    speak(this.box);
    watchAll(this.box);
    if (!draws && film && this.pressed) this.out.firstElementChild?.scrollIntoView({block: 'nearest'});  // it lies below the picture
    this.box.dispatchEvent(new CustomEvent('live', {bubbles: true, detail: {kind, answer, refused}}));
    return answer ?? null;
  }

  say(kind, text) { this.out.replaceChildren(make('p', {className: kind}, ...text)); }

  // The line at fault; where none is, that at which the picture stands.
  settle(line) { this.editor.mark(line ?? this.at ?? null, line ? 'wrong' : 'now'); }

  // A mistake at its line; in a text that is not shown, in its function.
  refuse({line, within, zh, en}) {
    const here = line > 0 && (!within || new RegExp(`def\\s+${within}\\b`).test(this.text));
    this.editor.mark(here ? line : null, 'wrong');
    const [atZh, atEn] = here ? [`第 ${line} 行：`, `Line ${line}: `] : within ? [`${within} 里：`, `In ${within}: `] : ['', ''];
    this.say('wrong', two(atZh + zh, atEn + en));
  }

  run(answer) {
    const first = answer.astray.find(({within}) => new RegExp(`def\\s+${within}\\b`).test(this.text));
    this.settle(first?.line);
    this.out.replaceChildren(...resultOf(answer));
  }

  races(answer) {
    this.settle(answer.races[0]?.first.line);
    this.out.replaceChildren(...racesOf(answer));
  }

  step(film, index) { this.play('step', film, film.sides[0].steps, at => drawStep(film, at), index); }

  together(film, index) { this.play('together', film, film.moves.map(([side, step]) => film.sides[side].steps[step]), at => drawTogether(film, at), index); }

  // Steps, and stands at the first line that holds this text.
  async stepTo(text) {
    await this.do('step');
    const line = this.text.split('\n').findIndex(each => each.includes(text)) + 1;
    this.stepper?.move(0, Math.max(0, this.steps.findIndex(step => step.line === line)));
  }

  // Where the editor shows every function of one program, its line is marked there, and the picture needs no code of its own.
  play(kind, film, steps, picture, index = 0) {
    const count = steps.length;
    this.steps = steps;
    if (film.error) this.refuse(film.error);
    if (!count) return;
    const here = !film.moves && Object.keys(film.functions).every(name => new RegExp(`def\\s+${name}\\b`).test(this.text)), marks = here && !film.error;
    const draw = at => { if (marks) this.editor.mark(this.at = steps[at].line); return picture(at); };
    this.at = null;
    this.film.className = here ? 'film codeless' : 'film';
    const said = span(count).map(index => `${index} / ${count - 1}: ${(film.functions[steps[index].name]?.lines[steps[index].line - film.functions[steps[index].name].first] ?? '').trim()}`);
    const told = {controls: [{zh: '步', en: 'step', kind: 'range', said, start: 0, play: 900}], at: Object.fromEntries(span(count).map(k => [k, k])), actual: {}, part: false};
    const box = make('div', {className: 'player steps'}, make('div', {className: 'still', innerHTML: draw(0)}), make('script', {type: 'application/json', className: 'told', textContent: JSON.stringify(told)}));
    const pressed = kind === 'step' && document.activeElement === this.buttons.step;
    this.film.replaceChildren(box);
    this.stepper = new Stepper(box);
    this.stepper.draw = draw;
    this.box.dataset.film = kind;
    if (pressed) box.querySelector('.buttons button:last-child').focus({preventScroll: true});  // its own button is away now
    // What is written lies below the line that writes it; but only what a visitor has pressed may move the page.
    if (this.pressed && matchMedia('(max-width: 40rem)').matches) this.box.scrollIntoView();
    if (film.error && !film.stopped || index) this.stepper.move(0, film.error ? count - 1 : Math.min(index, count - 1));
  }
}

function mount(box, task) { return new Cell(box, task); }
Live.mount = mount;
