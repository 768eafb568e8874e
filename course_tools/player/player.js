// Plays what film.py packed: steppers and explorers. No picture is drawn here; a position looks up its frame.

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// A text in both languages, as the rest of the page has it.
function both([zh, en]) {
  if (zh === en) return [zh];
  return [make('span', {lang: 'zh', innerHTML: zh}), make('span', {className: 'course-both'}, ' · '), make('span', {lang: 'en', innerHTML: en})];
}

function button(sign, label) {
  const found = make('button', {type: 'button', textContent: sign});
  named(found, label);
  return found;
}

// What a button of one sign is called: read aloud, and shown to whoever points at it.
function named(button, label) {
  whole.delete(button);
  button.setAttribute('aria-label', label);
  button.title = label;
}

const still = matchMedia('(prefers-reduced-motion: reduce)');
let made = 0;

class Film {
  constructor(box) {
    this.box = box;
    Object.assign(this, JSON.parse(box.querySelector('script.told').textContent));  // controls, at, actual, part
    this.start = this.controls.map(control => control.start);
    this.asked = [...this.start];
    this.moves = this.start.map(() => 0);  // when each control was last moved
    this.turn = 0;
    this.number = ++made;
    this.picture = box.querySelector('.still');
    this.picture.classList.add('frame');
    this.reel = matchMedia('(max-width: 40rem)').matches && box.querySelector('script.phone') || box.querySelector('script.film');
    box.classList.toggle('narrow', !!this.reel?.matches('.phone'));
    this.build();
    new IntersectionObserver((seen, watch) => {
      if (!seen.some(each => each.isIntersecting)) return;
      watch.disconnect();
      this.load();
    }).observe(box);
    box.addEventListener('keydown', event => event.stopPropagation());  // slides would take the arrow keys
  }

  // The frames, unpacked when they come into sight: the first move is as quick as the others.
  load() {
    return this.loaded ??= (async () => {
      const packed = Uint8Array.from(atob(this.reel.textContent), letter => letter.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
      this.film = await new Response(stream).json();
      if (this.reel.matches('.phone')) this.put();  // the still is the wide one
    })();
  }

  frame(number) {
    return this.film.frames[number].split(' ').map(run => {
      const [first, last = first] = run.split('-').map(digits => parseInt(digits, 36));
      return this.film.pieces.slice(first, last + 1).join('');
    }).join('');
  }

  build() {
    this.bar = make('div', {className: 'dials'});
    this.controls.forEach((control, k) => this.bar.append(this.row(control, k)));
    this.told = make('div', {className: 'unseen'});
    this.told.setAttribute('aria-live', 'polite');
    this.box.prepend(this.bar, ...(this.part ? [this.note()] : []), this.told);
    this.box.classList.add('live');
    this.mark();
    this.follow();
  }

  note() {
    return make('p', {className: 'part'}, ...both([
      `网页只存了 ${Object.keys(this.at).length} 种滑块组合，拖到没存的，会有一个滑块自动退回。笔记本里没有这个限制。`,
      `This page stores ${Object.keys(this.at).length} combinations of the sliders. If you pick one that is not stored, one of the sliders jumps back. The notebook has no such limit.`]));
  }

  row(control, k) {
    const id = `control-${this.number}-${k}`, label = make('label', {htmlFor: id}, ...both([control.zh, control.en]));
    const input = this.inputs(control);
    input.id = id;
    input.addEventListener(control.kind === 'range' ? 'input' : 'change', () => this.move(k, control.kind === 'switch' ? +input.checked : +input.value));
    control.input = input;
    const row = make('div', {className: 'control'}, label, input);
    if (control.kind === 'range') row.append(control.output = make('output', {htmlFor: id}));
    if (control.play) row.append(this.buttons(control, k));
    return row;
  }

  inputs(control) {
    if (control.kind === 'switch') return make('input', {type: 'checkbox'});
    if (control.kind === 'range') return make('input', {type: 'range', min: 0, max: control.said.length - 1, step: 1});
    const options = control.said.map((text, value) => make('option', {value, textContent: said(text)}));
    root.addEventListener('language', () => options.forEach((option, value) => option.textContent = said(control.said[value])));
    return make('select', {}, ...options);
  }

  buttons(control, k) {
    const back = button('❙◀', '上一步 · previous step'), forth = button('▶❙', '下一步 · next step'), play = button('▶', '播放 · play');
    const by = step => this.move(k, Math.min(Math.max(this.shown[k] + step, 0), control.said.length - 1), true);
    const stop = () => { clearInterval(control.timer); control.timer = 0; sign('▶', '播放 · play'); };
    const sign = (text, label) => { play.textContent = text; named(play, label); speak(this.box); };
    back.addEventListener('click', () => { stop(); by(-1); });
    forth.addEventListener('click', () => { stop(); by(1); });
    play.addEventListener('click', () => {
      if (control.timer) return stop();
      sign('❙❙', '暂停 · pause');
      if (this.shown[k] === control.said.length - 1) this.move(k, 0);
      control.timer = setInterval(() => this.box.isConnected && this.shown[k] < control.said.length - 1 ? by(1) : stop(), control.play);
    });
    play.hidden = still.matches;  // whoever wants nothing to move steps by hand
    return make('div', {className: 'buttons'}, back, play, forth);
  }

  // One control moves. Where the page has no such position, the others go back to their start, the one moved longest ago first.
  async move(k, index, aloud = false) {
    this.asked[k] = index;
    this.moves[k] = ++this.turn;
    const others = [...this.asked.keys()].filter(other => other !== k).sort((a, b) => this.moves[a] - this.moves[b]);
    while (!(this.asked.join() in this.at) && others.length) {
      const other = others.shift();
      this.asked[other] = this.start[other];
    }
    this.mark(aloud);
    await this.load();
    this.put();
    this.box.dispatchEvent(new Event('moved', {bubbles: true}));
  }

  // The frame of where the controls are.
  put() {
    this.picture.innerHTML = this.frame(this.at[this.asked.join()]);
    for (const drawn of this.picture.querySelectorAll(':scope > [lang] > svg')) drawn.parentElement.classList.add('wide');  // it scrolls
    speak(this.picture);
    watchAll(this.picture);
    this.follow();
    watch(this.picture);
  }

  // Where code is seen through a window, its line is in it.
  follow() {
    const code = this.picture.querySelector('.src'), now = code?.querySelector('.now');
    if (now) code.scrollTop = now.offsetTop - code.clientHeight / 2;
  }

  // The controls show where they are; one that follows another may be elsewhere than asked.
  mark(aloud = false) {
    const actual = this.actual[this.asked.join()] ?? this.asked;
    this.shown = actual.map((place, k) => typeof place === 'number' ? place : this.asked[k]);
    this.controls.forEach((control, k) => {
      const text = typeof actual[k] === 'number' ? control.said[actual[k]] : actual[k];
      if (control.kind === 'switch') control.input.checked = !!this.shown[k];
      else control.input.value = this.shown[k];
      if (control.output) control.output.textContent = control.play > 500 && text.includes(':') ? text.slice(0, text.indexOf(':')) : said(text);
      if (control.kind === 'range') control.input.setAttribute('aria-valuetext', said(text));
      if (aloud && control.play) this.told.textContent = said(text);
    });
  }
}

for (const box of document.querySelectorAll('.player:not(.prediction)')) new Film(box);
speak(document.body);
