// Predict, then look: options are cards; what gives the answer away stays out of sight until one is chosen. Choices are kept.
const LETTERS = 'ABCDEF';

// Where the rest of what a visitor leaves here is kept, too (course_tools/live/page/kept.js).
const predicted = {
  key: name => `course.predicted.${name}`,
  get(name) { try { return JSON.parse(localStorage.getItem(this.key(name))); } catch { return null; } },
  set(name, choice) { try { localStorage.setItem(this.key(name), choice); } catch { /* a private window */ } },
  forget(name) { try { localStorage.removeItem(this.key(name)); } catch { /* as above */ } },
};

// The cells below a question, as far as the next part (`opens`); what the next question asks stands among them, so that one waits as well.
function behind(cell) {
  const found = [], part = cell?.closest('main > .jp-Cell, main > .together');  // a slide shows what comes next when the speaker wants it
  for (let next = part?.nextElementSibling; next && !opens(next); next = next.nextElementSibling) found.push(next);
  return found;
}

class Prediction {
  constructor(box) {
    Object.assign(this, JSON.parse(box.querySelector('script.told').textContent));  // options, feedback
    this.right = this.feedback.findIndex(said => said.includes('✓'));
    const cell = box.closest('.jp-Cell');
    this.box = box;
    this.name = box.dataset.question = /predict\("([\w.]+)"/.exec(cell?.textContent)?.[1] ?? '';
    this.cards = this.options.map((text, k) => this.card(text, k));
    this.answer = make('div', {className: 'answer', tabIndex: -1});
    this.again = make('button', {type: 'button', className: 'again', hidden: true}, ...both(['重新选', 'Choose again']));
    this.again.addEventListener('click', () => { predicted.forget(this.name); this.ask(); this.cards[0].focus(); });
    box.append(make('fieldset', {}, make('legend', {}, ...both(['先猜：选一个', 'Predict: choose one'])),
      make('div', {className: 'cards'}, ...this.cards), this.answer, this.again));
    box.classList.add('live');
    box.addEventListener('keydown', event => event.stopPropagation());  // slides would take the arrow keys
    Object.assign(this, {cell, behind: behind(cell), open: false});
    this.veil = this.curtain();
    if (cell) cell.prediction = this;
    if (this.behind.length) cell.after(this.veil);
    this.ask();
    const before = predicted.get(this.name);
    if (before !== null && before in this.options) this.tell(before);
  }

  card(text, k) {
    const card = make('button', {type: 'button', className: 'card'}, make('b', {}, LETTERS[k]), make('span', {}, ...both(text)));
    card.addEventListener('click', () => {
      predicted.set(this.name, k);
      this.box.dispatchEvent(new CustomEvent('predicted', {detail: k, bubbles: true}));
      this.tell(k);
      this.answer.focus({preventScroll: true});  // a screen reader reads it, and the keyboard goes on from here
    });
    return card;
  }

  curtain() {
    const show = make('button', {type: 'button'}, ...both(['不猜，直接看', 'Show it anyway']));
    show.addEventListener('click', () => this.lift());
    return make('div', {className: 'veil'}, make('span', {}, ...both(this.waiting())), show);
  }

  // What the veil says: how much is behind it, as far as the next question.
  waiting() {
    const next = this.behind.findIndex(cell => cell.querySelector('.prediction')), cells = this.behind.slice(0, next < 0 ? undefined : next);
    const texts = cells.flatMap(cell => [...cell.querySelectorAll('div[lang="en"] > :is(p, ul, ol)')]).length;
    const others = cells.filter(cell => cell.matches('.jp-CodeCell')).length;
    const zh = [texts && `${texts} 段文字`, others && `${others} 格代码和图`].filter(Boolean).join('、');
    const en = [texts && `${texts} paragraph${texts > 1 ? 's' : ''}`, others && `${others} cell${others > 1 ? 's' : ''}`].filter(Boolean).join(' and ');
    return [`选了以后往下看：答案在后面${zh ? `（${zh}）` : ''}。`, `The answer comes next${en ? `: ${en}` : ''}. Choose first.`];
  }

  lift(open = true) {
    this.open = open;
    const shown = open && !this.cell?.hidden;
    this.veil.hidden = open || Boolean(this.cell?.hidden);
    let guessed = shown;  // a result that was to be guessed here need not be asked for again
    for (const cell of this.behind) {
      cell.hidden = !shown;
      if (guessed) for (const result of cell.querySelectorAll('details.result')) result.open = true;
      guessed &&= !/Predict|先猜/.test(cell.textContent);
      if (!cell.querySelector('.prediction')) continue;
      cell.prediction?.lift(cell.prediction.open);  // the rest is that one's
      break;
    }
    if (shown) watchAll();
  }

  ask() {
    for (const card of this.cards) Object.assign(card, {disabled: false, className: 'card'});
    this.answer.replaceChildren();
    this.again.hidden = true;
    this.lift(false);
  }

  tell(choice) {
    this.cards.forEach((card, k) => {
      card.disabled = true;
      card.classList.add(k === this.right ? 'right' : k === choice ? 'wrong' : 'other');
    });
    this.answer.innerHTML = this.feedback[choice];
    this.answer.className = `answer ${choice === this.right ? 'right' : 'wrong'}`;
    this.again.hidden = false;
    this.lift();
  }
}

for (const box of document.querySelectorAll('.player.prediction')) new Prediction(box);
// A place further down has moved up; who came for it is taken there.
if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
