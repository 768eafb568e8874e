// What a visitor leaves here: texts, solved exercises, predictions. In storage, and in a file to take along.
const PREFIX = 'course.', unsaved = new Map();  // where there is no storage (a private window), until the page closes

const kept = {
  get(key) {
    try { const text = localStorage.getItem(PREFIX + key); return text === null ? unsaved.get(key) : JSON.parse(text); } catch { return unsaved.get(key); }
  },
  set(key, value) {
    try { localStorage.setItem(PREFIX + key, JSON.stringify(value)); } catch { unsaved.set(key, value); }
    root.dispatchEvent(new CustomEvent('kept', {detail: key}));
  },
  forget(key) {
    unsaved.delete(key);
    try { localStorage.removeItem(PREFIX + key); } catch { /* nothing was kept */ }
    root.dispatchEvent(new CustomEvent('kept', {detail: key}));
  },
  all() {
    const found = Object.fromEntries(unsaved);
    try { for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) found[key.slice(PREFIX.length)] = JSON.parse(localStorage.getItem(key)); } catch { /* as above */ }
    return found;
  },
};

// ---- the front page: n of m solved, and the file

const solved = () => Object.keys(kept.all()).filter(key => key.startsWith('solved.')).map(key => key.slice(7));

function tally() {
  const done = solved(), predicted = kept.get('predicted') ?? {};  // predictions: look/predict.js keeps them
  for (const place of document.querySelectorAll('[data-tally]')) {
    const mine = JSON.parse(place.dataset.tally), count = mine.exercises.filter(each => done.includes(each)).length, guessed = mine.questions.filter(each => each in predicted).length;
    place.hidden = !count && !guessed;
    place.classList.toggle('all', count > 0 && count === mine.exercises.length);
    place.replaceChildren(...both([
      `${count === mine.exercises.length && count ? '✓ ' : ''}练习 ${count} / ${mine.exercises.length}，预测 ${guessed} / ${mine.questions.length}`,
      `${count === mine.exercises.length && count ? '✓ ' : ''}exercises ${count} / ${mine.exercises.length}, predictions ${guessed} / ${mine.questions.length}`]));
  }
}

function exported() {
  const file = new Blob([JSON.stringify({course: 'softmax', kept: kept.all()}, null, 1)], {type: 'application/json'});
  const link = make('a', {href: URL.createObjectURL(file), download: 'softmax-course.json'});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// From a file: what it has comes in, what it has not stays.
async function imported(file, told) {
  try {
    const {course, kept: mine} = JSON.parse(await file.text());
    if (course !== 'softmax' || typeof mine !== 'object' || !mine) throw new Error();
    for (const [key, value] of Object.entries(mine)) kept.set(key, value);
    const count = Object.keys(mine).filter(key => key.startsWith('solved.')).length;
    told.replaceChildren(...both([`读进来了，解出的练习有 ${count} 道。`, `Read: ${count} solved exercises.`]));
  } catch { told.replaceChildren(...both(['这个文件不是在这里存下的。', 'This file was not saved here.'])); }
}

for (const place of document.querySelectorAll('.progress')) {
  const told = place.querySelector('[data-live="told"]'), file = place.querySelector('input[type="file"]');
  place.querySelector('[data-live="export"]').addEventListener('click', exported);
  place.querySelector('[data-live="import"]').addEventListener('click', () => file.click());
  file.addEventListener('change', () => { if (file.files[0]) imported(file.files[0], told); file.value = ''; });
}
root.addEventListener('kept', tally);
addEventListener('storage', tally);
tally();
